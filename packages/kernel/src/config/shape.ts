import type { DescField } from "@bufbuild/protobuf";
import { didYouMean } from "../names.ts";
import type { Reading } from "./reading.ts";

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Such as 500ms, 30s, 5m, 2h or 1d. The digits per unit limit it to ten thousand years. */
export const durationPattern =
  /^(?=\d{1,6}d|\d{1,7}h|\d{1,9}m|\d{1,11}s|\d{1,14}ms|\d{1,6}\.)(\d{1,14}(?:\.\d{1,3})?)(ms|s|m|h|d)$/;

/** The same, at least a millisecond, because fractions are rounded. */
const positivePattern = new RegExp(
  durationPattern.source.replace(
    "^",
    "^(?=\\d*[1-9]\\d*(?:\\.\\d+)?[a-z]|\\d+\\.\\d*[1-9]\\d*(?:s|m(?!s)|h|d))",
  ),
);

/** Undefined for an invalid duration. */
export function parseDurationMs(text: string): number | undefined {
  const [, count, unit] = durationPattern.exec(text) ?? [];
  return count === undefined ? undefined : Math.round(Number(count) * unitMs[unit as keyof typeof unitMs]);
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The contract's documentation of a field, if available. */
export type FieldDocs = (field: DescField) => string | undefined;

/**
 * The form of a value in a file: its reader and its JSON Schema, side by side so that they agree. `read` reports problems
 * and still returns a value of the type.
 */
export interface Shape<Value> {
  read(given: Reading): Value;
  schema(docs: FieldDocs): JsonSchema;
}

interface TextRules {
  readonly least?: number;
  readonly most?: number;
  /** Must mean the same with the flag u, as in JSON Schema. */
  readonly pattern?: RegExp;
  /** The rule and the fix, in words. */
  readonly must?: string;
  readonly fix?: string;
}

export function text(rules: TextRules = {}): Shape<string> {
  const { least = 1, most, pattern } = rules;
  const plain = least > 0 ? "be a text that is not empty" : "be a text";
  const { must = most === undefined ? plain : `be a text of ${least} to ${most} characters` } = rules;
  return {
    read(given) {
      const { value } = given;
      if (typeof value === "string") {
        const length = most === undefined && least <= 1 ? value.length : [...value].length;
        const fits = length >= least && length <= (most ?? length) && (pattern?.test(value) ?? true);
        if (fits) return value;
      }
      given.reportInvalid(`must ${must}`, rules.fix ?? "write it in quotes");
      return "";
    },
    schema: () => ({
      type: "string",
      ...(least > 0 && { minLength: least }),
      ...(most !== undefined && { maxLength: most }),
      ...(pattern && { pattern: pattern.source }),
    }),
  };
}

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Shape<number> {
  return {
    read(given) {
      const { value } = given;
      if (typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most)
        return value;
      const range = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;
      const fix = Number.isSafeInteger(value) ? `write a whole number ${range}` : "write it as digits";
      given.reportInvalid(`must be a whole number ${range}`, fix);
      return least;
    },
    schema: () => ({ type: "integer", minimum: least, maximum: most }),
  };
}

const asDigits = "write it as digits, with a point before decimals";

export function number({ least, most }: { least?: number; most?: number } = {}): Shape<number> {
  const range = [
    least === undefined ? "" : ` of ${least} or more`,
    most === undefined ? "" : ` up to ${most}`,
  ];
  return {
    read(given) {
      const { value } = given;
      const isNumber = typeof value === "number" && Number.isFinite(value);
      if (isNumber && value >= (least ?? value) && value <= (most ?? value)) return value;
      const must = `a number${range.join("")}`;
      given.reportInvalid(`must be ${must}`, isNumber ? `write ${must}` : asDigits);
      return least ?? 0;
    },
    schema: () => ({
      type: "number",
      ...(least !== undefined && { minimum: least }),
      ...(most !== undefined && { maximum: most }),
    }),
  };
}

/** For behaviour that is fixed and may be stated. */
export const onlyTrue: Shape<boolean> = {
  read(given) {
    if (given.value !== true)
      given.reportInvalid("must be true: it happens in any case", "leave it out, or write true");
    return true;
  },
  schema: () => ({ type: "boolean", enum: [true] }),
};

export const flag: Shape<boolean> = {
  read(given) {
    if (typeof given.value === "boolean") return given.value;
    given.reportInvalid("must be true or false", "write it without quotes");
    return false;
  },
  schema: () => ({ type: "boolean" }),
};

/** In milliseconds. */
export const duration: Shape<number> = durationShape(durationPattern);

/** In milliseconds, at least one. */
export const positiveDuration: Shape<number> = {
  ...durationShape(positivePattern),
  read(given) {
    const ms = duration.read(given);
    const isZero = typeof given.value === "string" && durationPattern.test(given.value) && !isPositive(given);
    if (isZero) given.reportInvalid("must be longer than zero", "write it such as 30s, or leave it out");
    return ms;
  },
};

function isPositive({ value }: Reading): boolean {
  return typeof value === "string" && positivePattern.test(value);
}

function durationShape(pattern: RegExp): Shape<number> {
  return {
    read(given) {
      const ms = typeof given.value === "string" ? parseDurationMs(given.value) : undefined;
      if (ms === undefined)
        given.reportInvalid(
          "is not a duration",
          "write a number and a unit, such as 500ms, 30s, 5m, 2h or 1d",
        );
      return ms ?? 0;
    },
    schema: () => ({
      type: "string",
      pattern: pattern.source,
      examples: ["500ms", "30s", "5m", "2h", "1d"],
    }),
  };
}

/** One of several names for values. Aliases are accepted, and not listed in the fix. */
export function choice<Value>(
  what: string,
  values: Readonly<Record<string, Value>>,
  fallback: Value,
  aliases: Readonly<Record<string, Value>> = {},
): Shape<Value> {
  const names = Object.keys(values);
  const known = new Map([...Object.entries(values), ...Object.entries(aliases)]);
  return {
    read(given) {
      const { value } = given;
      const found = typeof value === "string" ? known.get(value) : undefined;
      if (found === undefined)
        given.reportInvalid(
          `${JSON.stringify(value) ?? "nothing"} is not ${what}`,
          `${typeof value === "string" ? didYouMean(value, names) : ""}use one of: ${names.join(", ")}`,
        );
      return found ?? fallback;
    },
    schema: () => ({ type: "string", enum: [...known.keys()] }),
  };
}

/** An object that the hub does not interpret. */
export function anyMapping(): Shape<Record<string, unknown>> {
  return {
    read(given) {
      const members = given.members();
      if (!members)
        given.reportInvalid("must hold fields", "write each as name: value, on a line of its own");
      refuseNonFinite(given);
      return members ?? {};
    },
    schema: () => ({ type: "object" }),
  };
}

/** Refuses YAML numbers that JSON lacks. */
function refuseNonFinite(given: Reading): void {
  if (typeof given.value === "number" && !Number.isFinite(given.value))
    given.reportInconsistent("must be a finite number", "write it as digits");
  for (const item of given.items()) refuseNonFinite(item);
  for (const name of Object.keys(given.members() ?? {})) refuseNonFinite(given.at(name));
}
