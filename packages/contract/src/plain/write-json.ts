import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { writeDuration, writeTimestamp } from "./json-times.ts";
import type { JsonWriter } from "./json-writer.ts";
import { notPlain } from "./plain-bytes.ts";

/**
 * Writes a message as JSON, as most of them are: of fields that are known here, with values of their types. False when there
 * is anything else about it; what was written by then means nothing. The long way makes an object of every message first.
 *
 * J1. What it writes is byte for byte what protobuf-es gives for the same message.
 * J2. False says only that the long way has to be taken, which also has the words for what is wrong.
 */
export function writeJson(writer: JsonWriter, schema: DescMessage, message: Message): boolean {
  try {
    bodyOf(schema)(writer, message);
    return true;
  } catch {
    return false; // The full encoder reports the fault.
  }
}

type Members = Readonly<Record<string, unknown>>;
/** Writes a field behind a comma, if it is there. */
type WriteField = (writer: JsonWriter, members: Members) => void;
type WriteValue = (writer: JsonWriter, value: unknown) => void;

const [openingBrace, openingBracket] = [0x7b, 0x5b];

const bodies = new WeakMap<DescMessage, WriteValue>();

function bodyOf(schema: DescMessage): WriteValue {
  let body = bodies.get(schema);
  if (!body) {
    const fields: WriteField[] = [];
    const { typeName } = schema;
    body = (writer, value) => {
      if (!isMembers(value) || value.$typeName !== typeName || value.$unknown !== undefined) throw notPlain;
      const start = writer.at;
      for (const field of fields) field(writer, value);
      close(writer, start, openingBrace, "}");
    };
    bodies.set(schema, body); // Before its fields, because messages may contain themselves.
    const inOrder = [...schema.fields].sort((one, other) => one.number - other.number);
    fields.push(...inOrder.map(writerOf));
  }
  return body;
}

/** The comma before the first of them becomes the bracket. */
function close(writer: JsonWriter, start: number, opening: number, closing: string): void {
  if (writer.at === start) writer.ascii(",");
  writer.begin(start, opening);
  writer.ascii(closing);
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}

function writerOf(field: DescField): WriteField {
  const { localName, oneof, fieldKind } = field;
  const { write, isZero } = valueWriter(field);
  const name = `,${JSON.stringify(field.jsonName)}:`;
  if (fieldKind === "list") {
    return (writer, members) => {
      const list = members[localName];
      if (!Array.isArray(list)) throw notPlain;
      if (list.length === 0) return;
      writer.ascii(name);
      const start = writer.at;
      for (const item of list) {
        writer.ascii(",");
        write(writer, item);
      }
      close(writer, start, openingBracket, "]");
    };
  }
  if (oneof) {
    const group = oneof.localName;
    return (writer, members) => {
      const chosen = members[group];
      if (!isMembers(chosen)) throw notPlain;
      if (chosen.case !== localName) return;
      writer.ascii(name);
      write(writer, chosen.value);
    };
  }
  if (field.presence === FeatureSet_FieldPresence.IMPLICIT) {
    return (writer, members) => {
      const value = members[localName];
      if (isZero(value)) return;
      writer.ascii(name);
      write(writer, value);
    };
  }
  return (writer, members) => {
    const value = members[localName];
    if (value === undefined) return;
    if (!Object.hasOwn(members, localName)) throw notPlain;
    writer.ascii(name);
    write(writer, value);
  };
}

interface ValueWriter {
  readonly write: WriteValue;
  /** Whether a value is the one that is not written. */
  readonly isZero: (value: unknown) => boolean;
}

const unknownHere: ValueWriter = {
  isZero: () => false,
  write: () => {
    throw notPlain;
  },
};

function valueWriter({ message, enum: described, scalar, fieldKind }: DescField): ValueWriter {
  if (fieldKind === "map") return unknownHere; // The contract has none.
  if (described) return enumWriter(described);
  if (!message) return scalars[scalar as ScalarType] ?? unknownHere;
  const isOwn = !message.typeName.startsWith("google.protobuf.");
  return {
    write: isOwn ? bodyOf(message) : (times[message.typeName] ?? unknownHere.write),
    isZero: () => false,
  };
}

const times: Readonly<Record<string, WriteValue>> = {
  "google.protobuf.Timestamp": (writer, value) => writer.ascii(writeTimestamp(value)),
  "google.protobuf.Duration": (writer, value) => writer.ascii(writeDuration(value)),
};

function enumWriter({ values }: DescEnum): ValueWriter {
  const zero = values[0]?.number;
  const names = new Map<unknown, string>(
    values.map(({ number, jsonName }) => [number, JSON.stringify(jsonName)]),
  );
  const write: WriteValue = (writer, value) => {
    const name = names.get(value);
    if (name === undefined) throw notPlain;
    writer.text(name);
  };
  return { write, isZero: (value) => value === zero };
}

const scalars: Partial<Record<ScalarType, ValueWriter>> = {
  [ScalarType.STRING]: {
    isZero: (value) => value === "",
    write: (writer, value) => {
      if (typeof value !== "string") throw notPlain;
      writer.quoted(value);
    },
  },
  [ScalarType.BYTES]: {
    isZero: (value) => value instanceof Uint8Array && value.length === 0,
    write: (writer, value) => {
      if (!(value instanceof Uint8Array)) throw notPlain;
      writer.ascii(`"${base64Encode(value)}"`);
    },
  },
  [ScalarType.BOOL]: {
    isZero: (value) => value === false,
    write: (writer, value) => {
      if (typeof value !== "boolean") throw notPlain;
      writer.ascii(value ? "true" : "false");
    },
  },
  [ScalarType.INT32]: {
    isZero: (value) => value === 0,
    write: (writer, value) => {
      if (typeof value !== "number" || (value | 0) !== value) throw notPlain;
      writer.ascii(String(value));
    },
  },
  [ScalarType.INT64]: {
    isZero: (value) => value === 0n,
    write: (writer, value) => {
      if (typeof value !== "bigint") throw notPlain;
      writer.ascii(`"${value}"`);
    },
  },
  [ScalarType.DOUBLE]: {
    isZero: (value) => Object.is(value, 0),
    write: (writer, value) => {
      if (typeof value !== "number" || !Number.isFinite(value)) throw notPlain;
      writer.ascii(String(value));
    },
  },
};
