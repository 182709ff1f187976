import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { linesOf, measure } from "../../../testing/redaction-corpus/measure.ts";
import { redactorOf } from "./testing/redactor.ts";

const redactor = redactorOf();
const redact = (text: string) => redactor.redactText(text, "secrets").text;

/** Rules are tuned on the first half alone. Who looks at what the second half shows writes new lines for it. */
describe.each(["tuned", "held-out"] as const)("the %s half of the corpus", (half) => {
  const lines = linesOf(half);

  it("[OBS-05] keeps its secrets to itself, and the rest of it stays as it is", () => {
    const { recall, falsePositives, missed, masked } = measure(lines, redact);
    const patterns = half === "tuned" ? { missed, masked } : {};
    expect({ recall, falsePositives, ...patterns }).toMatchObject({
      recall: expect.toSatisfy((share: number) => share >= 0.97),
      falsePositives: expect.toSatisfy((share: number) => share <= 0.02),
    });
  });

  it("[OBS-05] is the same when it is redacted twice", () => {
    for (const { text } of lines) {
      const once = redact(text);
      expect(redact(once)).toBe(once);
    }
  });

  it.each([
    ["a colour", "\u001b[1;31m"],
    ["a carriage return", "\r"],
    ["a character without width", "\u200b"],
    ["a soft hyphen", "\u00ad"],
    ["a hyperlink", "\u001b]8;;https://example.org\u0007"],
  ])("[OBS-05] [TUR-06] hides its secrets also with %s inside", (_, inside) => {
    const secrets = lines.filter(
      ({ text, secret }) => secret !== undefined && !redact(text).includes(secret),
    );
    const seen = secrets.filter(({ text, secret = "" }) => {
      const middle = Math.ceil(secret.length / 2);
      const split = secret.slice(0, middle) + inside + secret.slice(middle);
      const output = redact(text.replace(secret, split));
      return output.includes(secret.slice(0, middle)) || output.includes(secret.slice(middle));
    });
    expect(seen.length / secrets.length).toBeLessThanOrEqual(0.01);
  });
});

it("[OBS-05] has at least 1,500 lines, none of them twice", () => {
  const texts = [...linesOf("tuned"), ...linesOf("held-out")].map(({ text }) => text);
  expect(new Set(texts).size).toBeGreaterThanOrEqual(1_500);
  expect(texts).toHaveLength(new Set(texts).size);
});

/** Text that nobody wrote for this: bundles, translations and documents of packages that are installed here. */
it("[OBS-05] leaves alone what is installed: minified code, translations, documents", () => {
  const packages = resolve(import.meta.dirname, "../../../../../node_modules");
  const files = [
    "axe-core/axe.min.js",
    "react-dom/cjs/react-dom-client.production.js",
    "commander/Readme.md",
  ];
  const locales = join(packages, "axe-core/locales");
  const found = [
    ...files.map((file) => join(packages, file)),
    ...readdirSync(locales).map((name) => join(locales, name)),
  ]
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, "utf8").split("\n"));
  expect(found.length).toBeGreaterThan(10_000);
  const masked = found.filter((line) => redact(line) !== line);
  expect(masked.length / found.length).toBeLessThan(0.001);
});
