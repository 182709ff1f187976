import { describe, expect, it } from "vitest";
import { personalExamples, secretExamples } from "../testing/examples.ts";
import { redactorOf } from "../testing/redactor.ts";
import { personalDetectors, secretDetectors } from "./all-detectors.ts";

const redactor = redactorOf();

describe.each([
  ["secrets", secretExamples, secretDetectors],
  ["secrets-and-personal", personalExamples, personalDetectors],
] as const)("kinds of %s", (coverage, examples, detectors) => {
  it.each(examples)("[OBS-05] $kind is masked", ({ kind, text, secret }) => {
    const redacted = redactor.redactText(text, coverage);
    expect(redacted.text).toBe(text.replace(secret, `[redacted:${kind}]`));
    expect(redacted.redactions).toEqual([
      { kind, start: text.indexOf(secret), end: text.indexOf(secret) + secret.length },
    ]);
  });

  it.each(examples)("[OBS-05] what looks like $kind is not masked", ({ lookalike }) => {
    expect(redactor.redactText(lookalike, coverage)).toEqual({ text: lookalike, redactions: [] });
  });

  it("has an example of every kind", () => {
    expect(new Set(examples.map(({ kind }) => kind))).toEqual(new Set(detectors.map(({ kind }) => kind)));
  });

  it("is stable: a marker is never masked again", () => {
    const once = examples.map(({ text }) => redactor.redactText(text, coverage).text).join("\n");
    expect(redactor.redactText(once, coverage).text).toBe(once);
  });
});

it("knows at least thirty kinds of credentials", () => {
  expect(new Set(secretDetectors.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(30);
});
