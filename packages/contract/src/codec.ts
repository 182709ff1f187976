import {
  type DescMessage,
  fromBinary,
  fromJson,
  fromJsonString,
  type JsonValue,
  type MessageShape,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import { getTextEncoding } from "@bufbuild/protobuf/wire";
import { ContractError } from "./contract-error.ts";
import { locateJsonFault } from "./json-fault.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import { contractRegistry } from "./registry.ts";
import { scanJson } from "./scan-json.ts";
import { scanWire } from "./scan-wire.ts";
import type { Violation } from "./validate.ts";

export interface JsonOptions {
  readonly limits?: Limits;
  /**
   * Fields that nobody here knows: refused where a person wrote them, since they are likely misspelt; ignored where
   * a peer sent them, since it may be newer (A §2.15, U §2).
   */
  readonly unknownFields?: "refuse" | "ignore";
}

/** Reads a message from protobuf's binary form. Fields it does not know are kept and written back. */
export function decodeBinary<Desc extends DescMessage>(
  schema: Desc,
  bytes: Uint8Array,
  limits: Limits = defaultLimits,
): MessageShape<Desc> {
  checkBytes(schema, bytes.byteLength, limits);
  const fault = scanWire(schema, bytes, limits);
  if (fault?.kind === "malformed") {
    throw new ContractError("BATON-CONTRACT-002", schema.typeName, `at byte ${fault.at}: ${fault.reason}`);
  }
  if (fault) throw overLimit(schema, fault.kind, limits);
  try {
    return fromBinary(schema, bytes, { recursionLimit: limits.maxDepth });
  } catch (error) {
    throw unreadable(schema, error);
  }
}

/** Reads a message from protobuf's JSON form. Field names may be in lowerCamelCase or as in the proto files. */
export function decodeJson<Desc extends DescMessage>(
  schema: Desc,
  text: string | Uint8Array,
  { limits = defaultLimits, unknownFields = "refuse" }: JsonOptions = {},
): MessageShape<Desc> {
  checkBytes(schema, text.length, limits); // Of a string, its UTF-16 units: never more than its bytes.
  const json = typeof text === "string" ? text : decodeText(schema, text);
  const passed = scanJson(json, limits);
  if (passed) throw overLimit(schema, passed, limits);
  const options = {
    ignoreUnknownFields: unknownFields === "ignore",
    recursionLimit: limits.maxDepth,
    registry: contractRegistry,
  };
  try {
    return fromJsonString(schema, json, options);
  } catch (error) {
    if (String(error).includes("maximum recursion depth")) throw overLimit(schema, "depth", limits);
    const decode = (part: DescMessage, value: JsonValue) => fromJson(part, value, options);
    throw unreadable(schema, error, locateJsonFault(schema, json, decode));
  }
}

export function encodeBinary<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
): Uint8Array {
  return toBinary(schema, message);
}

export function encodeJson<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): string {
  return toJsonString(schema, message, { registry: contractRegistry });
}

function decodeText(schema: DescMessage, bytes: Uint8Array): string {
  try {
    return getTextEncoding().decodeUtf8(bytes, true);
  } catch (cause) {
    throw new ContractError("BATON-CONTRACT-002", schema.typeName, "the text is not UTF-8", [], { cause });
  }
}

function checkBytes(schema: DescMessage, bytes: number, { maxBytes }: Limits): void {
  if (bytes <= maxBytes) return;
  const problem = `${bytes} bytes are more than the ${maxBytes} that are accepted`;
  throw new ContractError("BATON-CONTRACT-001", schema.typeName, problem);
}

function overLimit(schema: DescMessage, passed: "depth" | "elements", limits: Limits): ContractError {
  if (passed === "depth") {
    const problem = `it is nested deeper than the ${limits.maxDepth} levels that are accepted`;
    return new ContractError("BATON-CONTRACT-003", schema.typeName, problem);
  }
  const problem = `it has more than the ${limits.maxElements} elements that are accepted`;
  return new ContractError("BATON-CONTRACT-001", schema.typeName, problem);
}

/** Turns what a decoder throws into the error of the boundary, with the field at fault where it can be found. */
function unreadable(schema: DescMessage, cause: unknown, fault?: Violation): ContractError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const problem = fault
    ? `${fault.field || "the message"} ${fault.message}`
    : reason.replace(/^cannot decode [^:]* from JSON: /, "");
  return new ContractError("BATON-CONTRACT-002", schema.typeName, problem, fault ? [fault] : [], { cause });
}
