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
  /** A list of scope names; other items are masked. */
  | { readonly type: "mask-unless-scope" }
  /** The identity of an authenticated caller: secrets are masked, personal data is not. */
  | { readonly type: "identity" }
  | { readonly type: "rule"; readonly rule: RedactionRule; readonly maxLength: number | undefined };

/** The position of a walk in terms of all paths of the policy. Equal positions are the same object. */
export interface PolicyPosition {
  readonly progress: readonly Progress[];
  /** The rule of the field at this position. */
  readonly rule: FieldRule | undefined;
  /** Cached positions by name; field names of messages are few. */
  readonly known: Map<string, PolicyPosition>;
  /** The same for messages, by their type. */
  readonly steps: Map<DescMessage, Steps>;
}

/** The fields of a message, with their positions. */
export interface Steps {
  readonly all: readonly Step[];
  /** Without fields that have neither text nor a rule at any depth. */
  readonly lean: readonly Step[];
}

/** To a field, or to the one of a oneof that is set. */
export type Step = Single | Choice;

export interface Single {
  readonly group: undefined;
  readonly field: DescField;
  readonly below: PolicyPosition;
  /** The last text without anything to mask; consecutive messages often repeat it. */
  harmless: string | undefined;
}

export interface Choice {
  /** The property that states which one is set. */
  readonly group: string;
  readonly arms: ReadonlyMap<string, Single>;
}

export interface FieldRules {
  readonly root: PolicyPosition;
  /** Takes one step, which may have a second name. */
  enter(position: PolicyPosition, name: string, otherName?: string): PolicyPosition;
}

/** Bounded, because names in structured data are arbitrary. */
const maxCachedNames = 1_024;

/** The example of A §5.3 lists this field with the remark "log scope names, not token values". */
const scopeList = "safety_context.auth_scopes";

/**
 * Set by the hub to the operator's name for a tenant, which a policy may mask. Names of keys have a form that cannot hold
 * personal data, and names of agents are chosen by the agents.
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
  const positionOf = (progress: readonly Progress[]): PolicyPosition => {
    const key = progress.join();
    const known = positions.get(key);
    if (known) return known;
    // Masking precedes conditional rules in the list, so it takes precedence.
    const rule = entries.find(({ path }, index) => isComplete(path, progress[index] as Progress))?.rule;
    const position = { progress, rule, known: new Map(), steps: new Map() };
    positions.set(key, position);
    return position;
  };
  return {
    root: positionOf(entries.map(() => noProgress)),
    enter: (position, name, otherName) => {
      const key = otherName === undefined ? name : `${name}\n${otherName}`;
      const known = position.known.get(key);
      if (known) return known;
      const names = [name, ...(otherName === undefined ? [] : [otherName])].map(snakeCase);
      const next = positionOf(
        entries.map(({ path }, index) => advance(path, position.progress[index] as Progress, names)),
      );
      if (position.known.size < maxCachedNames) position.known.set(key, next);
      return next;
    },
  };
}
