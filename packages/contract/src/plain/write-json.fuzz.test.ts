import {
  AuditEntrySchema,
  contractFiles,
  contractRegistry,
  EvidenceItemSchema,
  encodeJson,
  TaskEnvelopeSchema,
} from "@baton/contract";
import { anyMessage } from "@baton/contract/testing";
import { create, type DescMessage, type Message, toJsonString } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonWriter } from "./json-writer.ts";
import { anyOddValue, placesIn } from "./testing/odd-values.ts";
import { writeJson } from "./write-json.ts";

/** 500 inside `npm test`; `npm run fuzz` takes 10,000 or `--runs`. */
const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);

const schemas = contractFiles.flatMap((file) => file.messages);
const anySchemaAndMessage = fc
  .constantFrom(...schemas)
  .chain((schema) => fc.tuple(fc.constant(schema), anyMessage(schema)));

/** It may leave a message to the long way, but never write it in any other form. */
function agree(schema: DescMessage, message: Message): boolean {
  const writer = new JsonWriter();
  const isPlain = writeJson(writer, schema, message);
  if (isPlain) expect(writer.since(0)).toBe(reference(schema, message));
  return isPlain;
}

function reference(schema: DescMessage, message: Message): string | undefined {
  try {
    return toJsonString(schema, message, { registry: contractRegistry });
  } catch {
    return undefined;
  }
}

describe("JSON that is written the short way", () => {
  it("[CON-09] is what it is on the long way", () => {
    let written = 0;
    let runs = 0;
    fc.assert(
      fc.property(anySchemaAndMessage, ([schema, message]) => {
        runs++;
        if (agree(schema, message)) written++;
      }),
      { numRuns: 2 * numRuns },
    );
    expect(written).toBeGreaterThan(runs / 3); // Else it would be of no use, and of no proof.
  });

  it("[CON-09] is what it is on the long way, or goes that way, whatever is wrong with it", () => {
    fc.assert(
      fc.property(anySchemaAndMessage, fc.nat(), anyOddValue, ([schema, message], place, value) => {
        const places = placesIn(message);
        places[place % places.length]?.set(value);
        agree(schema, message);
      }),
      { numRuns: 2 * numRuns },
    );
  });

  it("[CON-09] has every text as on the long way", () => {
    const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\ud800", '"\\\n\u2028', "€𝒳"));
    fc.assert(
      fc.property(anyText, (output) => {
        expect(agree(EvidenceItemSchema, create(EvidenceItemSchema, { output }))).toBe(true);
      }),
      { numRuns },
    );
  });

  it("[CON-09] has every time as on the long way", () => {
    const bounds = [-62_135_596_801n, -62_135_596_800n, -1n, 0n, 1n, 253_402_300_799n, 253_402_300_800n];
    const anySeconds = fc.oneof(
      fc.constantFrom(...bounds),
      fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
    );
    const anyNanos = fc.oneof(
      fc.constantFrom(-1, 0, 1, 1_000, 10_000, 1_000_000, 999_000_000, 999_999_999, 1_000_000_000),
      fc.nat({ max: 999_999_999 }),
    );
    let written = 0;
    fc.assert(
      fc.property(anySeconds, anyNanos, (seconds, nanos) => {
        const at = { seconds, nanos };
        if (agree(AuditEntrySchema, create(AuditEntrySchema, { timestamp: at }))) written++;
        agree(TaskEnvelopeSchema, create(TaskEnvelopeSchema, { execution: { timeout: at } }));
      }),
      { numRuns },
    );
    expect(written).toBeGreaterThan(numRuns / 10);
  });

  it("[CON-11] leaves out the fields of a newer version, as the long way does", () => {
    const message = create(TaskEnvelopeSchema, { contract: { title: "a" } });
    message.$unknown = [{ no: 900, wireType: 0, data: Uint8Array.of(1) }];
    expect(encodeJson(TaskEnvelopeSchema, message)).toBe(reference(TaskEnvelopeSchema, message));
  });

  it("has nothing that it only inherits", () => {
    const message = Object.create(create(TaskEnvelopeSchema, { contract: { title: "a" } }));
    expect(encodeJson(TaskEnvelopeSchema, message)).toBe(reference(TaskEnvelopeSchema, message));
  });
});
