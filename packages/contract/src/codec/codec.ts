import {
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type MessageShape,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import { defaultLimits, type Limits } from "../limits.ts";
import { decodePlain } from "../plain/decode-plain.ts";
import { encodePlain } from "../plain/encode-plain.ts";
import { JsonWriter } from "../plain/json-writer.ts";
import { writeJson } from "../plain/write-json.ts";
import { shorten } from "../text/shorten.ts";
import { decodeDocument, keepByteOrderMarks } from "../text/text-encoding.ts";
import { ContractError } from "../validation/contract-error.ts";
import type { Violation } from "../validation/validate.ts";
import { inspectJson } from "./inspect-json.ts";
import { contractRegistry } from "./registry.ts";
import { scanJson } from "./scan-json.ts";
import { scanWire } from "./scan-wire.ts";

keepByteOrderMarks();

/** Structured data has a struct, an entry and a value for each level that a reader of JSON sees. */
const messagesPerLevel = 3;

export interface JsonOptions {
  readonly limits?: Limits;
  /**
   * Unknown fields: refused from people, who likely misspelt them; ignored from peers, which may be newer (U §2). Unknown
   * enum values are always refused: ignoring one would change the meaning of the message.
   */
  readonly unknownFields?: "refuse" | "ignore";
}

/** Reads a message from protobuf's binary form. Fields it does not know are kept and written back. */
export function decodeBinary<Desc extends DescMessage>(
  schema: Desc,
  bytes: Uint8Array,
  limits: Limits = defaultLimits,
): MessageShape<Desc> {
  checkBytes(schema.typeName, bytes.byteLength, limits);
  const plain = decodePlain(schema, bytes, limits);
  if (plain) return plain;
  const fault = scanWire(schema, bytes, limits);
  if (fault?.kind === "malformed") {
    throw new ContractError("BATON-CONTRACT-002", schema.typeName, `at byte ${fault.at}: ${fault.reason}`);
  }
  if (fault) throw overLimit(schema.typeName, fault.kind, limits);
  try {
    return fromBinary(schema, bytes, { recursionLimit: messagesPerLevel * limits.maxDepth });
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
  const json = parseJson(schema.typeName, text, limits);
  const fault = inspectJson(schema, json, unknownFields);
  if (fault) throw unreadable(schema, undefined, fault);
  try {
    return fromJson(schema, json, {
      recursionLimit: messagesPerLevel * limits.maxDepth,
      registry: contractRegistry,
    });
  } catch (error) {
    throw unreadable(schema, error);
  }
}

/**
 * Reads a JSON document that is no message of the contract, with the same limits: on bytes, depth and elements. A key that comes
 * twice is refused. `name` is the document in errors.
 */
export function parseJson(name: string, given: string | Uint8Array, limits: Limits): JsonValue {
  checkBytes(name, given.length, limits); // Of a string, its UTF-16 units: never more than its bytes.
  const text = typeof given === "string" ? given : decodeText(name, given);
  const fault = scanJson(text, limits);
  if (fault?.kind === "duplicate") {
    const problem = `at ${fault.line}:${fault.column}: the key ${shorten(fault.key)} comes twice`;
    throw new ContractError("BATON-CONTRACT-002", name, problem);
  }
  if (fault) throw overLimit(name, fault.kind, limits);
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    const problem = shorten(withoutQuote(cause instanceof Error ? cause.message : String(cause)));
    const isPlaced = /line \d+ column /.test(problem);
    const fix = `correct the text${isPlaced ? " at the named position" : ""}: it must be JSON`;
    throw new ContractError("BATON-CONTRACT-002", name, problem, [], { fix });
  }
}

/** Drops the excerpt that the parser quotes: a secret cut there would not be recognised. */
function withoutQuote(message: string): string {
  return message.replace(/, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, " in what has to be JSON");
}

export function encodeBinary<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
): Uint8Array {
  return encodePlain(schema, message) ?? toBinary(schema, message);
}

const json = new JsonWriter();

export function encodeJson<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): string {
  json.clear();
  encodeJsonInto(json, schema, message);
  return json.since(0);
}

/** The same for those who write many, behind what is written already. */
export function encodeJsonInto<Desc extends DescMessage>(
  writer: JsonWriter,
  schema: Desc,
  message: MessageShape<Desc>,
): void {
  const start = writer.at;
  if (writeJson(writer, schema, message)) return;
  writer.at = start;
  writer.text(toJsonString(schema, message, { registry: contractRegistry }));
}

function decodeText(name: string, bytes: Uint8Array): string {
  try {
    return decodeDocument(bytes);
  } catch (cause) {
    throw new ContractError("BATON-CONTRACT-002", name, "the text is not UTF-8", [], { cause });
  }
}

function checkBytes(name: string, bytes: number, { maxBytes }: Limits): void {
  if (bytes <= maxBytes) return;
  const problem = `${bytes} bytes are more than the ${maxBytes} that are accepted`;
  throw new ContractError("BATON-CONTRACT-001", name, problem);
}

function overLimit(name: string, passed: "depth" | "elements", limits: Limits): ContractError {
  if (passed === "depth") {
    const problem = `it is nested deeper than the ${limits.maxDepth} levels that are accepted`;
    return new ContractError("BATON-CONTRACT-003", name, problem);
  }
  const problem = `it has more than the ${limits.maxElements} elements that are accepted`;
  return new ContractError("BATON-CONTRACT-001", name, problem);
}

/** Converts a decoder's error to a `ContractError`, with the field at fault where it can be found. */
function unreadable(schema: DescMessage, cause: unknown, fault?: Violation): ContractError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const problem = fault
    ? `${fault.field || "the message"} ${fault.message}`
    : shorten(reason.replace(/^cannot decode [^:]* from JSON: /, ""));
  return new ContractError("BATON-CONTRACT-002", schema.typeName, problem, fault ? [fault] : [], { cause });
}
