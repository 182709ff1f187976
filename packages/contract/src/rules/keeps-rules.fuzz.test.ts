import {
  AttachAgentRequestSchema,
  contractFiles,
  RunAgentRequestSchema,
  TaskEnvelopeSchema,
  validate,
} from "@baton/contract";
import { anyMessage } from "@baton/contract/testing";
import {
  create,
  type DescField,
  type DescMessage,
  type DescOneof,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { pathToString } from "@bufbuild/protobuf/reflect";
import { createValidator } from "@bufbuild/protovalidate";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepsRules } from "./keeps-rules.ts";

/** 500 inside `npm test`; `npm run fuzz` takes 10,000 or `--runs`. */
const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);

const schemas = contractFiles.flatMap((file) => file.messages);
const protovalidate = createValidator();

/** What protovalidate says, in the words of this package but for three texts. */
function reference(schema: DescMessage, message: Message): string[] {
  const { kind, error, violations = [] } = protovalidate.validate(schema, message);
  if (kind === "error") throw error;
  return violations.map(({ field, ruleId }) => `${pathToString(field)} ${ruleId}`);
}

function violationsOf(schema: DescMessage, message: Message): string[] {
  return validate(schema, message).map(({ field, rule }) => `${field} ${rule}`);
}

const texts = [
  "",
  "a",
  "𝒳",
  "ab",
  "\ud800",
  "6c1ee3a8-6c3a-4c38-9d5c-2a54a9d0c7f1",
  "x".repeat(31),
  "x".repeat(71),
];
const bounds = [128, 256, 1024, 4096, 16_384, 32_768, 65_536];
const longTexts = [
  ...bounds.flatMap((most) => ["x".repeat(most), "x".repeat(most + 1)]),
  ...[256, 257, 4096, 4097].map((length) => "𝒳".repeat(length)),
];

/** Values on both sides of the bounds that rules have. */
const values: Partial<Record<ScalarType, readonly unknown[]>> = {
  [ScalarType.STRING]: [...texts, ...longTexts],
  [ScalarType.BOOL]: [false, true],
  [ScalarType.INT32]: [-1, 0, 1, 2, 10, 11, 99, 100, 101, 1000, 2 ** 31 - 1],
  [ScalarType.INT64]: [-1n, 0n, 1n, 2n ** 63n - 1n],
  [ScalarType.DOUBLE]: [-0.1, 0, 0.5, 1, 1.1, Number.NaN, Number.POSITIVE_INFINITY],
  [ScalarType.BYTES]: [0, 1, 31, 32, 33].map((length) => new Uint8Array(length)),
};

const durations = [
  { seconds: -1n, nanos: 0 },
  { seconds: 0n, nanos: -1 },
  { seconds: 0n, nanos: 0 },
  { seconds: 0n, nanos: 1 },
  { seconds: 60n, nanos: 0 },
];
const times = [0n, 1n].flatMap((seconds) => [0, 1].map((nanos) => ({ seconds, nanos })));

/** Whether protovalidate says nothing about the field itself when it has this value. */
function isGood({ parent, localName, name, oneof, fieldKind }: DescField, value: unknown): boolean {
  const only = fieldKind === "list" ? [value] : value;
  const init = oneof ? { [oneof.localName]: { case: localName, value } } : { [localName]: only };
  const place = fieldKind === "list" ? `${name}[0] ` : `${name} `;
  return !reference(parent, create(parent, init)).some((broken) => broken.startsWith(place));
}

/**
 * Messages that keep most of their rules: values are drawn from those that protovalidate accepts in their field, and
 * now and then from the others. What `anyMessage` makes of the larger types breaks some rule nearly always.
 */
function nearlyValid(schema: DescMessage): fc.Arbitrary<Message> {
  return inits(schema, 0).map((init) => create(schema, init as Record<string, unknown>));
}

const made = new Map<string, fc.Arbitrary<unknown>>();

function inits(schema: DescMessage, depth: number): fc.Arbitrary<unknown> {
  const key = `${schema.typeName} ${depth}`;
  let found = made.get(key);
  if (!found) {
    const members = schema.members.map((member) => [member.localName, anyMember(member, depth)] as const);
    found = fc.record(Object.fromEntries(members));
    made.set(key, found);
  }
  return found;
}

