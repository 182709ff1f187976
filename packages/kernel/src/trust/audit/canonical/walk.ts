/** A prepared walk over the fields of a type: every entry takes it. */
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { jsonContentName } from "../../redaction/json-text.ts";
import type { RedactionLocation, TextRedaction } from "../../redaction/redactor.ts";
import { fieldReader, type ReadFields } from "./read-fields.ts";

export interface Walk {
  /** Of the type. */
  readonly name: string;
  /** It holds only numbers and texts: once frozen, it cannot change. */
  readonly isFlat: boolean;
  readonly read: ReadFields;
  /** By ascending number, in reading order. A oneof is one step. */
  readonly steps: readonly Step[];
}

export interface Step {
  /** For a oneof: its fields by name, which hold the other properties. */
  readonly arms: ReadonlyMap<string, Step> | undefined;
  readonly repeated: boolean;
  /** The value that is not written; undefined for a field with presence, which is written when it is set. */
  readonly zero: unknown;
  readonly tag: number;
  readonly type: FieldType;
  /** Of a message. */
  readonly walk: Walk | undefined;
  /** Set where texts are redacted. */
  readonly redaction: TextRedaction | undefined;
  /**
   * The value that was written last, its era and its position. Entries have much in common: equal values are neither
   * redacted nor encoded again.
   */
  lastValue: unknown;
  lastEra: number;
  lastFrom: number;
  lastTo: number;
}

type FieldType = "message" | "string" | "bytes" | "bool" | "int32" | "int64";

export function prepareWalk(
  schema: DescMessage,
  position: RedactionLocation | undefined,
  omit?: string,
): Walk {
  const steps = new Map<string, Step>();
  let before: string | undefined;
  for (const field of schema.fields.toSorted((one, other) => one.number - other.number)) {
    const { localName, oneof, message } = field;
    if (localName === omit) continue;
    const jsonName = jsonContentName(field);
    const below = position?.enter(jsonName ?? field.name, message?.name);
    if (below?.masked && field.scalar !== ScalarType.STRING) continue;
    const property = oneof?.localName ?? localName;
    const step = prepareStep(field, below, jsonName === undefined ? below : below?.json);
    const known = steps.get(property);
    if (known && before !== property) throw refuse(field, "there are other fields within its oneof");
    steps.set(property, oneof ? { ...step, arms: new Map(known?.arms).set(localName, step) } : step);
    before = property;
  }
  return {
    name: schema.name,
    isFlat: schema.fields.every(isPlain),
    read: fieldReader(schema, [...steps.keys()]),
    steps: [...steps.values()],
  };
}

function prepareStep(
  field: DescField,
  position: RedactionLocation | undefined,
  redaction: TextRedaction | undefined,
): Step {
  const { fieldKind, message } = field;
  if (fieldKind === "map") throw refuse(field, "a map has no order");
  if (fieldKind === "list" && field.packed) throw refuse(field, "packed lists are not written here yet");
  const type = typeOf(field);
  const isDelimited = type === "message" || type === "string" || type === "bytes";
  return {
    arms: undefined,
    repeated: fieldKind === "list",
    zero: fieldKind === "list" || field.presence !== implicit ? undefined : zeros[type],
    tag: (field.number << 3) | (isDelimited ? WireType.LengthDelimited : WireType.Varint),
    type,
    walk: message && prepareWalk(message, position),
    redaction,
    lastValue: undefined,
    lastEra: 0,
    lastFrom: 0,
    lastTo: 0,
  };
}

function isPlain({ fieldKind, scalar }: DescField): boolean {
  return fieldKind === "enum" || (fieldKind === "scalar" && scalar !== ScalarType.BYTES);
}

const zeros: Readonly<Record<FieldType, unknown>> = {
  message: undefined,
  string: "",
  bytes: new Uint8Array(0),
  bool: false,
  int32: 0,
  int64: 0n,
};

/** google.protobuf.FeatureSet.FieldPresence.IMPLICIT */
const implicit = 2;

function typeOf(field: DescField): FieldType {
  if (field.message) return "message";
  const type = field.enum ? "int32" : field.scalar && scalars[field.scalar];
  if (!type) throw refuse(field, "its type is not written here yet");
  return type;
}

/** The scalar types of audit entries. Without floating point numbers, which JSON cannot represent in full. */
const scalars: Partial<Record<ScalarType, FieldType>> = {
  [ScalarType.STRING]: "string",
  [ScalarType.BYTES]: "bytes",
  [ScalarType.BOOL]: "bool",
  [ScalarType.INT32]: "int32",
  [ScalarType.INT64]: "int64",
};

function refuse(field: DescField, reason: string): RangeError {
  return new RangeError(`${field} has no canonical form: ${reason}`);
}
