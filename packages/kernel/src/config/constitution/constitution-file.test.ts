import { describe, expect, it } from "vitest";
import { readConstitution } from "./constitution-file.ts";

const problems = (body: object) => {
  const reading = readConstitution({ constitution: { version: "1", ...body } }, "d");
  return reading.ok ? [] : reading.problems.map(({ at, message }) => `${at} ${message}`);
};
const withCheck = (check: object) =>
  problems({ principles: [{ key: "a", checks: [{ name: "c", ...check }] }] });
const at = "constitution.principles[0].checks[0]";

describe("a constitution", () => {
  it("[SAP-04] reads every kind of check, and what it is about", () => {
    const checks = [
      { name: "rule", cel: "task.capability != ''" },
      { name: "answer", cel: "size(output.message) < 100 && meta.level == 'instant'" },
      { name: "schema", schema: { type: "object" }, on: "task" },
      { name: "secrets", detect: "secrets" },
      { name: "cites", detect: "citations", sources: ["ubos://"] },
      { name: "own", run: ["node", "{config}/check.mjs"], timeout: "5s" },
      { name: "asks", consult: true },
    ];
    const reading = readConstitution(
      { constitution: { version: "1", principles: [{ key: "a", checks }] } },
      "d",
    );
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    expect(
      reading.constitution.principles[0]?.checks.map(({ name, on, rule }) => [name, on, rule.kind]),
    ).toEqual([
      ["rule", "task", "cel"],
      ["answer", "output", "cel"],
      ["schema", "task", "schema"],
      ["secrets", "both", "secrets"],
      ["cites", "output", "citations"],
      ["own", "output", "command"],
      ["asks", "output", "consultation"],
    ]);
  });

  it.each([
    [{}, `${at} says nothing to check`],
    [{ cel: "true", detect: "secrets" }, `${at} says more than one: cel, detect`],
    [{ cel: "response.status == 'x'" }, `${at}.cel unknown name "response" (line 1, column 1 of the rule)`],
    [{ cel: "size(" }, `${at}.cel`],
    [{ cel: "task.title" }, ""],
    [{ cel: "output.message == ''", on: "task" }, `${at}.on is not for a rule that reads the output`],
    [{ detect: "banned_phrases" }, `${at} says nothing of phrases`],
    [{ detect: "secrets", kinds: ["email"] }, `${at}.kinds is not for secrets`],
    [{ schema: { type: "nothing" } }, `${at}.schema .type`],
    [{ schema: {}, on: "both" }, `${at}.on is one of both for a schema`],
    [{ run: [""] }, `${at}.run names no program`],
    [{ run: ["x"], timeout: "1h" }, `${at}.timeout must be at most 10m`],
    [{ detect: "guess" }, `${at}.detect`],
  ])("[SAP-04] refuses a check that cannot be meant, with its place: %j", (check, problem) => {
    const found = withCheck(check);
    if (problem === "") expect(found).toEqual([]);
    else expect(found).toContainEqual(expect.stringContaining(problem));
  });

  it.each([
    [{ principles: [{ key: "a" }, { key: "a" }] }, "constitution.principles[1].key is used twice"],
    [
      { principles: [{ key: "a", thresholds: { consulted: 60, deliberated: 50 } }] },
      "constitution.principles[0].thresholds.deliberated is lower than consulted",
    ],
    [
      { constraints: [{ name: "a", patterns: ["(?<=x)y"] }] },
      "constitution.constraints[0].patterns[0] is no pattern",
    ],
    [{ consultation: { quorum: ["a", "a"] } }, "constitution.consultation.quorum[1] votes twice"],
    [
      { consultation: { quorum: Array.from({ length: 10 }, (_, index) => `p${index}`) } },
      "must have 9 items",
    ],
    [
      { principles: Array.from({ length: 101 }, (_, index) => ({ key: `p${index}` })) },
      "must have 100 items",
    ],
    [{ principals: [] }, "constitution.principals is not known here"],
  ])("[SAP-04] refuses what contradicts itself or is too much: %#", (body, problem) => {
    expect(problems(body)).toContainEqual(expect.stringContaining(problem));
  });
});
