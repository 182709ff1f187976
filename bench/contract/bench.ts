import {
  ContractError,
  decodeBinary,
  decodeJson,
  defaultLimits,
  encodeBinary,
  encodeJson,
  TaskEnvelopeSchema,
  validate,
} from "@baton/contract";
import { bound, compare, printTable, reportBounds, time } from "../measure.ts";
import { typicalEnvelope } from "./envelope.ts";

const envelope = typicalEnvelope();
const firstValidationNs = time(() => validate(TaskEnvelopeSchema, envelope), 1);
const secondValidationNs = time(() => validate(TaskEnvelopeSchema, envelope), 1);

const bytes = encodeBinary(TaskEnvelopeSchema, envelope);
const text = encodeJson(TaskEnvelopeSchema, envelope);
const plain: unknown = JSON.parse(text);

const us = (ns: number) => (ns / 1000).toFixed(2);
const ms = (ns: number) => (ns / 1_000_000).toFixed(2);

console.log(
  `contract: an envelope of ${bytes.length} bytes, ${text.length} as JSON, beside the same content in plain JSON\n`,
);

const parse = () => JSON.parse(text) as unknown;
const stringify = () => JSON.stringify(plain);
const both = () => JSON.stringify(JSON.parse(text));

const comparisons = [
  ["encode", () => encodeBinary(TaskEnvelopeSchema, envelope), "stringify", stringify],
  ["decode", () => decodeBinary(TaskEnvelopeSchema, bytes), "parse", parse],
  [
    "encode + decode",
    () => decodeBinary(TaskEnvelopeSchema, encodeBinary(TaskEnvelopeSchema, envelope)),
    "parse + stringify",
    both,
  ],
  ["validate", () => validate(TaskEnvelopeSchema, envelope), "parse + stringify", both],
  ["encode JSON", () => encodeJson(TaskEnvelopeSchema, envelope), "stringify", stringify],
  ["decode JSON", () => decodeJson(TaskEnvelopeSchema, text), "parse", parse],
] as const;

printTable(
  comparisons.map(([work, run, floor, runFloor]) => {
    const { ns, floorNs, ratio } = compare(run, runFloor);
    if (work === "encode + decode") bound("encode + decode, times JSON", ratio, 3);
    return { work, "us per call": us(ns), floor, "floor us": us(floorNs), ratio: ratio.toFixed(2) };
  }),
);

console.log("\nvalidation compiles its rules once\n");
printTable([
  { call: "first", ms: ms(firstValidationNs) },
  { call: "second", ms: ms(secondValidationNs) },
]);

console.log("\nhostile input is refused at once\n");
const deep = `{"inputs": ${'{"a":'.repeat(100)}1${"}".repeat(101)}`;
const generous = { limits: { ...defaultLimits, maxDepth: 1000 } };
const hostile: readonly (readonly [string, () => unknown])[] = [
  ["truncated binary", () => decodeBinary(TaskEnvelopeSchema, bytes.subarray(0, bytes.length - 1))],
  ["64 MiB of zeros", () => decodeBinary(TaskEnvelopeSchema, zeros)],
  ["2 million empty references in 4 MiB", () => decodeBinary(TaskEnvelopeSchema, manyRefs)],
  ["1.3 million empty references as JSON", () => decodeJson(TaskEnvelopeSchema, manyRefsJson)],
  ["100 levels as JSON", () => decodeJson(TaskEnvelopeSchema, deep)],
  ["100 levels in binary", () => decodeBinary(TaskEnvelopeSchema, deepBytes)],
  ["4 MiB of text that is not JSON", () => decodeJson(TaskEnvelopeSchema, '"'.repeat(4 * 1024 * 1024))],
  ["4 MiB with an unknown field at its end", () => decodeJson(TaskEnvelopeSchema, lateFault)],
  ["4 MiB with a duplicate key at its end", () => decodeJson(TaskEnvelopeSchema, lateDuplicate)],
  ["a number of 4 million digits", () => decodeJson(TaskEnvelopeSchema, longNumber)],
  ["24,000 unknown keys", () => decodeJson(TaskEnvelopeSchema, manyKeys)],
  ["24,000 keys of data, then an unknown field", () => decodeJson(TaskEnvelopeSchema, dataThenFault)],
  ["12,000 references, the last one wrong", () => decodeJson(TaskEnvelopeSchema, refsThenFault)],
];
const zeros = new Uint8Array(64 * 1024 * 1024);
const manyRefs = new Uint8Array(4 * 1024 * 1024).map((_, at) => (at % 2 === 0 ? 0x2a : 0));
const manyRefsJson = `{"refs": [${"{},".repeat(1_300_000)}{}]}`;
const deepBytes = encodeBinary(TaskEnvelopeSchema, decodeJson(TaskEnvelopeSchema, deep, generous));
const padding = "x".repeat(4 * 1024 * 1024 - 100);
const lateFault = JSON.stringify({ contract: { title: padding }, extra: 1 });
const lateDuplicate = `{"contract": {"title": "${padding}", "title": "b"}}`;
const longNumber = `{"execution": {"budget": {"maxTokens": "${"2".repeat(4_000_000)}"}}}`;
const keys = Array.from({ length: 24_000 }, (_, key) => `"k${key}": 1`).join();
const manyKeys = `{${keys}}`;
const dataThenFault = `{"inputs": {${keys}}, "wish": 1}`;
const refsThenFault = `{"refs": [${'{"digest": "d"},'.repeat(12_000)}{"digest": 1}]}`;

printTable(
  hostile.map(([input, run]) => {
    global.gc?.();
    const before = process.memoryUsage().rss;
    let code = "accepted";
    const attempt = () => {
      try {
        run();
      } catch (error) {
        code = error instanceof ContractError ? error.code : String(error);
      }
    };
    const ns = time(attempt, 1); // The first call: an attacker does not wait until the code is warm.
    const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
    bound(`${input}: refused`, Number(!code.startsWith("BATON-CONTRACT-")), 0);
    bound(`${input}: ms`, ns / 1_000_000, 50);
    return { input, ms: ms(ns), "MiB more": grown.toFixed(1), answer: code };
  }),
);

bound("second validation, of the first", secondValidationNs / firstValidationNs, 0.2);
reportBounds();
