import { describe, expect, it } from "vitest";
import { corpus } from "../../testing/sacp-corpus/index.ts";
import { readResponse } from "./read-response.ts";
import { fallbackResponse } from "./response.ts";

describe.each([...Map.groupBy(corpus, ({ category }) => category)])("answers: %s", (_category, cases) => {
  it.each(cases.map((one) => [one.name, one] as const))(
    "[SAC-03] %s",
    (_name, { text, expected, options }) => {
      const { response, how, problems } = readResponse(text, options);
      expect(response).toEqual(expected ?? fallbackResponse(text.toWellFormed()));
      expect(how === "fallback").toBe(expected === undefined);
      if (how === "fallback") expect(problems).not.toEqual([]);
    },
  );
});

it("[SAC-03] the corpus has at least 150 different answers", () => {
  expect(new Set(corpus.map(({ text }) => text)).size).toBeGreaterThanOrEqual(150);
  expect(new Set(corpus.map(({ category, name }) => `${category}: ${name}`)).size).toBe(corpus.length);
});
