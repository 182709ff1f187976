/**
 * Writes a message in its one canonical form: protobuf's binary form, with everything settled that protobuf leaves open.
 * The walk over the fields is prepared once per type, since every entry of a record goes through it.
 */
import { type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { scalarZeroValue } from "@bufbuild/protobuf/reflect";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { RedactionPlace } from "../redaction/redactor.ts";

/** Thrown for a message with a field that is unknown here. It names the type and the number, as in `AuditEntry.26`. */
export class UnknownField extends RangeError {
  override readonly name = "UnknownField";
  readonly field: string;

  constructor(field: string) {
    super(`field ${field} is unknown here, so there is no canonical form`);
    this.field = field;
  }
}

type Fields = Record<string, unknown> & { $unknown?: { no: number }[] };
type WriteFields = (writer: BinaryWriter, message: Fields) => void;
type WriteValue = (writer: BinaryWriter, value: never) => unknown;

/**
 * `omit` is the field that holds what is made of these bytes: the hash or the signature. With a `place` to redact for, what
 * the policy masks there does not get into the bytes.
 */
export function canonicalWriter<Desc extends DescMessage>(
  schema: Desc,
  prefix: Uint8Array,
  omit: Desc["field"] extends Record<infer Name, unknown> ? Name : never,
  place?: RedactionPlace,
): (message: MessageShape<Desc>) => Uint8Array {
  const write = compileMessage(
    schema,
    place,
    schema.fields.filter((field) => field.localName !== omit),
  );
  const writer = new BinaryWriter(); // Used again: growing a buffer for every entry would double the time.
  return (message) => {
    try {
      write(writer.raw(prefix), message as unknown as Fields);
    } catch (error) {
      writer.finish(); // Drops what was written so far.
      throw error;
    }
    return writer.finish();
  };
}

function compileMessage(
  schema: DescMessage,
  place: RedactionPlace | undefined,
  fields: readonly DescField[] = schema.fields,
): WriteFields {
  const writes = fields
    .toSorted((one, other) => one.number - other.number)
    .map((field) => compileField(field, place?.enter(field.name, field.message?.name)));
  return (writer, message) => {
    const unknown = message.$unknown?.[0];
    if (unknown) throw new UnknownField(`${schema.name}.${unknown.no}`);
    for (const write of writes) write(writer, message);
  };
}

/** A field with presence is written when it is set, others when they are not zero. */
function compileField(field: DescField, place: RedactionPlace | undefined): WriteFields {
  const { localName, oneof, number, fieldKind } = field;
  if (place?.masked && field.scalar !== ScalarType.STRING) return () => {};
  const write = compileValue(field, place) as (writer: BinaryWriter, value: unknown) => void;
  const wireType = field.message || isDelimited(field.scalar) ? WireType.LengthDelimited : WireType.Varint;
  const put = (writer: BinaryWriter, value: unknown) => write(writer.tag(number, wireType), value);
  if (fieldKind === "list") {
    if (field.packed) throw refuse(field, "packed lists are not written here yet");
    return (writer, message) => {
      for (const item of message[localName] as unknown[]) put(writer, item);
    };
  }
  if (oneof) {
    return (writer, message) => {
      const arm = message[oneof.localName] as { case?: string; value?: unknown };
      if (arm.case === localName) put(writer, arm.value);
    };
  }
  if (field.presence !== implicit) {
    return (writer, message) => {
      const value = message[localName];
      if (value !== undefined) put(writer, value);
    };
  }
  const zero = field.scalar === undefined ? 0 : scalarZeroValue(field.scalar, false);
  if (zero instanceof Uint8Array) {
    return (writer, message) => {
      if ((message[localName] as Uint8Array).length > 0) put(writer, message[localName]);
    };
  }
  return (writer, message) => {
    const value = message[localName];
    if (value !== zero) put(writer, value);
  };
}

/** google.protobuf.FeatureSet.FieldPresence.IMPLICIT */
const implicit = 2;

function isDelimited(scalar: ScalarType | undefined): boolean {
  return scalar === ScalarType.STRING || scalar === ScalarType.BYTES;
}

function compileValue(field: DescField, place: RedactionPlace | undefined): WriteValue {
  if (field.fieldKind === "map") throw refuse(field, "a map has no order");
  if (place && field.scalar === ScalarType.STRING) {
    return (writer, value: string) => writer.string(place.redact(value));
  }
  if (field.message) {
    const write = compileMessage(field.message, place);
    return (writer, message: Fields) => {
      write(writer.fork(), message);
      writer.join();
    };
  }
  const write = field.enum ? scalars[ScalarType.INT32] : scalars[field.scalar as ScalarType];
  if (!write) throw refuse(field, "its type is not written here yet");
  return write;
}

function refuse(field: DescField, reason: string): RangeError {
  return new RangeError(`${field} has no canonical form: ${reason}`);
}

/** The types that audit uses. Floating point numbers are left out: JSON knows neither all of them nor minus zero. */
const scalars: Partial<Record<ScalarType, WriteValue>> = {
  [ScalarType.STRING]: (writer, value: string) => writer.string(value),
  [ScalarType.BYTES]: (writer, value: Uint8Array) => writer.bytes(value),
  [ScalarType.BOOL]: (writer, value: boolean) => writer.bool(value),
  [ScalarType.INT32]: (writer, value: number) => writer.int32(value),
  [ScalarType.INT64]: (writer, value: bigint) => writer.int64(value),
};
