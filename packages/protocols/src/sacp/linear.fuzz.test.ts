import fc from "fast-check";
import { expect, it } from "vitest";
import { corpus } from "../../testing/sacp-corpus/index.ts";
import { findCandidates } from "./find-object.ts";
import { looksLikeAnswer, wasAnswer } from "./take-response.ts";

/** Looks at a character of the text, per character. One reading may be under way when the search gives up. */
const mostLooks = 24;

const looksPerCharacter = (text: string) =>
  findCandidates(text, { isAnswer: looksLikeAnswer, wasAnswer }).looks / (text.length + 100);

const hard = [
  ...[
    "{",
    '{"a":',
    '{"a":[',
    "{'",
    '{"a": "x" ',
    "{/*",
    '{"a":"\\u',
    '"',
    "{a:",
    '{"a": "x\n',
    '{"thought": "',
    "}{",
  ],
  ...[
    '{"a": "b", "c',
    "<think>",
    "</think>",
    '{"a": "',
    '"",',
    '{"""',
    "{“",
    "{{",
    '{"a": {"b": ',
    "\\",
    '{"a": "\\"',
  ],
  ...[
    '{"status": "success", ',
    '{"message": "\n{"thought": ',
    '{"a": "}',
    "{a: '",
    '{"a": (',
    "&quot;",
    "{//\n",
    "```json\n{",
  ],
];

it.each(hard)("[SAC-03] the work is proportional to the length: %j, repeated", (piece) => {
  for (const length of [1_000, 50_000])
    expect(looksPerCharacter(piece.repeat(length / piece.length))).toBeLessThan(mostLooks);
});

it("[SAC-03] the work is proportional to the length of answers and of what resembles them", () => {
  const known = fc.constantFrom(...corpus.map(({ text }) => text), ...hard);
  fc.assert(
    fc.property(
      fc.array(known, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 60 }),
      (texts, times) => {
        expect(looksPerCharacter(texts.join("\n").repeat(times))).toBeLessThan(mostLooks);
      },
    ),
    { numRuns: Number(process.env.BATON_FUZZ_RUNS ?? 200) },
  );
});
