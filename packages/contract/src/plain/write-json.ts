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
import { notPlain } from "./plain-bytes.ts";

/**
 * Writes a message as JSON, as most of them are: of fields that are known here, with values of their types. Undefined when
 * there is anything else about it. The text is put together at once, where the long way makes an object of every message
 * first.
 *
 * J1. What it gives is character for character what protobuf-es gives for the same message.
 * J2. Undefined says only that the long way has to be taken, which also has the words for what is wrong.
 */
export function writeJson(schema: DescMessage, message: Message): string | undefined {
  try {
    return bodyOf(schema)(message);
  } catch {
    return undefined; // It will be found again, by who can tell what it is.
  }
}

type Members = Readonly<Record<string, unknown>>;
/** What is written of a message so far, with one field more if it is there. */
type WriteField = (members: Members, before: string) => string;
type WriteValue = (value: unknown) => string;

const bodies = new WeakMap<DescMessage, WriteValue>();

function bodyOf(schema: DescMessage): WriteValue {
  let body = bodies.get(schema);
  if (!body) {
    const fields: WriteField[] = [];
    const { typeName } = schema;
    body = (value) => {
      if (!isMembers(value) || value.$typeName !== typeName || value.$unknown !== undefined) throw notPlain;
      let text = "";
      for (const field of fields) text = field(value, text);
      return text === "" ? "{}" : `${text}}`;
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
  const { localName, oneof, fieldKind } = field;
  const { write, isZero } = valueWriter(field);
  const name = JSON.stringify(field.jsonName);
  const add = (before: string, value: string) => `${before}${before === "" ? "{" : ","}${name}:${value}`;
  if (fieldKind === "list") {
    return (members, before) => {
      const list = members[localName];
      if (!Array.isArray(list)) throw notPlain;
      if (list.length === 0) return before;
      let items = "";
      for (const item of list) items += `${items === "" ? "[" : ","}${write(item)}`;
      return add(before, `${items}]`);
    };
  }
  if (oneof) {
    const group = oneof.localName;
    return (members, before) => {
      const chosen = members[group];
      if (!isMembers(chosen)) throw notPlain;
      return chosen.case === localName ? add(before, write(chosen.value)) : before;
    };
  }
  if (field.presence === FeatureSet_FieldPresence.IMPLICIT) {
    return (members, before) => {
      const value = members[localName];
      return isZero(value) ? before : add(before, write(value));
    };
  }
  return (members, before) => {
    const value = members[localName];
    if (value === undefined) return before;
    if (!Object.hasOwn(members, localName)) throw notPlain;
    return add(before, write(value));
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
  "google.protobuf.Timestamp": writeTimestamp,
  "google.protobuf.Duration": writeDuration,
};

function enumWriter({ values }: DescEnum): ValueWriter {
  const zero = values[0]?.number;
  const names = new Map<unknown, string>(
    values.map(({ number, jsonName }) => [number, JSON.stringify(jsonName)]),
  );
  const write = (value: unknown) => {
    const name = names.get(value);
    if (name === undefined) throw notPlain;
    return name;
  };
  return { write, isZero: (value) => value === zero };
}

const scalars: Partial<Record<ScalarType, ValueWriter>> = {
  [ScalarType.STRING]: {
    isZero: (value) => value === "",
    write: (value) => {
      if (typeof value !== "string") throw notPlain;
      return JSON.stringify(value);
    },
  },
  [ScalarType.BYTES]: {
    isZero: (value) => value instanceof Uint8Array && value.length === 0,
    write: (value) => {
      if (!(value instanceof Uint8Array)) throw notPlain;
      return `"${base64Encode(value)}"`;
    },
  },
  [ScalarType.BOOL]: {
    isZero: (value) => value === false,
    write: (value) => {
      if (typeof value !== "boolean") throw notPlain;
      return value ? "true" : "false";
    },
  },
  [ScalarType.INT32]: {
    isZero: (value) => value === 0,
    write: (value) => {
      if (typeof value !== "number" || (value | 0) !== value) throw notPlain;
      return String(value);
    },
  },
  [ScalarType.INT64]: {
    isZero: (value) => value === 0n,
    write: (value) => {
      if (typeof value !== "bigint") throw notPlain;
      return `"${value}"`;
    },
  },
  [ScalarType.DOUBLE]: {
    isZero: (value) => Object.is(value, 0),
    write: (value) => {
      if (typeof value !== "number" || !Number.isFinite(value)) throw notPlain;
      return String(value);
    },
  },
};
