import { describe, expect, it } from "vitest";
import { redactionRules } from "./policy.ts";
import { scrambled, secretExamples } from "./testing/examples.ts";
import { redactorOf } from "./testing/redactor.ts";

const token = `gh${"p_"}${scrambled(36)}`;

/** What a field with this rule becomes. */
function apply(rule: string, text: string): unknown {
  const redactor = redactorOf({ policy: { alwaysRedact: [], conditionalRedact: [{ field: "text", rule }] } });
  return (redactor.redactValue({ text }).value as { text: unknown }).text;
}

describe("the rules of A §5.3", () => {
  it.each([
    ["first", `${token}\nb`, "[redacted:line]\nb"],
    ["last", `a\nuse ${token}`, "a\n[redacted:line]"],
    ["only", `use ${token} now`, "[redacted:line]"],
    ["with two secrets", `a\n${token} and ${token}\nb`, "a\n[redacted:line]\nb"],
    ["beside another", `${token}\n${token}\n`, "[redacted:line]\n[redacted:line]\n"],
    ["with a carriage return", `a\r\n${token}\r\nb`, "a\r\n[redacted:line]\r\nb"],
    ["that only speaks of them", "no token was found", "no token was found"],
  ])("[OBS-05] strips a line that is %s", (_, text, expected) => {
    expect(apply(redactionRules.stripLines, text)).toBe(expected);
  });

  it("[OBS-05] strips all lines of one secret as one", () => {
    const key = secretExamples.find(({ kind }) => kind === "private-key")?.secret;
    expect(apply(redactionRules.stripLines, `a\nkey: ${key} x\nb`)).toBe("a\n[redacted:line]\nb");
  });

  it("[OBS-05] masks personal data where the rule says so, and secrets with it", () => {
    const text = `ask a@b.org at +1 415 555 2671, ${token}`;
    expect(apply(redactionRules.redactPersonal, text)).toBe(
      "ask [redacted:email] at [redacted:phone], [redacted:github-token]",
    );
    expect(apply(redactionRules.stripInline, text)).toBe(
      "ask a@b.org at +1 415 555 2671, [redacted:github-token]",
    );
  });

  it("[OBS-05] keeps the reasoning around a credential, and the code around a secret", () => {
    expect(apply(redactionRules.stripInline, "retry, since password=hunter2 was refused")).toBe(
      "retry, since password=[redacted:assigned-password] was refused",
    );
    expect(apply(redactionRules.stripFromCode, "const secret = 'abcd';\nuse(secret);")).toBe(
      "const secret = '[redacted:assigned-secret]';\nuse(secret);",
    );
  });

  it("[OBS-05] strips one long line with very many secrets in it at once", () => {
    expect(apply(redactionRules.stripLines, `${token} `.repeat(50_000))).toBe("[redacted:line]");
  });
});
