import { contractFiles, defaultLimits, encodeBinary, type Limits, TaskEnvelopeSchema } from "@baton/contract";
import { anyMessage } from "@baton/contract/testing";
import { create, type DescMessage, fromBinary, type JsonObject, type Message } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanWire } from "../codec/scan-wire.ts";
import { type FieldShape, type Shape, shapeOf } from "../codec/wire-shape.ts";
import { decodePlain } from "./decode-plain.ts";

/** 500 inside `npm test`; `npm run fuzz` takes 10,000 or `--runs`. */
const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);

const schemas = contractFiles.flatMap((file) => file.messages);
const anyEncoded = fc
  .constantFrom(...schemas)
  .chain((schema) => fc.tuple(fc.constant(schema), anyMessage(schema)))
  .map(([schema, message]) => [schema, encodeBinary(schema, message)] as const);

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...varint(Math.floor(value / 0x80))];
}

const ofTen = Array.from({ length: 10 }, (_, index) => (index < 9 ? 0xff : 0x01)); // As minus one travels.
const varints = [0, 1, 2, 127, 128, 2 ** 31 - 1, 2 ** 31, 2 ** 49 - 1, 2 ** 49].map(varint);
const texts = ["", "a", "name", "𝒳", "__proto__", "x".repeat(41), "é".repeat(30)];
const textBytes = [...texts.map((text) => [...Buffer.from(text)]), [0xff], [0xc3]];

/** Anything that a message of this shape may be on the wire, and now and then a little that it may not. */
function anyWire(shape: Shape, depth = 0): fc.Arbitrary<number[]> {
  const fields = [...shape.fields].filter(([, { message }]) => !message || depth < 5);
  if (fields.length === 0) return fc.constant([]);
  const occurrence = fc
    .constantFrom(...fields)
    .chain(([number, field]) => anyOccurrence(number, field, depth));
  const unknown = fc.constant([...varint(8 * 900), 1]);
  const anything = fc.oneof(
    { weight: 40, arbitrary: occurrence },
    { weight: 1, arbitrary: fc.oneof(unknown, fc.constantFrom([], [0x07], [0x80])) },
  );
  return fc.array(anything, { maxLength: 4 }).map((parts) => parts.flat());
}

function anyOccurrence(number: number, field: FieldShape, depth: number): fc.Arbitrary<number[]> {
  const isOdd = fc.integer({ min: 0, max: 40 }).map((draw) => draw === 0);
  return fc
    .tuple(anyContent(field, depth), isOdd, fc.nat(7))
    .map(([content, odd, wireType]) => [
      ...varint(8 * number + (odd ? wireType : field.wireType)),
      ...content,
    ]);
}

function anyContent({ message, wireType }: FieldShape, depth: number): fc.Arbitrary<number[]> {
  if (wireType === WireType.Varint) return fc.constantFrom(...varints, ofTen);
  if (wireType === WireType.Bit64)
    return fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => [...bytes]);
  const inside = message ? anyWire(message(), depth + 1) : fc.constantFrom(...textBytes);
  const deviation = fc.constantFrom(...new Array<number>(60).fill(0), -2, -1, 1, 2);
  return fc
    .tuple(inside, deviation)
    .map(([bytes, by]) => [...varint(Math.max(0, bytes.length + by)), ...bytes]);
}

const anyTraffic = fc.constantFrom(...schemas).chain((schema) =>
  fc.tuple(
    fc.constant(schema),
    anyWire(shapeOf(schema)).map((bytes) => Uint8Array.from(bytes)),
  ),
);

/** The long way: the scan, and protobuf-es. Undefined when either refuses the bytes. */
function reference(schema: DescMessage, bytes: Uint8Array, limits: Limits): Message | undefined {
  if (scanWire(schema, bytes, limits)) return undefined;
  try {
    return fromBinary(schema, bytes, { recursionLimit: 3 * limits.maxDepth });
  } catch {
    return undefined;
  }
}

