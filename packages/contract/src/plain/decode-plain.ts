import {
  type DescField,
  type DescMessage,
  type Message,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import type { Limits } from "../limits.ts";
import { isRemembered, remember } from "./as-it-came.ts";
import { blankOf, type Members } from "./blank.ts";
import { notPlain, PlainBytes } from "./plain-bytes.ts";
import { readData } from "./read-data.ts";
import { checkDepth, countElement, type Reading } from "./reading.ts";

/**
 * Reads a message as most of them are: of fields that are known here, each in its own wire type, none that is to be
 * merged with another, within all limits. Undefined when there is anything else about it.
 *
 * I1. What it gives is what protobuf-es gives for the same bytes, and `scanWire` finds no fault with them.
 * I2. Undefined says only that the long way has to be taken, which also has the words for what is wrong.
 */
export function decodePlain<Desc extends DescMessage>(
  schema: Desc,
  bytes: Uint8Array,
  limits: Limits,
): MessageShape<Desc> | undefined {
  try {
    const reading = { from: new PlainBytes(bytes), limits, elements: 0 };
    return readMessage(reading, planOf(schema), bytes.length, 1) as MessageShape<Desc>;
  } catch {
    return undefined; // It will be found again, by who can tell what it is.
  }
}

/** Reads one field, up to the end of its message at the most. */
type ReadField = (members: Members, reading: Reading, wireType: number, end: number, depth: number) => void;
/** Reads one value. */
type ReadValue = (reading: Reading, end: number, depth: number) => unknown;

/** How the messages of a type are read, worked out at the first one. */
interface Plan {
  readonly blank: () => Members;
  /** By the number of the field. */
  readonly fields: readonly (ReadField | undefined)[];
}

const plans = new WeakMap<DescMessage, Plan>();

function planOf(schema: DescMessage): Plan {
  let plan = plans.get(schema);
  if (!plan) {
    const fields: (ReadField | undefined)[] = [];
    plan = { blank: blankOf(schema), fields };
    plans.set(schema, plan); // Before its fields, because messages may contain themselves.
    for (const field of schema.fields) fields[field.number] = readerOf(field);
  }
  return plan;
}

/** Of two bytes. What has a larger one is none of the contract's. */
const largestTag = 0x3fff;

function readMessage(reading: Reading, { blank, fields }: Plan, end: number, depth: number): Members {
  checkDepth(reading, depth);
  const { from } = reading;
  const members = blank();
  while (from.at < end) {
    const tag = from.varint();
    const field = tag <= largestTag ? fields[tag >> 3] : undefined;
    if (field === undefined) throw notPlain;
    field(members, reading, tag & 7, end, depth);
  }
  if (from.at !== end) throw notPlain;
  return members;
}

function readerOf(field: DescField): ReadField | undefined {
  const { localName, oneof, fieldKind, message } = field;
  const value = valueReader(field);
  if (!value || fieldKind === "map") return undefined;
  const { read, wireType: expected } = value;
  if (fieldKind === "list") {
    return (members, reading, wireType, end, depth) => {
      if (wireType !== expected) throw notPlain; // Numbers that are packed, too.
      countElement(reading);
      (members[localName] as unknown[]).push(read(reading, end, depth));
    };
  }
  if (oneof) {
    const group = oneof.localName;
    return (members, reading, wireType, end, depth) => {
      const { case: arm } = members[group] as { case: unknown };
      if (wireType !== expected || arm !== undefined) throw notPlain;
      if (message) countElement(reading);
      members[group] = { case: localName, value: read(reading, end, depth) };
    };
  }
  if (message) {
    return (members, reading, wireType, end, depth) => {
      if (wireType !== expected || members[localName] !== undefined) throw notPlain;
      countElement(reading);
      members[localName] = read(reading, end, depth);
    };
  }
  return (members, reading, wireType, end, depth) => {
    if (wireType !== expected) throw notPlain;
    members[localName] = read(reading, end, depth);
  };
}

interface ValueReader {
  readonly wireType: WireType;
  readonly read: ReadValue;
}

/** Undefined for what the contract does not have, and protobuf-es gives in a form of its own. */
function valueReader(field: DescField): ValueReader | undefined {
  const { message, enum: described, scalar } = field;
  if (described) return described.open ? { wireType: WireType.Varint, read: readInt32 } : undefined;
  if (!message)
    return "longAsString" in field && field.longAsString ? undefined : scalars[scalar as ScalarType];
  if (hasOwnForm(message)) return undefined;
  if (message.typeName === "google.protobuf.Struct") {
    const read: ReadValue = (reading, end, depth) => readData(reading, reading.from.end(end), depth + 1);
    return { wireType: WireType.LengthDelimited, read };
  }
  const plan = planOf(message);
  const read: ReadValue = isRemembered(message)
    ? (reading, end, depth) => {
        const { from } = reading;
        const inner = from.end(end);
        const start = from.at;
        const members = readMessage(reading, plan, inner, depth + 1);
        remember(members as unknown as Message, from.between(start, inner));
        return members;
      }
    : (reading, end, depth) => readMessage(reading, plan, reading.from.end(end), depth + 1);
  return { wireType: WireType.LengthDelimited, read };
}

function hasOwnForm({ file, typeName }: DescMessage): boolean {
  return file.proto.package === "google.protobuf" && !plainlyRead.has(typeName);
}

const plainlyRead = new Set(["Timestamp", "Duration", "Struct"].map((name) => `google.protobuf.${name}`));

function readInt32({ from }: Reading): number {
  const value = from.varint();
  if (value > 0x7fffffff) throw notPlain;
  return value;
}

const scalars: Partial<Record<ScalarType, ValueReader>> = {
  [ScalarType.STRING]: {
    wireType: WireType.LengthDelimited,
    read: ({ from }, end) => from.text(from.end(end)),
  },
  [ScalarType.BYTES]: {
    wireType: WireType.LengthDelimited,
    read: ({ from }, end) => from.bytes(from.end(end)),
  },
  [ScalarType.BOOL]: { wireType: WireType.Varint, read: ({ from }) => from.varint() !== 0 },
  [ScalarType.INT32]: { wireType: WireType.Varint, read: readInt32 },
  [ScalarType.INT64]: { wireType: WireType.Varint, read: ({ from }) => BigInt(from.varint()) },
  [ScalarType.DOUBLE]: { wireType: WireType.Bit64, read: ({ from }) => from.double() },
};
