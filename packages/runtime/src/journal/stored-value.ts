/**
 * Encodes values of the kernel as JSON.
 *
 * A keeper stores messages of the contract and long texts outside of the JSON and returns references to them, so that journals do
 * not grow with the text of agents. Objects of users may have any names; those that look like a reference are wrapped.
 */
import {
  contractRegistry,
  encodeBinary,
  encodedOnce,
  TaskEnvelopeSchema,
  takeAsItCame,
} from "@baton/contract";
import { fromBinary, type JsonValue, type Message } from "@bufbuild/protobuf";

/** Texts up to this length stay in the JSON. */
export const longestInlineText = 256;

/** Stores messages and long texts. */
export interface Keeper {
  message(message: Message): JsonValue;
  text(text: string): JsonValue;
}

/** Finds stored messages and texts. */
export interface Finder {
  message(kept: JsonValue): Message;
  text(kept: JsonValue): string;
}

const marks = { message: "$message", text: "$text", number: "$number", plain: "$plain" } as const;

/** A value of a user or an agent. It contains no message of the contract, whatever its fields say. */
export class UserJson {
  readonly json: JsonValue;

  constructor(json: JsonValue) {
    this.json = json;
  }
}

/**
 * Converts a value to JSON. Most values stay as they are and are not copied, since every decision passes here; one call of
 * `JSON.stringify` then writes the text.
 */
export function toStored(value: unknown, keeper: Keeper): unknown {
  return stored(value, keeper, true);
}

function stored(value: unknown, keeper: Keeper, hasMessages: boolean): unknown {
  switch (typeof value) {
    case "string":
      return value.length <= longestInlineText ? value : { $text: keeper.text(value) };
    case "number":
      return hasJsonForm(value) ? value : { $number: value === 0 ? "-0" : String(value) };
    case "boolean":
      return value;
    case "object":
      if (value === null) return value;
      if (Array.isArray(value)) return storedList(value, keeper, hasMessages);
      if (value instanceof UserJson) return stored(value.json, keeper, false);
      if (hasMessages && isMessage(value)) return { $message: keeper.message(value) };
      return storedObject(value as Record<string, unknown>, keeper, hasMessages);
    default:
      throw new TypeError(`a ${typeof value} cannot be stored`);
  }
}

/** The binary form of a message has numbers that JSON lacks. */
function hasJsonForm(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

/** As in JSON, undefined becomes null in a list, and is left out of an object. */
function storedList(list: readonly unknown[], keeper: Keeper, hasMessages: boolean): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let place = 0; place < list.length; place++) {
    const item = list[place];
    if (item === undefined) continue;
    const stands = stored(item, keeper, hasMessages);
    if (stands === item) continue;
    copy ??= [...list];
    copy[place] = stands;
  }
  return copy ?? list;
}

function storedObject(value: Record<string, unknown>, keeper: Keeper, hasMessages: boolean): object {
  let copy: Record<string, unknown> | undefined;
  let mistakable = false;
  // Stored values inherit no properties, and this is the fastest iteration.
  for (const name in value) {
    const item = value[name];
    if (item === undefined) continue;
    if (name.startsWith("$")) mistakable = true;
    const stands = stored(item, keeper, hasMessages);
    if (stands === item) continue;
    copy ??= { ...value };
    setOwn(copy, name, stands);
  }
  return mistakable ? { $plain: copy ?? value } : (copy ?? value);
}

function isMessage(value: object): value is Message {
  return "$typeName" in value && typeof value.$typeName === "string";
}

export function fromStored(stored: JsonValue, finder: Finder): unknown {
  if (typeof stored !== "object" || stored === null) return stored;
  if (Array.isArray(stored)) return stored.map((item) => fromStored(item, finder));
  const {
    [marks.message]: message,
    [marks.text]: text,
    [marks.number]: number,
    [marks.plain]: plain,
  } = stored;
  if (message !== undefined) return finder.message(message);
  if (text !== undefined) return finder.text(text);
  if (number !== undefined) return Number(number);
  return readObject(isObject(plain) ? plain : stored, finder);
}

function readObject(stored: Record<string, JsonValue>, finder: Finder): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(stored)) {
    setOwn(value, name, fromStored(item, finder));
  }
  return value;
}

/** A plain assignment to `__proto__` would set the prototype. */
function setOwn<Value>(target: Record<string, Value>, name: string, value: Value): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function isObject(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function writeMessage(message: Message): Uint8Array {
  const schema = schemaOf(message.$typeName);
  // An envelope is sent soon after, as the same bytes.
  if (schema === TaskEnvelopeSchema) return encodedOnce(schema, message);
  return takeAsItCame(message) ?? encodeBinary(schema, message);
}

export function readMessage(typeName: string, bytes: Uint8Array): Message {
  return fromBinary(schemaOf(typeName), bytes);
}

function schemaOf(typeName: string) {
  const schema = contractRegistry.getMessage(typeName);
  if (!schema) throw new TypeError(`the contract has no message "${typeName}"`);
  return schema;
}
