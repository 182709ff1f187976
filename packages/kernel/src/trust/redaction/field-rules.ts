import {
  advance,
  type FieldPath,
  isComplete,
  noProgress,
  type Progress,
  parseFieldPath,
  snakeCase,
} from "./field-path.ts";
import { findRule, type RedactionPolicy, type RedactionRule } from "./policy.ts";
import { type RedactionProblem, redactionProblem } from "./problem.ts";

/** What to do with a field. */
export type FieldRule =
  | { readonly type: "mask" }
  /** A list of scope names, of which only what is no name is masked. */
  | { readonly type: "mask-unless-scope" }
  | { readonly type: "rule"; readonly rule: RedactionRule; readonly maxLength: number | undefined };

/** Where a walk is, in terms of every path of the policy. */
export type Place = readonly Progress[];

export interface FieldRules {
  readonly root: Place;
  enter(place: Place, ...names: readonly string[]): Place;
  ruleAt(place: Place): FieldRule | undefined;
}

/** The example of A §5.3 lists this field with the remark "log scope names, not token values". */
const scopeList = "safety_context.auth_scopes";

/** A cut value must still have room for its marker. */
const leastLength = 64;

export function compileFieldRules(policy: RedactionPolicy): FieldRules | readonly RedactionProblem[] {
  const problems: RedactionProblem[] = [];
  const entries: { readonly path: FieldPath; readonly rule: FieldRule }[] = [];
  const add = (text: string, at: string, rule: FieldRule) => {
    const path = parseFieldPath(text);
    if (path) entries.push({ path, rule });
    else problems.push(redactionProblem("BATON-REDACTION-002", at, `"${text}" is not a path`));
  };
  for (const [index, text] of policy.alwaysRedact.entries()) {
    add(text, `always_redact[${index}]`, { type: text === scopeList ? "mask-unless-scope" : "mask" });
  }
  for (const [index, { field, rule: text, maxLength }] of policy.conditionalRedact.entries()) {
    const at = `conditional_redact[${index}]`;
    const rule = findRule(text);
    if (!rule)
      problems.push(redactionProblem("BATON-REDACTION-001", `${at}.rule`, `"${text}" is not a known rule`));
    if (maxLength !== undefined && !(Number.isInteger(maxLength) && maxLength >= leastLength)) {
      problems.push(
        redactionProblem("BATON-REDACTION-003", `${at}.max_length`, `${maxLength} is not accepted`),
      );
    }
    add(field, `${at}.field`, { type: "rule", rule: rule ?? "stripLines", maxLength });
  }
  if (problems.length > 0) return problems;
  return {
    root: entries.map(() => noProgress),
    enter: (place, ...names) => {
      const spelt = names.map(snakeCase);
      return entries.map(({ path }, index) => advance(path, place[index] as Progress, spelt));
    },
    // Masking comes first in the list, so it wins over a conditional rule for the same field.
    ruleAt: (place) => entries.find(({ path }, index) => isComplete(path, place[index] as Progress))?.rule,
  };
}
