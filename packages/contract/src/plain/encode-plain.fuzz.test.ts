import { contractFiles, EvidenceItemSchema, encodeBinary, TaskEnvelopeSchema } from "@baton/contract";
import { anyMessage } from "@baton/contract/testing";
import { create, type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodePlain } from "./encode-plain.ts";
import { anyOddValue, placesIn } from "./testing/odd-values.ts";

/** 500 inside `npm test`; `npm run fuzz` takes 10,000 or `--runs`. */
const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);

const schemas = contractFiles.flatMap((file) => file.messages);
const anySchemaAndMessage = fc
  .constantFrom(...schemas)
  .chain((schema) => fc.tuple(fc.constant(schema), anyMessage(schema)));

/** It may leave a message to the long way, but never write it in any other form. */
function agree(schema: DescMessage, message: Message): boolean {
  const plain = encodePlain(schema, message);
  if (plain) expect(plain).toEqual(reference(schema, message));
  return plain !== undefined;
}

function reference(schema: DescMessage, message: Message): Uint8Array | undefined {
  try {
    return toBinary(schema, message);
  } catch {
    return undefined;
  }
}

describe("a message that is written the short way", () => {
  it("[CON-09] is what it is on the long way", () => {
    let written = 0;
    let runs = 0;
    fc.assert(
      fc.property(anySchemaAndMessage, ([schema, message]) => {
        for (const { value, set } of placesIn(message)) {
          if (typeof value === "number" && value < 0) set(-value - 1); // Those take the long way.
          if (typeof value === "bigint")
            set(BigInt.asUintN(Number((value < 0n ? -value : value) % 60n), value));
        }
        runs++;
        if (agree(schema, message)) written++;
      }),
      { numRuns: 2 * numRuns },
    );
    expect(written).toBeGreaterThan(runs / 2); // Else it would be of no use, and of no proof.
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

  it.each([0, 1, 39, 40, 41, 42, 125, 126, 127, 128, 129, 16_381, 16_382, 16_383, 16_384, 32_768, 65_536])(
    "[CON-09] has texts and lists of a length of %i as on the long way",
    (length) => {
      for (const text of ["x", "é", "€", "𝒳"].map((unit) => unit.repeat(length))) {
        agree(EvidenceItemSchema, create(EvidenceItemSchema, { output: text }));
        const refs = [{ uriOrLocator: text }, { uriOrLocator: "x" }];
        agree(
          TaskEnvelopeSchema,
          create(TaskEnvelopeSchema, { refs, inputs: { [text]: [text, { a: text }] } }),
        );
      }
    },
  );

  it("[CON-09] has the length of what is larger than any of its texts as on the long way", () => {
    const acceptanceCriteria = [8_000, 8_000, 380, 1, 1, 1, 1].map((length) => "x".repeat(length));
    for (let count = 1; count <= acceptanceCriteria.length; count++) {
      const contract = { acceptanceCriteria: acceptanceCriteria.slice(0, count) };
      expect(agree(TaskEnvelopeSchema, create(TaskEnvelopeSchema, { contract }))).toBe(true);
    }
  });

  it("[CON-09] stays what it is while others are written", () => {
    const lengths = [0, 1, 40, 41, 200, 2_000, 4_000, 4_090, 4_100, 20_000];
    const messages = Array.from({ length: 300 }, (_, place) =>
      create(EvidenceItemSchema, {
        output: String.fromCharCode(97 + (place % 26)).repeat(lengths[place % lengths.length] ?? 0),
      }),
    );
    const written = messages.map((message) => encodeBinary(EvidenceItemSchema, message));
    for (const [place, message] of messages.entries()) {
      expect(written[place]).toEqual(toBinary(EvidenceItemSchema, message));
    }
  });

  it("[CON-11] keeps the fields of a newer version", () => {
    const newer = () => [{ no: 900, wireType: 0, data: Uint8Array.of(1) }];
    const inside = create(TaskEnvelopeSchema, { contract: { title: "a" } });
    if (inside.contract) inside.contract.$unknown = newer();
    const message = create(TaskEnvelopeSchema);
    message.$unknown = newer();
    for (const one of [inside, message])
      expect(encodeBinary(TaskEnvelopeSchema, one)).toEqual(toBinary(TaskEnvelopeSchema, one));
  });

  it("has nothing that it only inherits", () => {
    const message = Object.create(create(TaskEnvelopeSchema, { contract: { title: "a" } }));
    expect(encodeBinary(TaskEnvelopeSchema, message)).toEqual(toBinary(TaskEnvelopeSchema, message));
  });

  it("is written while another one is", () => {
    const inner = create(TaskEnvelopeSchema, { contract: { title: "inner" } });
    const message = create(TaskEnvelopeSchema, { contract: { title: "" } });
    Object.defineProperty(message.contract, "title", {
      get: () => String(encodeBinary(TaskEnvelopeSchema, inner).length),
    });
    expect(agree(TaskEnvelopeSchema, message)).toBe(true);
  });
});
