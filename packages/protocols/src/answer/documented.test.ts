import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { answerInstructions } from "./instructions.ts";

const page = readFileSync(new URL("../../../../docs/reference/command-agents.md", import.meta.url), "utf8");

it("[TRN-03] every status and field of the instructions is on the page that explains them", () => {
  const names = new Set(
    [...answerInstructions.matchAll(/"([a-z_]+)"(?=[:;]| \(| is| holds|,)/g)].map(([, name]) => name),
  );
  expect(names.size).toBeGreaterThan(12);
  expect([...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
});
