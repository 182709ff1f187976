import { type DescMessage, type JsonValue, type MessageShape, toJson } from "@bufbuild/protobuf";

/** The size of a message in a response. */
export interface Measure {
  /** Bytes of JSON. */
  readonly bytes: number;
  /** Names and values, each of which redaction inspects. */
  readonly elements: number;
}

export function measure<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Measure {
  const json = toJson(schema, message);
  return { bytes: Buffer.byteLength(JSON.stringify(json)), elements: count(json) };
}

function count(json: JsonValue): number {
  let elements = 0;
  const unseen: JsonValue[] = [json];
  for (let one = unseen.pop(); one !== undefined; one = unseen.pop()) {
    elements++;
    if (Array.isArray(one)) for (const item of one) unseen.push(item);
    else if (one !== null && typeof one === "object")
      for (const name of Object.keys(one)) {
        elements++;
        unseen.push(one[name] ?? null);
      }
  }
  return elements;
}

/** Upper bounds in JSON for a character, for a number or enum name, and for the punctuation of a value. */
const most = { character: 6, number: 64, value: 4 } as const;

/** Characters that JSON writes as one byte. */
const plain = /^[ !#-[\]-~]*$/;

/** The encoding of a message. */
export type Form = "json" | "binary";

const mostBytesOf = { json: jsonBytes, binary: binaryBytes, either: bytesInEither } as const;

/** A fast estimate without encoding; true for almost all messages. */
export function surelyFits(message: object, room: Measure, form: Form | "either" = "json"): boolean {
  const bytesOf = mostBytesOf[form];
  let { bytes, elements } = room;
  const unseen: object[] = [message];
  for (let one = unseen.pop(); one; one = unseen.pop()) {
    if (bytes < 0 || elements < 0) return false;
    if (one instanceof Uint8Array) {
      bytes -= one.length * 2;
      continue;
    }
    for (const name in one) {
      if (name === "$typeName") continue;
      const value: unknown = Reflect.get(one, name);
      elements -= 2;
      bytes -= most.value + bytesOf(name);
      if (typeof value === "string") bytes -= bytesOf(value);
      else if (typeof value === "object" && value !== null) unseen.push(value);
      else bytes -= most.number;
    }
  }
  return bytes >= 0 && elements >= 0;
}

function jsonBytes(text: string): number {
  return 2 + text.length * (plain.test(text) ? 1 : most.character);
}

/** Including tags and lengths, also of the messages that represent a JSON value. */
function binaryBytes(text: string): number {
  return 20 + text.length * 3;
}

/** Independent of the characters. */
function bytesInEither(text: string): number {
  return 20 + text.length * most.character;
}
