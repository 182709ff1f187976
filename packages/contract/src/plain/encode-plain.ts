import { type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { notPlain } from "./plain-bytes.ts";
import { PlainWriter } from "./plain-writer.ts";
import { writeData } from "./write-data.ts";

/**
 * Writes a message as most of them are: not large, of fields that are known here, with values of their types. Undefined
 * when there is anything else about it.
 *
 * I1. What it gives is byte for byte what protobuf-es gives for the same message.
 * I2. Undefined says only that the long way has to be taken, which also has the words for what is wrong.
 */
export function encodePlain(schema: DescMessage, message: Message): Uint8Array | undefined {
  if (to.at !== 0) return undefined; // Somebody writes already: a message that computes its own fields.
  try {
    bodyOf(schema)(message);
    return to.written();
  } catch {
    return undefined; // It will be found again, by who can tell what it is.
  } finally {
    to.at = 0;
  }
}

const to = new PlainWriter();

type Members = Readonly<Record<string, unknown>>;
/** Writes one field, if it is there. */
type WriteField = (members: Members) => void;
/** Writes one value, without its tag. */
type WriteValue = (value: unknown) => void;

const bodies = new WeakMap<DescMessage, WriteValue>();

function bodyOf(schema: DescMessage): WriteValue {
  let body = bodies.get(schema);
  if (!body) {
    const fields: WriteField[] = [];
    const { typeName } = schema;
    body = (value) => {
      if (!isMembers(value) || value.$typeName !== typeName || value.$unknown !== undefined) throw notPlain;
      for (const field of fields) field(value);
    };
    bodies.set(schema, body); // Before its fields, because messages may contain themselves.
    const inOrder = [...schema.fields].sort((one, other) => one.number - other.number);
    fields.push(...inOrder.map(writerOf));
  }
  return body;
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}

function writerOf(field: DescField): WriteField {
  const { localName, oneof, fieldKind, number } = field;
  const { wireType, write, isZero } = valueWriter(field);
  const tag = 8 * number + wireType;
  if (fieldKind === "list") return listWriter(field, tag, write);
  if (oneof) {
    const group = oneof.localName;
    return (members) => {
      const chosen = members[group];
      if (!isMembers(chosen)) throw notPlain;
      if (chosen.case !== localName) return;
      to.varint(tag);
      write(chosen.value);
    };
  }
  if (field.presence === FeatureSet_FieldPresence.IMPLICIT) {
    return (members) => {
      const value = members[localName];
      if (isZero(value)) return;
      to.varint(tag);
      write(value);
    };
  }
  return (members) => {
    const value = members[localName];
    if (value === undefined) return;
    if (!Object.hasOwn(members, localName)) throw notPlain;
    to.varint(tag);
    write(value);
  };
}

function listWriter({ localName }: DescField, tag: number, write: WriteValue): WriteField {
  return (members) => {
    const list = members[localName];
    if (!Array.isArray(list)) throw notPlain;
    for (const item of list) {
      to.varint(tag);
      write(item);
    }
  };
}

interface ValueWriter {
  readonly wireType: WireType;
  readonly write: WriteValue;
  /** Whether a value is the one that is not written. */
  readonly isZero: (value: unknown) => boolean;
}

const unknownHere: ValueWriter = {
  wireType: WireType.Varint,
  isZero: () => false,
  write: () => {
    throw notPlain;
  },
};

function valueWriter(field: DescField): ValueWriter {
  const { message, enum: described, scalar, fieldKind } = field;
  const isOdd = fieldKind === "map" || ("delimitedEncoding" in field && field.delimitedEncoding);
  if (isOdd || ("packed" in field && field.packed)) return unknownHere; // The contract has none of these.
  if (described) return described.values[0]?.number === 0 ? int32 : unknownHere;
  if (!message) return scalars[scalar as ScalarType] ?? unknownHere;
  const isData = message.typeName === "google.protobuf.Struct";
  if (isData && field.parent.typeName === "google.protobuf.Value") return unknownHere;
  const body: WriteValue = isData ? (value) => writeData(to, value) : bodyOf(message);
  const write: WriteValue = (value) => {
    const start = to.open();
    body(value);
    to.close(start);
  };
  return { wireType: WireType.LengthDelimited, write, isZero: () => false };
}

const int32: ValueWriter = {
  wireType: WireType.Varint,
  isZero: (value) => value === 0,
  write: (value) => {
    if (typeof value !== "number" || (value | 0) !== value) throw notPlain;
    to.varint(value);
  },
};

const scalars: Partial<Record<ScalarType, ValueWriter>> = {
  [ScalarType.STRING]: {
    wireType: WireType.LengthDelimited,
    isZero: (value) => value === "",
    write: (value) => {
      if (typeof value !== "string") throw notPlain;
      to.text(value);
    },
  },
  [ScalarType.BYTES]: {
    wireType: WireType.LengthDelimited,
    isZero: (value) => value instanceof Uint8Array && value.length === 0,
    write: (value) => {
      if (!(value instanceof Uint8Array)) throw notPlain;
      to.bytes(value);
    },
  },
  [ScalarType.BOOL]: {
    wireType: WireType.Varint,
    isZero: (value) => value === false,
    write: (value) => {
      if (typeof value !== "boolean") throw notPlain;
      to.varint(value ? 1 : 0);
    },
  },
  [ScalarType.INT32]: int32,
  [ScalarType.INT64]: {
    wireType: WireType.Varint,
    isZero: (value) => value === 0n,
    write: (value) => {
      if (typeof value !== "bigint") throw notPlain;
      to.varint(Number(value));
    },
  },
  [ScalarType.DOUBLE]: {
    wireType: WireType.Bit64,
    isZero: (value) => Object.is(value, 0),
    write: (value) => {
      if (typeof value !== "number") throw notPlain;
      to.double(value);
    },
  },
};
