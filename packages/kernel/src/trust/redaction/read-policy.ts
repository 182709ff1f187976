import type { ConditionalRedaction, RedactionPolicy } from "./policy.ts";
import { type RedactionProblem, redactionProblem } from "./problem.ts";

export type PolicyReading =
  | { readonly ok: true; readonly policy: RedactionPolicy }
  | { readonly ok: false; readonly problems: readonly RedactionProblem[] };

/** What is enforced whatever a policy says; a policy may say it too, as the one in A §5.3 does. */
const enforcement: readonly string[] = [
  "Redaction filter runs BEFORE audit write — never store then redact",
  "Redaction filter runs BEFORE trace export",
  "Failed redaction → block write + alert (never silently pass through)",
];

/**
 * Reads a policy from a configuration, in the words of A §5.3. Only its form: whether rules and paths are known is found
 * when a redactor is made of it. A member that nobody knows is a problem, since it may be a misspelt one.
 */
export function readRedactionPolicy(configuration: unknown): PolicyReading {
  const problems: RedactionProblem[] = [];
  const complain = (at: string, message: string) =>
    problems.push(redactionProblem("BATON-REDACTION-005", at, message));
  const policy = membersOf(configuration);
  if (!policy) complain("redaction_policy", "is not a mapping");
  const known = ["always_redact", "conditional_redact", "enforcement"];
  for (const name of Object.keys(policy ?? {})) if (!known.includes(name)) complain(name, "is not known");

  const alwaysRedact = listOf(policy?.always_redact, "always_redact", complain).flatMap((path, index) => {
    if (typeof path === "string") return [path];
    complain(`always_redact[${index}]`, "is not a text");
    return [];
  });
  const conditionalRedact = listOf(policy?.conditional_redact, "conditional_redact", complain).flatMap(
    (entry, index) => readConditional(entry, `conditional_redact[${index}]`, complain),
  );
  for (const [index, statement] of listOf(policy?.enforcement, "enforcement", complain).entries()) {
    const isKnown = typeof statement === "string" && enforcement.includes(statement);
    if (!isKnown) complain(`enforcement[${index}]`, "is not one of the statements of A §5.3");
  }
  return problems.length === 0
    ? { ok: true, policy: { alwaysRedact, conditionalRedact } }
    : { ok: false, problems };
}

type Complain = (at: string, message: string) => void;

function readConditional(entry: unknown, at: string, complain: Complain): readonly ConditionalRedaction[] {
  const { field, rule, max_length: maxLength, ...others } = membersOf(entry) ?? {};
  for (const name of Object.keys(others)) complain(`${at}.${name}`, "is not known");
  if (typeof field !== "string") complain(`${at}.field`, "is not a text");
  if (typeof rule !== "string") complain(`${at}.rule`, "is not a text");
  if (maxLength !== undefined && typeof maxLength !== "number")
    complain(`${at}.max_length`, "is not a number");
  if (typeof field !== "string" || typeof rule !== "string") return [];
  return [{ field, rule, ...(typeof maxLength === "number" && { maxLength }) }];
}

function membersOf(value: unknown): Record<string, unknown> | undefined {
  const isMapping = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMapping ? (value as Record<string, unknown>) : undefined;
}

function listOf(value: unknown, at: string, complain: Complain): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  complain(at, "is not a list");
  return [];
}
