import type { Check } from "./check.ts";
import { formats, maxFormattedLength } from "./formats.ts";
import { stepCosts } from "./limits.ts";
import type { Prepare } from "./rules.ts";
import { quote } from "./violation.ts";

const length =
  (rule: string, fits: (length: number, limit: number) => boolean, words: string): Prepare =>
  (limit) =>
    typeof limit === "number"
      ? (check, value, at) => {
          if (typeof value !== "string" || fits(charsOf(check, value), limit)) return;
          check.report(at, rule, `must have ${words} ${limit} characters`, value);
        }
      : undefined;

/** JSON Schema counts characters of Unicode. */
function charsOf(check: Check, value: string): number {
  check.step(value.length / stepCosts.charsPerStep);
  let pairs = 0;
  for (let at = 0; at < value.length - 1; at++) {
    const isHigh = (value.charCodeAt(at) & 0xfc00) === 0xd800;
    if (isHigh && (value.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      pairs++;
      at++;
    }
  }
  return value.length - pairs;
}

export const texts: Readonly<Record<string, Prepare>> = {
  minLength: length("minLength", (chars, limit) => chars >= limit, "at least"),
  maxLength: length("maxLength", (chars, limit) => chars <= limit, "at most"),
  pattern: (source) =>
    typeof source === "string"
      ? (check, value, at) => {
          if (typeof value !== "string" || check.matches(source, value)) return;
          check.report(at, "pattern", () => `must match ${quote(source)}`, value);
        }
      : undefined,
  format: (name) => {
    const fits = typeof name === "string" && Object.hasOwn(formats, name) ? formats[name] : undefined;
    return (
      fits &&
      ((check, value, at) => {
        if (typeof value !== "string") return;
        check.step(stepCosts.format + value.length);
        if (value.length > maxFormattedLength || !fits(value))
          check.report(at, "format", `must have the format ${String(name)}`, value);
      })
    );
  },
};

const number =
  (rule: string, fits: (value: number, limit: number) => boolean, words: string): Prepare =>
  (limit) =>
    typeof limit === "number"
      ? (check, value, at) => {
          if (typeof value === "number" && !fits(value, limit))
            check.report(at, rule, `must be ${words} ${limit}`, value);
        }
      : undefined;

export const numbers: Readonly<Record<string, Prepare>> = {
  minimum: number("minimum", (value, limit) => value >= limit, "at least"),
  maximum: number("maximum", (value, limit) => value <= limit, "at most"),
  exclusiveMinimum: number("exclusiveMinimum", (value, limit) => value > limit, "more than"),
  exclusiveMaximum: number("exclusiveMaximum", (value, limit) => value < limit, "less than"),
  multipleOf: number("multipleOf", isMultiple, "a multiple of"),
};

/** 0.3 is a multiple of 0.1, although floating point says 0.30000000000000004: a few units of the last place are ignored. */
function isMultiple(value: number, of: number): boolean {
  return Math.abs(value - Math.round(value / of) * of) <= 4 * Number.EPSILON * Math.abs(value);
}
