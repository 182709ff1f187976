/**
 * Values of the kernel as JSON, and back.
 *
 * Messages of the contract and long texts do not stand in the JSON: a keeper puts them somewhere and says what stands for
 * them. So the size of a journal does not grow with what agents write. An object of a user may have any names: one that
 * could be mistaken for something of ours is wrapped.
 */
import {
  contractRegistry,
  encodeBinary,
  encodedOnce,
  TaskEnvelopeSchema,
  takeAsItCame,
} from "@baton/contract";
import { fromBinary, type JsonValue, type Message } from "@bufbuild/protobuf";

/** Texts up to this length stand in the JSON itself. */
export const longestInlineText = 256;

/** Where messages and long texts are put. */
export interface Keeper {
  message(message: Message): JsonValue;
  text(text: string): JsonValue;
}

/** Where they are found again. */
export interface Finder {
  message(kept: JsonValue): Message;
  text(kept: JsonValue): string;
}

const marks = { message: "$message", text: "$text", number: "$number", plain: "$plain" } as const;

/** What a user or an agent wrote. Whatever it says of itself, there is no message of the contract in it. */
export class UserJson {
  readonly json: JsonValue;

  constructor(json: JsonValue) {
    this.json = json;
  }
}

/** The text itself, without a JSON value in between: every decision goes through here. */
export function storedText(value: unknown, keeper: Keeper): string {
  return write(value, keeper, true);
}

function write(value: unknown, keeper: Keeper, hasMessages: boolean): string {
  switch (typeof value) {
    case "string":
      return value.length <= longestInlineText ? JSON.stringify(value) : mark("text", keeper.text(value));
    case "number":
      return hasJsonForm(value) ? `${value}` : mark("number", value === 0 ? "-0" : String(value));
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (Array.isArray(value)) return writeList(value, keeper, hasMessages);
      if (value instanceof UserJson) return write(value.json, keeper, false);
      if (hasMessages && isMessage(value)) return mark("message", keeper.message(value));
      return writeObject(value, keeper, hasMessages);
    default:
      throw new TypeError(`a ${typeof value} cannot be stored`);
  }
}

function mark(kind: keyof typeof marks, kept: JsonValue): string {
  return `{"${marks[kind]}":${JSON.stringify(kept)}}`;
}

/** The binary form of a message has numbers that JSON has not. */
function hasJsonForm(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function writeList(list: readonly unknown[], keeper: Keeper, hasMessages: boolean): string {
  let text = "[";
  for (let place = 0; place < list.length; place++) {
    const item = list[place];
    if (place > 0) text += ",";
    text += item === undefined ? "null" : write(item, keeper, hasMessages);
  }
  return `${text}]`;
}

function writeObject(value: object, keeper: Keeper, hasMessages: boolean): string {
  let text = "";
  let mistakable = false;
  for (const name of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[name];
    if (item === undefined) continue;
    if (name.startsWith("$")) mistakable = true;
    if (text !== "") text += ",";
    text += hasMessages ? ownName(name) : JSON.stringify(name);
    text += ":";
    text += write(item, keeper, hasMessages);
  }
  return mistakable ? `{"${marks.plain}":{${text}}}` : `{${text}}`;
}

/** Names in our own records come up again and again, and are few. */
const ownNames = new Map<string, string>();
const mostOwnNames = 1_000;

function ownName(name: string): string {
  const known = ownNames.get(name);
  if (known !== undefined) return known;
  const quoted = JSON.stringify(name);
  if (ownNames.size < mostOwnNames) ownNames.set(name, quoted);
  return quoted;
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

/** A plain assignment to this one name would set the prototype instead. */
function setOwn<Value>(target: Record<string, Value>, name: string, value: Value): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function isObject(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function writeMessage(message: Message): Uint8Array {
  const schema = schemaOf(message.$typeName);
  // An envelope is sent soon after it is stored, as the same bytes.
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