/** It may leave bytes to the long way, but never read them as anything else. */
function agree(schema: DescMessage, bytes: Uint8Array, limits = defaultLimits): boolean {
  const plain = decodePlain(schema, bytes, limits);
  if (plain) expect(plain).toStrictEqual(reference(schema, bytes, limits));
  return plain !== undefined;
}

describe("a message that is read the short way", () => {
  it("[CON-09] is what it is on the long way", () => {
    fc.assert(
      fc.property(anyEncoded, ([schema, bytes]) => {
        agree(schema, bytes);
      }),
      { numRuns },
    );
  });

  it("[CON-09] is what it is on the long way, whatever comes twice, out of order or not at all", () => {
    let read = 0;
    let runs = 0;
    fc.assert(
      fc.property(anyTraffic, ([schema, bytes]) => {
        runs++;
        if (bytes.length > 0 && agree(schema, bytes)) read++;
      }),
      { numRuns: 5 * numRuns },
    );
    expect(read).toBeGreaterThan(runs / 10); // Else it would be of no use, and of no proof.
  });

  it("[CON-09] has the structured data that it has on the long way", () => {
    const anyInputs = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }), {
      maxKeys: 3,
    }) as fc.Arbitrary<JsonObject>;
    const anyJson = anyInputs.map((inputs) =>
      encodeBinary(TaskEnvelopeSchema, create(TaskEnvelopeSchema, { inputs })),
    );
    const anyData = anyWire(shapeOf(StructSchema)).map((bytes) =>
      Uint8Array.from([
        ...varint(8 * TaskEnvelopeSchema.field.inputs.number + WireType.LengthDelimited),
        ...varint(bytes.length),
        ...bytes,
      ]),
    );
    const few = fc.record({ maxDepth: fc.integer({ min: 1, max: 7 }), maxElements: fc.nat(20) });
    fc.assert(
      fc.property(fc.oneof(anyJson, anyData), few, (bytes, limits) => {
        agree(TaskEnvelopeSchema, bytes);
        agree(TaskEnvelopeSchema, bytes, { ...defaultLimits, ...limits });
      }),
      { numRuns: 2 * numRuns },
    );
  });

  it("[CON-03] is within the limits that hold on the long way", () => {
    const limits = fc.record({ maxDepth: fc.integer({ min: 1, max: 6 }), maxElements: fc.nat(12) });
    fc.assert(
      fc.property(fc.oneof(anyEncoded, anyTraffic), limits, ([schema, bytes], few) => {
        agree(schema, bytes, { ...defaultLimits, ...few });
      }),
      { numRuns: 2 * numRuns },
    );
  });

  it("[CON-03] is none that the long way refuses", () => {
    const damage = fc.array(
      fc.record({
        at: fc.nat(),
        byte: fc.nat(255),
        kind: fc.constantFrom("set", "cut", "drop", "insert", "twice"),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(anyEncoded, damage, ([schema, bytes], damages) => {
        const damaged = [...bytes];
        for (const { at, byte, kind } of damages) {
          const place = at % (damaged.length + 1);
          if (kind === "cut") damaged.length = place;
          else if (kind === "twice") damaged.push(...damaged.slice(place));
          else if (kind === "insert") damaged.splice(place, 0, byte);
          else damaged.splice(place, 1, ...(kind === "set" ? [byte] : []));
        }
        agree(schema, Uint8Array.from(damaged));
      }),
      { numRuns: 2 * numRuns },
    );
  });

  it("[CON-03] is none of random bytes that the long way refuses", () => {
    fc.assert(
      fc.property(fc.constantFrom(...schemas), fc.uint8Array({ maxLength: 60 }), (schema, bytes) => {
        agree(schema, bytes);
      }),
      { numRuns: 2 * numRuns },
    );
  });

  it("shares nothing with the one before", () => {
    for (const schema of schemas) {
      const [one, other] = [0, 1].map(() => decodePlain(schema, new Uint8Array(0), defaultLimits));
      for (const [name, value] of Object.entries(one ?? {}))
        if (typeof value === "object" && !(value instanceof Uint8Array))
          expect(value).not.toBe(Object.entries(other ?? {}).find(([key]) => key === name)?.[1]);
    }
  });
});
