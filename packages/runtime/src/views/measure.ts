import { type DescMessage, type JsonValue, type MessageShape, toJson } from "@bufbuild/protobuf";

/** What a message takes of an answer. */
export interface Measure {
  /** Of JSON. */
  readonly bytes: number;
  /** Names and values, of which redaction looks at each. */
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

/** The most that a character, a number or the name of an enum, and a value with its punctuation can take in JSON. */
const most = { character: 6, number: 64, value: 4 } as const;

/** Texts of these take as much as they are long. */
const plain = /^[ !#-[\]-~]*$/;

/** How a message is written. */
export type Form = "json" | "binary";

const mostBytesOf = { json: jsonBytes, binary: binaryBytes, either: bytesInEither } as const;

/** A quick look, without writing it: true of almost everything. */
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

/** With what stands before it: tags and lengths, also of the messages that a value of JSON is made of. */
function binaryBytes(text: string): number {
  return 20 + text.length * 3;
}

/** Without looking at the text. */
function bytesInEither(text: string): number {
  return 20 + text.length * most.character;
}
