import { describe, expect, it } from "vitest";
import { readGuardrails } from "./guardrails.ts";

const read = (...rules: object[]) => readGuardrails({ guardrails: { rules } });
const problems = (...rules: object[]) => {
  const reading = read(...rules);
  return reading.ok ? [] : reading.problems.map(({ at, message }) => `${at} ${message}`);
};

describe("the file of guardrails", () => {
  it("[SAC-09] configures checks, the parts that they read, and the answers that they are for", () => {
    const reading = read(
      { name: "no-secrets", check: "secrets" },
      {
        name: "private",
        check: "personal_data",
        kinds: ["email", "iban"],
        parts: ["message"],
        packs: ["writer"],
      },
      { name: "words", check: "banned_phrases", phrases: ["Project Falcon"], stages: ["draft"] },
      { name: "short", check: "size", max_chars: 4_000, task_types: ["write"] },
      {
        name: "own",
        check: "command",
        run: ["node", "{config}/check.mjs"],
        timeout: "5s",
        templates: ["publish"],
      },
    );
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const { redactFailures, rules } = reading.guardrails;
    expect(redactFailures).toBe(true);
    expect(rules.map(({ check }) => check)).toEqual([
      { kind: "secrets" },
      { kind: "personal_data", kinds: ["email", "iban"] },
      { kind: "banned_phrases", phrases: ["Project Falcon"] },
      { kind: "size", maxChars: 4_000 },
      { kind: "command", run: ["node", "{config}/check.mjs"], timeoutMs: 5_000 },
    ]);
    expect(rules[0]?.parts).toEqual(["message", "thought", "data", "summary", "context"]);
    expect(rules[1]).toMatchObject({ parts: ["message"], scope: { packs: ["writer"] } });
    expect(rules[4]?.scope).toMatchObject({ templates: ["publish"] });
  });

  it("[SAC-09] refuses what would check nothing, with the position", () => {
    const at = "guardrails.rules[0]";
    const own = (more: object) => problems({ name: "a", ...more });
    expect(own({ check: "secret" })[0]).toContain(`${at}.check "secret" is not a check`);
    expect(own({ check: "banned_phrases" })[0]).toContain(`${at} says nothing of phrases`);
    expect(own({ check: "banned_phrases", phrases: ["  "] })[0]).toContain(`${at}.phrases[0]`);
    expect(own({ check: "size" })[0]).toContain("says nothing of max_chars");
    expect(own({ check: "command" })[0]).toContain("says nothing of run");
    expect(own({ check: "command", run: [""] })[0]).toContain("names no program");
    expect(own({ check: "command", run: ["x"], timeout: "1h" })[0]).toContain(
      `${at}.timeout must be at most 10m`,
    );
    expect(own({ check: "command", run: ["x"], parts: ["data"] })[0]).toContain(
      `${at}.parts is not for check: command`,
    );
    expect(own({ check: "secrets", kinds: ["email"] })[0]).toContain(`${at}.kinds is not for check: secrets`);
    expect(own({ check: "personal_data", kinds: ["shoe"] })[0]).toContain(
      `${at}.kinds[0] "shoe" is not a kind`,
    );
    expect(own({ check: "secrets", parts: [] })[0]).toContain("must have at least one item");
    expect(own({ check: "secrets", packs: [] })[0]).toContain(`${at}.packs must have at least one item`);
    expect(problems({ name: "a", check: "secrets" }, { name: "a", check: "secrets" })[0]).toContain(
      "guardrails.rules[1].name is the name of another guardrail",
    );
    expect(problems({ name: "redact_failures", check: "secrets" })).toEqual([]);
  });
});
