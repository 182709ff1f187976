import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readResponse } from "./read-response.ts";
import {
  allStatuses,
  fallbackResponse,
  NegotiatedResponseSchema,
  responseStatuses,
  type SacpResponse,
} from "./response.ts";

const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 200);
const fence = "```";
const json = JSON.stringify({ thought: "t", status: "success", data: { temp: 15 }, message: "m" });

/** What models write, in pieces that fit together often enough. */
const pieces = fc.constantFrom(
  ...[
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    ":",
    ",",
    "\\",
    "\n",
    " ",
    fence,
    `${fence}json\n`,
    "“",
    "”",
    "...",
    "//",
    "/*",
    "*/",
  ],
  ...[
    '"thought":',
    '"status":',
    '"data":',
    '"message":',
    '"success"',
    '"failure"',
    "status: success",
    "{}",
    "<think>",
  ],
  ...[
    "</think>",
    "word",
    "12",
    "True",
    "NaN",
    "\u200b",
    "\ud83d",
    '\\"',
    "&quot;",
    "{{",
    "}}",
    '"""',
    json,
    '{"a":',
    "(",
    ")",
  ],
);
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(pieces, { maxLength: 40 }).map((all) => all.join("")),
);

const anyResponse: fc.Arbitrary<SacpResponse> = fc
  .record(
    {
      thought: fc.string({ unit: "grapheme" }),
      status: fc.constantFrom(...responseStatuses),
      data: fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ maxDepth: 3 })),
      message: fc.string({ unit: "grapheme", minLength: 1 }),
      next_step_hint: fc.string({ minLength: 1 }),
    },
    { requiredKeys: ["thought", "status", "data", "message"] },
  )
  .map((response) => JSON.parse(JSON.stringify(response)) as SacpResponse);

/** The fields in any order. */
const anyWritten = fc
  .tuple(anyResponse, fc.constantFrom(undefined, 2), fc.nat())
  .map(([response, indent, seed]) => {
    const entries = Object.entries(response);
    const turned = entries.map((_, at) => entries[(at + seed) % entries.length] as (typeof entries)[number]);
    return { response, text: JSON.stringify(Object.fromEntries(turned), null, indent) };
  });

describe("whatever a model writes", () => {
  it("[SAC-03] gives a valid response", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { response, how, problems } = readResponse(text, { allow: allStatuses });
        expect(NegotiatedResponseSchema.safeParse(response).success).toBe(true);
        expect(JSON.stringify(response).isWellFormed()).toBe(true);
        if (how === "fallback") {
          expect(response).toEqual(fallbackResponse(text.toWellFormed()));
          expect(problems?.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 5 * numRuns },
    );
  });

  it("[SAC-03] gives the same response again when that is read", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { response } = readResponse(text);
        const again = readResponse(JSON.stringify(response));
        expect(JSON.stringify(again.response)).toBe(JSON.stringify(response));
      }),
      { numRuns },
    );
  });

  it("[SAC-03] gives no status that the text does not name", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { response, how } = readResponse(text);
        const letters = text.toLowerCase().replaceAll(/[^a-z]/g, "");
        if (how !== "fallback") expect(letters).toContain(response.status.replaceAll("_", ""));
      }),
      { numRuns: 5 * numRuns },
    );
  });

  it("[SAC-03] a response is read as it is, alone and among prose", () => {
    const prose = fc.string({ unit: fc.constantFrom(..."abc {}[]:,.\n#!?"), maxLength: 60 });
    fc.assert(
      fc.property(anyWritten, prose, prose, ({ response, text }, before, behind) => {
        expect(JSON.stringify(sorted(readResponse(text).response))).toBe(JSON.stringify(sorted(response)));
        expect(readResponse(text).how).toBe("clean");
        const reading = readResponse(`${before}\n${text}\n${behind}`);
        expect(JSON.stringify(sorted(reading.response))).toBe(JSON.stringify(sorted(response)));
        expect(reading.liberties.filter(({ kind }) => kind !== "number with too many digits")).toEqual([]);
      }),
      { numRuns },
    );
  });

  it("[SAC-04] a response that is cut off anywhere is whole or the fallback", () => {
    fc.assert(
      fc.property(anyWritten, fc.double({ min: 0, max: 1, noNaN: true }), ({ response, text }, share) => {
        const cut = text.slice(0, Math.floor(text.length * share));
        const reading = readResponse(cut);
        const { next_step_hint: _hint, ...needed } = response;
        const expected = reading.how === "fallback" ? fallbackResponse(cut.toWellFormed()) : needed;
        expect(JSON.parse(JSON.stringify(reading.response))).toMatchObject(
          JSON.parse(JSON.stringify(expected)),
        );
      }),
      { numRuns: 5 * numRuns },
    );
  });

  it("[SAC-03] one wrong character changes no status", () => {
    const wrong = fc.constantFrom("", '"', "'", "{", "}", "[", ",", ":", "\\", "\n", "x", "/", fence);
    fc.assert(
      fc.property(anyWritten, fc.nat(), wrong, ({ response, text }, position, character) => {
        const at = position % text.length;
        const { response: read, how } = readResponse(text.slice(0, at) + character + text.slice(at + 1));
        if (how !== "fallback") expect(read.status).toBe(response.status);
      }),
      { numRuns: 5 * numRuns },
    );
  });
});

function sorted(response: SacpResponse): SacpResponse {
  const { thought, status, data, message, next_step_hint } = response;
  return { thought, status, data, message, ...(next_step_hint && { next_step_hint }) };
}
