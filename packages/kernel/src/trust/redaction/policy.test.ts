import { describe, expect, it } from "vitest";
import { readRedactionPolicy } from "../../config/redaction-policy.ts";
import { defaultRedactionPolicy, redactionRules } from "./policy.ts";
import { createRedactor } from "./redactor.ts";

/** The example of A §5.3 as it is printed. */
const printed = {
  always_redact: [
    "**/*.credentials",
    "**/*.token",
    "**/*.secret",
    "**/*.password",
    "**/*.api_key",
    "safety_context.auth_scopes",
  ],
  conditional_redact: [
    {
      field: "evidence_item.output",
      rule: "strip lines matching secret/token/password patterns",
      max_length: 65536,
    },
    { field: "context_in.shared_context", rule: "redact PII patterns (email, phone, SSN)" },
    { field: "audit_entry.rationale", rule: "strip inline credentials, keep decision reasoning" },
    { field: "snippet_ref.content", rule: "strip secrets from code snippets" },
  ],
  enforcement: [
    "Redaction filter runs BEFORE audit write — never store then redact",
    "Redaction filter runs BEFORE trace export",
    "Failed redaction → block write + alert (never silently pass through)",
  ],
};

describe("the redaction policy", () => {
  it("[OBS-05] is by default the one of A §5.3, and loads", () => {
    expect(readRedactionPolicy({ redaction_policy: printed })).toEqual({
      ok: true,
      policy: defaultRedactionPolicy,
    });
    expect(createRedactor().ok).toBe(true);
  });

  it("[OBS-05] with a rule that nobody knows does not load", () => {
    const policy = { alwaysRedact: [], conditionalRedact: [{ field: "a.b", rule: "be careful" }] };
    expect(createRedactor({ policy })).toEqual({
      ok: false,
      problems: [
        {
          code: "BATON-REDACTION-001",
          at: "conditional_redact[0].rule",
          message: '"be careful" is not a known rule',
          fix: "write the rule exactly as one of those in A §5.3",
        },
      ],
    });
  });

  it.each(["", "a..b", "a/", "**", "a.**", "a b", "to*en", "{a}"])(
    "[OBS-05] with the path %j does not load",
    (path) => {
      const policy = {
        alwaysRedact: [path],
        conditionalRedact: [{ field: path, rule: redactionRules.stripLines }],
      };
      expect(createRedactor({ policy })).toMatchObject({
        ok: false,
        problems: [
          { code: "BATON-REDACTION-002", at: "always_redact[0]" },
          { code: "BATON-REDACTION-002", at: "conditional_redact[0].field" },
        ],
      });
    },
  );

  it.each([0, 63, 1.5, Number.NaN])("[OBS-05] with the length %j does not load", (maxLength) => {
    const policy = {
      alwaysRedact: [],
      conditionalRedact: [{ field: "a", rule: redactionRules.stripLines, maxLength }],
    };
    expect(createRedactor({ policy })).toMatchObject({
      ok: false,
      problems: [{ code: "BATON-REDACTION-003" }],
    });
  });

  it.each([
    [null, ""],
    [[], ""],
    [{ always: [] }, ".always"],
    [{ always_redact: "x" }, ".always_redact"],
    [{ always_redact: [1] }, ".always_redact[0]"],
    [{ always_redact: ["a..b"] }, ".always_redact[0]"],
    [{ conditional_redact: [{ rule: redactionRules.stripLines }] }, ".conditional_redact[0].field"],
    [{ conditional_redact: [{ field: "x" }] }, ".conditional_redact[0].rule"],
    [{ conditional_redact: [{ field: "x", rule: "be careful" }] }, ".conditional_redact[0].rule"],
    [
      { conditional_redact: [{ field: "x", rule: redactionRules.stripLines, max_length: 63 }] },
      ".conditional_redact[0].max_length",
    ],
    [{ enforcement: ["mostly"] }, ".enforcement[0]"],
  ])("[OBS-05] is not %j", (configuration, at) => {
    expect(readRedactionPolicy({ redaction_policy: configuration })).toMatchObject({
      ok: false,
      problems: [{ code: "BATON-CONFIG-001", at: `redaction_policy${at}` }],
    });
  });

  it("[OBS-05] with a detector that cannot be used does not load", () => {
    const detectors = [
      { kind: "Not a kind", anchors: ["a"], examine: () => undefined },
      { kind: "b", anchors: [], examine: () => undefined },
    ];
    expect(createRedactor({ detectors })).toMatchObject({
      ok: false,
      problems: [{ at: "detectors[0]" }, { at: "detectors[1]" }],
    });
  });
});
