/** The walk over the fields of a type, prepared once, since every entry of a record goes through it. */
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import type { RedactionPlace, TextWay } from "../redaction/redactor.ts";
import { fieldReader, type ReadFields } from "./read-fields.ts";

export interface Walk {
  /** Of the type. */
  readonly name: string;
  /** It holds nothing but numbers and texts: once frozen, it stays what it is. */
  readonly isFlat: boolean;
  readonly read: ReadFields;
  /** By ascending number, in the order of what is read. A oneof is one step. */
  readonly steps: readonly Step[];
}

export interface Step {
  /** Of a oneof: its fields by name. The rest is then theirs. */
  readonly arms: ReadonlyMap<string, Step> | undefined;
  readonly repeated: boolean;
  /** The value that is not written; undefined for a field with presence, which is written when it is set. */
  readonly zero: unknown;
  readonly tag: number;
  readonly type: FieldType;
  /** Of a message. */
  readonly walk: Walk | undefined;
  /** How a text leaves, where it is redacted. */
  readonly way: TextWay | undefined;
  /**
   * The value that was written last, in which era of the writer, and from where to where it stands. Entries have much in
   * common, and what is the same is neither redacted nor encoded a second time.
   */
  lastValue: unknown;
  lastEra: number;
  lastFrom: number;
  lastTo: number;
}

export type FieldType = "message" | "string" | "bytes" | "bool" | "int32" | "int64";

export function prepareWalk(schema: DescMessage, place: RedactionPlace | undefined, omit?: string): Walk {
  const steps = new Map<string, Step>();
  let before: string | undefined;
  for (const field of schema.fields.toSorted((one, other) => one.number - other.number)) {
    const { localName, oneof, message } = field;
    if (localName === omit) continue;
    const below = place?.enter(field.name, message?.name);
    if (below?.masked && field.scalar !== ScalarType.STRING) continue;
    const property = oneof?.localName ?? localName;
    const step = prepareStep(field, below);
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

function prepareStep(field: DescField, place: RedactionPlace | undefined): Step {
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
    walk: message && prepareWalk(message, place),
    way: place,
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

/** The types that audit uses. Floating point numbers are left out: JSON knows neither all of them nor minus zero. */
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
