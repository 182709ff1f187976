import {
  ContractError,
  contractFiles,
  decodeBinary,
  decodeJson,
  encodeBinary,
  encodeJson,
  validate,
} from "@baton/contract";
import { anyMessage } from "@baton/contract/testing";
import type { DescMessage, Message } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, it } from "vitest";

/** 500 inside `npm test`; `npm run fuzz` takes 10,000 or `--runs`. */
const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);

const schemas = contractFiles.flatMap((file) => file.messages);
const anySchema = fc.constantFrom(...schemas);

/**
 * Whatever comes in, there are two outcomes: a typed error, or a message that can be checked and written again. What
 * is valid can also be written in the other form.
 */
function takenOrRefused(schema: DescMessage, decode: () => Message): boolean {
  let message: Message;
  try {
    message = decode();
  } catch (error) {
    if (error instanceof ContractError && error.code.startsWith("BATON-CONTRACT-")) return true;
    throw error;
  }
  const bytes = encodeBinary(schema, message);
  const again = encodeBinary(schema, decodeBinary(schema, bytes));
  if (Buffer.compare(bytes, again) !== 0) throw new Error("it does not come back as it was");
  if (validate(schema, message).length === 0) decodeJson(schema, encodeJson(schema, message));
  return true;
}

describe("decoders under fuzz", () => {
  it("[CON-03] take or refuse random bytes", () => {
    fc.assert(
      fc.property(anySchema, fc.uint8Array({ maxLength: 200 }), (schema, bytes) =>
        takenOrRefused(schema, () => decodeBinary(schema, bytes)),
      ),
      { numRuns },
    );
  });

  it("[CON-03] take or refuse messages whose bytes were damaged", () => {
    const damage = fc.array(
      fc.record({ at: fc.nat(), byte: fc.nat(255), kind: fc.constantFrom("set", "cut", "drop", "insert") }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(
        anySchema.chain((schema) => fc.tuple(fc.constant(schema), anyMessage(schema))),
        damage,
        ([schema, message], damages) => {
          const bytes = damages.reduce(
            (old, { at, byte, kind }) => {
              const place = at % (old.length + 1);
              const [before, after] = [old.slice(0, place), old.slice(place)];
              if (kind === "cut") return before;
              if (kind === "insert") return [...before, byte, ...after];
              return [...before, ...(kind === "set" ? [byte] : []), ...after.slice(1)];
            },
            [...encodeBinary(schema, message)],
          );
          return takenOrRefused(schema, () => decodeBinary(schema, Uint8Array.from(bytes)));
        },
      ),
      { numRuns },
    );
  });

  it("[CON-03] take or refuse any JSON", () => {
    const names = [...new Set(schemas.flatMap(({ fields }) => fields.map(({ jsonName }) => jsonName)))];
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom(
          "2026-01-01T00:00:00Z",
          "1.5s",
          "-1s",
          1e300,
          "9223372036854775807",
          "AAAA",
          "__proto__",
        ),
        fc.array(tie("node"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie("node"), { maxKeys: 6 }),
      ),
    })).node;
    fc.assert(
      fc.property(anySchema, value, fc.constantFrom("refuse", "ignore"), (schema, json, unknownFields) =>
        takenOrRefused(schema, () => decodeJson(schema, JSON.stringify(json), { unknownFields })),
      ),
      { numRuns },
    );
  });

  it("[CON-03] take or refuse text that is hardly JSON", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "\\",
      "taskId",
      "null",
      "1e999",
      "-0",
      "\u0000",
      "\ud800",
    );
    fc.assert(
      fc.property(anySchema, fc.array(pieces, { maxLength: 40 }), (schema, parts) =>
        takenOrRefused(schema, () => decodeJson(schema, parts.join(""))),
      ),
      { numRuns },
    );
  });

  it("[CON-09] give back every message in both forms", () => {
    fc.assert(
      fc.property(
        anySchema.chain((schema) => fc.tuple(fc.constant(schema), anyMessage(schema))),
        ([schema, message]) => {
          const viaBinary = decodeBinary(schema, encodeBinary(schema, message));
          const viaJson = decodeJson(schema, encodeJson(schema, message));
          return Buffer.compare(encodeBinary(schema, viaBinary), encodeBinary(schema, viaJson)) === 0;
        },
      ),
      { numRuns },
    );
  });
});
