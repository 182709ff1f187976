import { describe, expect, it } from "vitest";
import { RedactionFailure } from "./failure.ts";
import { redactionRules } from "./policy.ts";
import { scrambled } from "./testing/examples.ts";
import { redactorOf } from "./testing/redactor.ts";

const redactor = redactorOf({ knownSecrets: ["correct horse battery", "1234567890123"] });
const token = `gh${"p_"}${scrambled(36)}`;
const field = "[redacted:field]";

describe("structured data", () => {
  it("[OBS-05] is masked by whole names, in either spelling, whatever it holds", () => {
    const { value, masked } = redactor.redactValue({
      token: "x",
      db: { password: 1, apiKey: ["a"], api_key: { a: 1 }, "API-KEY": true, credentials: null },
      tokens: "x",
      page_tokens: 5,
      tokenizer: "x",
      list: [{ secret: "x" }],
    });
    expect(value).toEqual({
      token: field,
      db: { password: field, apiKey: field, api_key: field, "API-KEY": field, credentials: null },
      tokens: "x",
      page_tokens: 5,
      tokenizer: "x",
      list: [{ secret: field }],
    });
    expect(masked).toBe(true);
  });

  it("[OBS-05] is masked where a name says what it is, though no path does", () => {
    expect(
      redactor.redactValue({ db_password: "swordfish", accessKey: "abcd", token_hint: "$TOKEN" }).value,
    ).toEqual({
      db_password: field,
      accessKey: field,
      token_hint: "$TOKEN",
    });
    expect(
      redactor.redactValue({ dbPassword: "<password>", session_token: "expected a name" }),
    ).toMatchObject({ masked: false });
  });

  it("[OBS-05] is masked by content, in names as in values, and loses no member", () => {
    expect(
      redactor.redactValue({ a: [`uses ${token}`], [token]: 1, [`${token}x`]: 2, n: 1234567890123 }).value,
    ).toEqual({
      a: ["uses [redacted:github-token]"],
      "[redacted:github-token]": 1,
      "[redacted:github-token]#2": 2,
      n: "[redacted:known-secret]",
    });
  });

  it("[OBS-05] has its rules by the name of what it is in", () => {
    const output = `ok\npassword=hunter2 here\nend\nmail a@b.org`;
    const evidence = { evidence_item: { output }, evidenceItem: [{ output }] };
    const stripped = "ok\n[redacted:line]\nend\nmail a@b.org";
    expect(redactor.redactValue(evidence).value).toEqual({
      evidence_item: { output: stripped },
      evidenceItem: [{ output: stripped }],
    });
    expect(redactor.redactValue({ output }, "evidence_item").value).toEqual({ output: stripped });
    const shared = { shared_context: { notes: ["mail a@b.org", "219-09-9999"] } };
    expect(redactor.redactValue(shared, "context_in").value).toEqual({
      shared_context: { notes: ["mail [redacted:email]", "[redacted:ssn]"] },
    });
    expect(
      redactor.redactValue({ rationale: `chosen, since ${token} of a@b.org works` }, "audit_entry").value,
    ).toEqual({
      rationale: "chosen, since [redacted:github-token] of a@b.org works",
    });
    expect(redactor.redactValue({ content: 'const apiKey = "abcd1234";\n' }, "snippet_ref").value).toEqual({
      content: 'const apiKey = "[redacted:assigned-secret]";\n',
    });
  });

  it("[OBS-05] keeps the names of scopes and no tokens", () => {
    const scopes = [
      "repo:read",
      "orders.write",
      "https://host.example/auth/drive.readonly",
      "openid",
      token,
      "a8f3k2m9q1z7",
    ];
    expect(redactor.redactValue({ safety_context: { auth_scopes: scopes } }).value).toEqual({
      safety_context: { auth_scopes: [...scopes.slice(0, 4), field, field] },
    });
  });

  it("[OBS-05] is cut after it was redacted, never within a marker", () => {
    const policy = {
      alwaysRedact: [],
      conditionalRedact: [{ field: "*.log", rule: redactionRules.stripInline, maxLength: 64 }],
    };
    const short = redactorOf({ policy });
    for (let length = 0; length < 100; length++) {
      const { log } = short.redactValue({ log: `${"x".repeat(length)} ${token} ${"😀".repeat(40)}` })
        .value as { log: string };
      expect(log.length).toBeLessThanOrEqual(64);
      expect(log.replaceAll("[redacted:github-token]", "")).toMatch(/^x* ?(?:😀| )*\[cut\]$/u);
    }
  });

  it("[OBS-05] keeps members whatever their name", () => {
    const value = JSON.parse('{"__proto__": {"token": "x"}, "constructor": 1}') as unknown;
    expect(JSON.stringify(redactor.redactValue(value).value)).toBe(
      '{"__proto__":{"token":"[redacted:field]"},"constructor":1}',
    );
  });

  it("[OBS-05] fails where it is too deep, too large, endless or no data", () => {
    const endless: unknown[] = [];
    endless.push(endless);
    const deep = JSON.parse("[".repeat(100) + "]".repeat(100)) as unknown;
    for (const value of [endless, deep, Array(200_000).fill(1), "x".repeat(5_000_000)]) {
      expect(() => redactor.redactValue(value)).toThrow(
        expect.objectContaining({ code: "BATON-REDACTION-102" }),
      );
    }
    for (const value of [
      undefined,
      () => 1,
      Symbol("x"),
      1n,
      new Date(0),
      new Map(),
      { a: Buffer.from("x") },
    ]) {
      expect(() => redactor.redactValue(value)).toThrow(RedactionFailure);
    }
  });
});
