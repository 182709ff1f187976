/** Violations of a schema, all at once: path, rule, message and fix. Values are never quoted: one may be a secret. */
import type { z } from "zod";
import type { SapViolation } from "./acknowledgement.ts";
import { sapLimits } from "./limits.ts";

type Issue = z.core.$ZodIssue;

export function violationsOf(error: z.ZodError, given: unknown): readonly SapViolation[] {
  return error.issues.slice(0, sapLimits.violations).map((issue) => violationOf(issue, given));
}

export function violation(path: string, rule: string, message: string, fix = fixes[rule]): SapViolation {
  return { path, rule, message, fix: fix ?? "see docs/reference/sap.md" };
}

function violationOf(issue: Issue, given: unknown): SapViolation {
  const path = pathOf(issue.path);
  switch (issue.code) {
    case "invalid_type":
      if (valueAt(given, issue.path) === undefined) return violation(path, "required", "is missing");
      return violation(path, "type", `is not ${named(issue.expected)}`, `write ${named(issue.expected)}`);
    case "invalid_value": {
      if (valueAt(given, issue.path) === undefined) return violation(path, "required", "is missing");
      const allowed = issue.values.map((value) => JSON.stringify(value)).join(", ");
      const rule = issue.values.length === 1 ? "const" : "enum";
      return violation(path, rule, `is not one of the values that are allowed`, `write ${allowed}`);
    }
    case "too_big":
      return outOfRange(path, issue.origin, `more than ${issue.maximum}`, `at most ${issue.maximum}`);
    case "too_small": {
      const bound = issue.inclusive === false ? `${issue.minimum} or less` : `less than ${issue.minimum}`;
      const least = issue.inclusive === false ? `more than ${issue.minimum}` : `at least ${issue.minimum}`;
      return outOfRange(path, issue.origin, bound, least);
    }
    case "invalid_key":
      return violation(path, "name", "is not a name");
    case "custom":
      return violation(path, String(issue.params?.rule ?? "custom"), issue.message);
    default:
      return violation(path, issue.code, issue.message);
  }
}

function outOfRange(path: string, origin: string, message: string, fix: string): SapViolation {
  if (origin === "array") return violation(path, "count", `has ${message} entries`, `list ${fix} entries`);
  return violation(path, "range", `is ${message}`, `write ${fix}`);
}

const fixes: Readonly<Record<string, string>> = {
  required: "add it",
  uuid: "write a UUID such as 7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a",
  timestamp: "write a time in UTC without fractions, such as 2025-09-28T10:15:23Z",
  name: `write 1 to ${sapLimits.nameLength} visible characters, without surrounding blanks`,
  text: `write 1 to ${sapLimits.textLength} characters`,
  uri: `write a URI or an id without blanks, of 1 to ${sapLimits.uriLength} characters`,
  digest: "write sha256: and the 64 hexadecimal digits of the content's SHA-256",
  count: "list fewer",
  endpoint: "write an https address, or bus:inproc:NAME",
};

const names: Readonly<Record<string, string>> = {
  object: "an object",
  record: "an object",
  array: "a list",
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};

function named(expected: string): string {
  return names[expected] ?? expected;
}

/** Such as `attachments[0].uri`. */
export function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${short(String(part))}`))
    .join("")
    .replace(/^\./, "");
}

/** Keys come from the sender. */
function short(key: string): string {
  return key.length <= 100 ? key : `${key.slice(0, 100).toWellFormed()}…`;
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let value = given;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}
