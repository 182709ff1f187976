import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultRedactionPolicy, redactionRules } from "./policy.ts";
import { personalExamples, scrambled, secretExamples } from "./testing/examples.ts";
import { redactorOf } from "./testing/redactor.ts";

const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);
const known = ["correct horse battery", "schlüssel-größe-42"];
const redactor = redactorOf({
  knownSecrets: known,
  policy: {
    alwaysRedact: [...defaultRedactionPolicy.alwaysRedact],
    conditionalRedact: [
      { field: "entry.short", rule: redactionRules.stripInline, maxLength: 64 },
      { field: "entry.personal", rule: redactionRules.redactPersonal },
    ],
  },
});
const names = ["plain", "short", "personal", "token"] as const;
const entry = redactor.locate("Entry");

/** What the quick way writes, if it takes the text. */
function copied(name: (typeof names)[number], text: string): string | undefined {
  const bytes = new Uint8Array(text.length + 3);
  return entry.enter(name).copyPlain(text, bytes, 3) ? Buffer.from(bytes.subarray(3)).toString() : undefined;
}

const examples = [...secretExamples, ...personalExamples].flatMap(({ text, lookalike }) => [text, lookalike]);
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...examples,
        ...known,
        ...known.map((secret) => secret.slice(1)),
        "é",
        "\n",
        " tasks, ",
      ),
      fc.string({ maxLength: 40 }),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(""));

describe("a position", () => {
  it("[OBS-05] redacts a text as it is redacted in a value", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...names), (text, name) => {
        const { value } = redactor.redactValue({ [name]: text }, "entry");
        expect({ [name]: entry.enter(name).redact(text) }).toEqual(value);
      }),
      { numRuns },
    );
  });

  it("[OBS-05] copies only what it would leave as it is", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...names), (text, name) => {
        const copy = copied(name, text);
        if (copy !== undefined) expect(entry.enter(name).redact(text)).toBe(copy);
      }),
      { numRuns },
    );
  });

  it("[OBS-05] copies what is plain, and nothing that is masked, too long, beyond ASCII or secret", () => {
    expect(copied("plain", "3 tasks skipped")).toBe("3 tasks skipped");
    expect(copied("short", "a".repeat(64))).toBe("a".repeat(64));
    expect(copied("short", "a".repeat(65))).toBeUndefined();
    expect(copied("token", "a")).toBeUndefined();
    expect(copied("plain", "é")).toBeUndefined();
    expect(copied("plain", known[0] ?? "")).toBeUndefined();
  });

  it("[OBS-05] finds a short prefix whatever follows it", () => {
    for (const digit of "0123456789abcdefABCDEF") {
      const text = `with S${"K"}${digit}${scrambled(40)
        .replace(/[^0-9]/g, "")
        .padEnd(31, "7")
        .slice(0, 31)} in it`;
      expect(entry.enter("plain").redact(text)).toBe("with [redacted:twilio-key] in it");
    }
  });
});
