import {
  create,
  type DescField,
  type DescMessage,
  type DescOneof,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import fc from "fast-check";

/**
 * Any message of a type: every field may be there or not, every oneof has one arm or none. The values can be written
 * in both forms; whether they keep the rules of the contract is another question.
 */
export function anyMessage(schema: DescMessage): fc.Arbitrary<Message> {
  return anyInit(schema, 0).map((init) => create(schema, init as Record<string, unknown>));
}

const maxDepth = 4;

/** What `create` takes: fields by their local name. */
function anyInit(schema: DescMessage, depth: number): fc.Arbitrary<unknown> {
  const special = wellKnown[schema.typeName];
  if (special) return special();
  const members = schema.members.map((member) => [member.localName, anyMember(member, depth)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: [] });
}

function anyMember(member: DescField | DescOneof, depth: number): fc.Arbitrary<unknown> {
  if (member.kind === "field") return anyField(member, depth);
  const arms = member.fields.map((field) =>
    anyField(field, depth).map((value) =>
      value === undefined ? { case: undefined } : { case: field.localName, value },
    ),
  );
  return fc.oneof(...arms);
}

function anyField(field: DescField, depth: number): fc.Arbitrary<unknown> {
  const { fieldKind, message } = field;
  if (message && depth >= maxDepth) return fc.constant(fieldKind === "list" ? [] : undefined);
  return fieldKind === "list" ? fc.array(anyValue(field, depth), { maxLength: 2 }) : anyValue(field, depth);
}

function anyValue(field: DescField, depth: number): fc.Arbitrary<unknown> {
  if (field.message) return anyInit(field.message, depth + 1);
  if (field.enum) return fc.constantFrom(...field.enum.values.map(({ number }) => number));
  const scalar = scalars[field.scalar as ScalarType];
  if (!scalar) throw new Error(`${field} has a type that no field of the contract had before: add it here`);
  return scalar();
}

const scalars: Partial<Record<ScalarType, () => fc.Arbitrary<unknown>>> = {
  [ScalarType.STRING]: () => fc.string({ unit: "grapheme", maxLength: 12 }),
  [ScalarType.BOOL]: () => fc.boolean(),
  [ScalarType.INT32]: () => fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  [ScalarType.INT64]: () => fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  [ScalarType.DOUBLE]: () => fc.double({ noNaN: true }).map((value) => value + 0), // JSON has no minus zero.
  [ScalarType.BYTES]: () => fc.uint8Array({ maxLength: 40 }),
};

function withoutMinusZero(json: fc.JsonValue): fc.JsonValue {
  return JSON.parse(JSON.stringify(json));
}

const nanos = fc.integer({ min: 0, max: 999_999_999 });

const wellKnown: Record<string, () => fc.Arbitrary<unknown>> = {
  "google.protobuf.Timestamp": () =>
    fc.record({ seconds: fc.bigInt({ min: -62_135_596_800n, max: 253_402_300_799n }), nanos }),
  "google.protobuf.Duration": () =>
    fc.record({ seconds: fc.bigInt({ min: 0n, max: 315_575_999_999n }), nanos }),
  "google.protobuf.Struct": () =>
    fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }).map(withoutMinusZero), {
      maxKeys: 3,
    }),
};