function anyMember(member: DescField | DescOneof, depth: number): fc.Arbitrary<unknown> {
  if (member.kind === "field") return sometimes(undefined, anyField(member, depth));
  const arms = member.fields.map((field) =>
    anyValue(field, depth).map((value) => (value === undefined ? {} : { case: field.localName, value })),
  );
  return sometimes({}, fc.oneof(...arms));
}

function sometimes<T>(value: T, else_: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 1, arbitrary: fc.constant(value) }, { weight: 12, arbitrary: else_ });
}

function anyField(field: DescField, depth: number): fc.Arbitrary<unknown> {
  if (field.fieldKind !== "list") return anyValue(field, depth);
  if (field.message && depth > 3) return fc.constant([]);
  return fc.array(anyValue(field, depth), { maxLength: 2 });
}

function anyValue(field: DescField, depth: number): fc.Arbitrary<unknown> {
  const { message } = field;
  if (message?.typeName === "google.protobuf.Struct") return fc.constantFrom({}, { a: [1, { b: null }] });
  if (message?.typeName === "google.protobuf.Timestamp") return fc.constantFrom(...times);
  if (message?.typeName === "google.protobuf.Duration") return drawn(field, durations);
  if (message) return depth > 3 ? fc.constant(undefined) : inits(message, depth + 1);
  if (field.enum) return drawn(field, [...field.enum.values.map(({ number }) => number), 4711]);
  const pool = values[field.scalar as ScalarType];
  if (!pool) throw new Error(`${field} has a type that no field of the contract had before: add it here`);
  return drawn(field, pool);
}

function drawn(field: DescField, pool: readonly unknown[]): fc.Arbitrary<unknown> {
  const good = pool.filter((value) => isGood(field, value));
  const bad = pool.filter((value) => !good.includes(value));
  if (bad.length === 0) return fc.constantFrom(...good);
  return fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...bad) },
  );
}

/** A message that keeps its rules; few of the largest types do, so it is looked for until one is found. */
function valid(schema: DescMessage): Message {
  for (let round = 0; round < 200; round++) {
    const found = fc
      .sample(nearlyValid(schema), 100)
      .find((message) => reference(schema, message).length === 0);
    if (found) return found;
  }
  throw new Error(`none of 20,000 messages of type ${schema.typeName} keeps its rules`);
}

describe("rules that are prepared", () => {
  it.each(schemas.map((schema) => [schema.name, schema] as const))(
    "[CON-03] are kept by a %s when protovalidate finds nothing, and only then",
    (_, schema) => {
      fc.assert(
        fc.property(fc.oneof(nearlyValid(schema), anyMessage(schema)), (message) => {
          const expected = reference(schema, message);
          expect(keepsRules(schema, message)).toBe(expected.length === 0);
          expect(violationsOf(schema, message)).toEqual(expected);
        }),
        { numRuns: Math.ceil(numRuns / 20) },
      );
    },
  );

  it("[CON-03] are kept by some message of every type", () => {
    const refused = schemas.filter((schema) => !keepsRules(schema, valid(schema)));
    expect(refused.map(({ name }) => name)).toEqual([]);
  });

  it("[CON-03] are those of every arm of a message that names its dispatch", () => {
    const [arms] = AttachAgentRequestSchema.oneofs;
    for (const { localName, message: schema } of arms?.fields ?? []) {
      if (!schema) throw new Error(`${localName} is no message`);
      const value = valid(schema);
      const messages = ["", "d-1"].map((dispatchId) =>
        create(AttachAgentRequestSchema, {
          ...{ sequence: 1n, dispatchId },
          ...({ message: { case: localName, value } } as object),
        }),
      );
      expect(messages.map((message) => keepsRules(AttachAgentRequestSchema, message))).toEqual(
        messages.map((message) => reference(AttachAgentRequestSchema, message).length === 0),
      );
    }
  });

  it("[CON-03] are not kept by what a message only inherits", () => {
    const envelope = valid(TaskEnvelopeSchema);
    const request = create(RunAgentRequestSchema, { envelope } as object);
    expect(violationsOf(RunAgentRequestSchema, request)).toEqual([]);
    expect(violationsOf(RunAgentRequestSchema, Object.create(request))).toEqual(["envelope required"]);
  });
});
