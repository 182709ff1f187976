import type { JsonValue } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../trust/redaction/redactor.ts";
import type { GuardedAnswer } from "./answer.ts";
import { checkBuiltIn, redactFailure } from "./built-in.ts";
import { answerParts, type GuardrailCheck, guardrailsFor, personalKinds } from "./policy.ts";

const made = createRedactor({ personalData: "everywhere" });
if (!made.ok) throw new Error("the redactor is refused");
const { redactor } = made;

function answerWith(given: Partial<GuardedAnswer>): GuardedAnswer {
  const texts = { message: "", thought: "", next_step_hint: "", summary: "", failure_reason: "" };
  return { ...texts, status: "success", outcome: "success", data: {}, context: {}, ...given };
}

function check(
  kind: Parameters<typeof checkBuiltIn>[0],
  given: Partial<GuardedAnswer>,
  parts = answerParts as never,
) {
  const work = checkBuiltIn(kind, answerWith(given), parts, redactor);
  let [steps, next] = [0, work.next()];
  for (; !next.done; next = work.next()) steps++;
  return { found: next.value, steps };
}
const secrets: GuardrailCheck = { kind: "secrets" };
const personal = (...kinds: (keyof typeof personalKinds)[]) => ({ kind: "personal_data", kinds }) as const;
const banned = (...phrases: string[]) => ({ kind: "banned_phrases", phrases }) as const;
const token = `ghp_${"a1B2".repeat(9)}`;

describe("built-in guardrails", () => {
  it("[SAC-09] find secrets in any part, and report where without repeating them", () => {
    for (const [given, path] of [
      [{ message: `use ${token}` }, "response.message"],
      [{ thought: `use ${token}` }, "response.thought"],
      [{ next_step_hint: token }, "response.next_step_hint"],
      [{ data: { list: [{ key: token }] as JsonValue } }, "response.data.list[0].key"],
      [{ data: { [token]: 1 } }, "response.data.*"],
      [{ summary: token }, "status.summary"],
      [{ failure_reason: token }, "status.failure_reason"],
      [{ context: { notes: token } }, "context.notes"],
    ] as const) {
      const { found } = check(secrets, given);
      expect(found?.path).toBe(path);
      expect(found?.reason).toContain("contains a secret");
      expect(JSON.stringify(found)).not.toContain(token);
    }
    expect(check(secrets, { message: "nothing of the kind" }).found).toBeUndefined();
    expect(check(secrets, { thought: token }, ["message", "data"] as never).found).toBeUndefined();
  });

  it("[SAC-09] find the kinds of personal data that are configured, and no others", () => {
    const texts = {
      email: "write to jane.doe@example.org",
      phone: "call +44 20 7946 0958",
      card: "card 4111 1111 1111 1111",
      iban: "IBAN DE89 3704 0044 0532 0130 00",
      ssn: "ssn 219-09-9999",
    } as const;
    for (const kind of Object.keys(personalKinds) as (keyof typeof personalKinds)[])
      for (const [other, message] of Object.entries(texts)) {
        const { found } = check(personal(kind), { message });
        expect(found?.reason, `${kind} in ${other}`).toBe(
          other === kind ? `contains personal data: ${kind}` : undefined,
        );
      }
    // A card number as a JSON number; and one whose check digit is wrong.
    expect(check(personal("card"), { data: { card: 4111111111111111 } }).found?.path).toBe(
      "response.data.card",
    );
    expect(check(personal("card"), { message: "4111 1111 1111 1112" }).found).toBeUndefined();
  });

  it("[SAC-09] find banned phrases as readers see them, in whole words", () => {
    const phrase = banned("Project Falcon", "ass");
    for (const message of [
      "project falcon",
      "PROJECT\n  FALCON!",
      "pro\u200bject falcon",
      "ｐｒｏｊｅｃｔ falcon",
    ])
      expect(check(phrase, { message }).found?.reason, message).toBe("contains banned phrase 1 of the list");
    expect(check(phrase, { message: "a class of projects, falconry" }).found).toBeUndefined();
    expect(check(phrase, { data: { note: "an ass." } }).found?.reason).toContain("phrase 2");
  });

  it("[SAC-09] limit the size of a part", () => {
    const size = { kind: "size", maxChars: 20 } as const;
    expect(check(size, { message: "x".repeat(20), data: { a: "short" } }).found).toBeUndefined();
    expect(check(size, { message: "x".repeat(21) }).found).toEqual({
      path: "response.message",
      reason: "has 21 characters, which are more than the 20 that are allowed",
    });
    expect(check(size, { data: { list: ["x".repeat(20)] } }).found?.path).toBe("response.data");
  });

  it("[SAC-09] read large answers in pieces, and what lies on the edge of two", () => {
    const at = (offset: number) => `${"word ".repeat(offset / 5)}${token}${" word".repeat(20_000)}`;
    for (const offset of [65_500, 65_520, 61_440, 200_000]) {
      const { found, steps } = check(secrets, { message: at(offset) });
      expect(found?.path).toBe("response.message");
      if (offset > 131_072) expect(steps).toBeGreaterThan(0);
    }
  });
});

describe("the message of a failure", () => {
  it("[SAC-09] loses what is sensitive in it and in data, while data stays", () => {
    const answer = answerWith({
      status: "failure",
      outcome: "success",
      message: "No account for jane.doe@example.org; card DE89 3704 0044 0532 0130 00 was refused.",
      failure_reason: "lookup failed",
      data: { email: "jane.doe@example.org" },
    });
    expect(redactFailure(answer, redactor)).toEqual({
      message: "No account for [redacted:email]; card [redacted:iban] was refused.",
    });
    const failed = { ...answer, status: "", outcome: "retryable_failure", message: "", summary: token };
    expect(redactFailure(failed, redactor)?.summary).toMatch(/^\[redacted:/);
  });

  it("[SAC-09] stays as it is when nothing is sensitive, or nothing failed", () => {
    const plain = answerWith({ status: "failure", message: "the file is missing" });
    expect(redactFailure(plain, redactor)).toBeUndefined();
    const success = answerWith({ message: "sent to jane.doe@example.org" });
    expect(redactFailure(success, redactor)).toBeUndefined();
  });
});

describe("the scope of a guardrail", () => {
  it("[SAC-09] is packs, stages, types of tasks and templates, all that are listed", () => {
    const rule = (name: string, scope: object) => ({ name, scope, check: secrets, parts: answerParts });
    const policy = {
      redactFailures: false,
      rules: [
        rule("all", {}),
        rule("pack", { packs: ["a", "b"] }),
        rule("both", { packs: ["a"], stages: ["draft"] }),
        rule("template", { templates: ["publish"], taskTypes: ["write"] }),
      ],
    };
    const names = (origin: object) =>
      guardrailsFor(policy, { packId: "", stageId: "", taskType: "", templateId: "", ...origin }).map(
        ({ name }) => name,
      );
    expect(names({ packId: "a", stageId: "other" })).toEqual(["all", "pack"]);
    expect(names({ packId: "a", stageId: "draft" })).toEqual(["all", "pack", "both"]);
    expect(names({ templateId: "publish", taskType: "write" })).toEqual(["all", "template"]);
  });
});
