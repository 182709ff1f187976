import type { DescField, DescMessage } from "@bufbuild/protobuf";
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

/** The rule of a field. */
export type FieldRule =
  | { readonly type: "mask" }
  /** A list of scope names; only items that are not scope names are masked. */
  | { readonly type: "mask-unless-scope" }
  /** Names a caller that the hub knows by a key: secrets are masked in it, personal data is not. */
  | { readonly type: "identity" }
  | { readonly type: "rule"; readonly rule: RedactionRule; readonly maxLength: number | undefined };

/** Where a walk is, in terms of every path of the policy. Equal positions are the same object. */
export interface PolicyPosition {
  readonly progress: readonly Progress[];
  /** The rule of the field at this position. */
  readonly rule: FieldRule | undefined;
  /** Cached positions by name; field names of messages are few. */
  readonly known: Map<string, PolicyPosition>;
  /** The same for messages, by their type. */
  readonly steps: Map<DescMessage, Steps>;
}

/** The fields of a message, and the position that each of them is at. */
export interface Steps {
  readonly all: readonly Step[];
  /** Without fields that have neither text nor a rule at any depth. */
  readonly lean: readonly Step[];
}

/** To one field, or to the one of several that is chosen. */
export type Step = Single | Choice;

export interface Single {
  readonly group: undefined;
  readonly field: DescField;
  readonly below: PolicyPosition;
  /** The last text that was there and could stay: messages that leave together have much in common. */
  harmless: string | undefined;
}

export interface Choice {
  /** The property that says which one it is. */
  readonly group: string;
  readonly arms: ReadonlyMap<string, Single>;
}

export interface FieldRules {
  readonly root: PolicyPosition;
  /** Goes down one step, which may have a second name. */
  enter(position: PolicyPosition, name: string, otherName?: string): PolicyPosition;
}

/** Names in structured data are arbitrary, so the cache is bounded. */
const maxCachedNames = 1_024;

/** The example of A §5.3 lists this field with the remark "log scope names, not token values". */
const scopeList = "safety_context.auth_scopes";

/**
 * Filled by the hub itself with what its operator chose to call a tenant. A policy may mask it. Names of keys are of a
 * form that holds no personal data, and those of agents are the agents' own words.
 */
const identities = ["**/*.tenant_id", "log.tenant"];

/** A cut value must have room for its marker. */
export const minMaxLength = 64;

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
    if (maxLength !== undefined && !(Number.isInteger(maxLength) && maxLength >= minMaxLength)) {
      problems.push(
        redactionProblem("BATON-REDACTION-003", `${at}.max_length`, `${maxLength} is not accepted`),
      );
    }
    add(field, `${at}.field`, { type: "rule", rule: rule ?? "stripLines", maxLength });
  }
  if (problems.length > 0) return problems;
  for (const path of identities) add(path, "", { type: "identity" });
  const positions = new Map<string, PolicyPosition>();
  const placeOf = (progress: readonly Progress[]): PolicyPosition => {
    const key = progress.join();
    const known = positions.get(key);
    if (known) return known;
    // Masking comes first in the list, so it wins over a conditional rule for the same field.
    const rule = entries.find(({ path }, index) => isComplete(path, progress[index] as Progress))?.rule;
    const position = { progress, rule, known: new Map(), steps: new Map() };
    positions.set(key, position);
    return position;
  };
  return {
    root: placeOf(entries.map(() => noProgress)),
    enter: (position, name, otherName) => {
      const key = otherName === undefined ? name : `${name}\n${otherName}`;
      const known = position.known.get(key);
      if (known) return known;
      const names = [name, ...(otherName === undefined ? [] : [otherName])].map(snakeCase);
      const next = placeOf(
        entries.map(({ path }, index) => advance(path, position.progress[index] as Progress, names)),
      );
      if (position.known.size < maxCachedNames) position.known.set(key, next);
      return next;
    },
  };
}
