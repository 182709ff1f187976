import { Check } from "./check.ts";
import { schemaLimits } from "./limits.ts";
import { rulesOf } from "./rules.ts";
import type { SchemaViolation } from "./violation.ts";

export type { SchemaViolation } from "./violation.ts";

/**
 * Checks a value against a JSON Schema (2020-12) that `checkJsonSchema` accepts, and reports every violation up to a limit.
 * The work is bounded by counted steps: a value that takes too many is refused, with the rule "limit".
 */
export function validateValue(schema: unknown, value: unknown): readonly SchemaViolation[] {
  return measureCheck(schema, value).violations;
}

/** The same, with the steps that it took. */
export function measureCheck(
  schema: unknown,
  value: unknown,
): { readonly violations: readonly SchemaViolation[]; readonly steps: number } {
  const check = new Check(schema, rulesOf);
  const isWithin = check.run(value);
  const { steps } = check;
  if (isWithin) return { violations: check.found, steps };
  const message = `takes more than ${schemaLimits.steps} steps to check`;
  return { violations: [{ path: "", rule: "limit", message, value: "" }], steps };
}
