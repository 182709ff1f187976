import type { Limits } from "@baton/contract";
import { applyRule } from "./apply-rule.ts";
import type { Coverage } from "./coverage.ts";
import { classOfName } from "./detectors/secret-name.ts";
import { isSecretInQuotes } from "./detectors/secret-value.ts";
import { RedactionFailure } from "./failure.ts";
import type { FieldRule, FieldRules } from "./field-rules.ts";
import { fieldKind, marker } from "./marker.ts";
import type { RedactedText } from "./redact-text.ts";
import { isScopeName } from "./scope-name.ts";

/** One walk through a structured value or a message. */
export interface Walk {
  readonly rules: FieldRules;
  /** What is looked for where no rule asks for more. */
  readonly least: Coverage;
  redactText(text: string, coverage: Coverage): RedactedText;
  /** Notes that one more element, so deep, with so many characters, is looked at; throws when that is too much. */
  count(depth: number, characters?: number): void;
  /** Whether anything was masked. */
  masked: boolean;
}

export function beginWalk(
  rules: FieldRules,
  redactText: Walk["redactText"],
  limits: Limits,
  least: Coverage,
): Walk {
  let [elements, size] = [0, 0];
  return {
    rules,
    least,
    redactText,
    masked: false,
    count: (depth, characters = 0) => {
      elements++;
      size += characters;
      const isTooMuch = elements > limits.maxElements || size > limits.maxBytes || depth > limits.maxDepth;
      if (isTooMuch) throw new RedactionFailure("BATON-REDACTION-102");
    },
  };
}

/** A text in a field with a rule, or with none. */
export function redactString(walk: Walk, text: string, rule: FieldRule | undefined): string {
  if (rule?.type === "mask" || (rule?.type === "mask-unless-scope" && !isScopeName(text))) {
    return maskField(walk);
  }
  const conditional = rule?.type === "rule" ? rule : undefined;
  const redact = (whole: string, coverage: Coverage) => walk.redactText(whole, coverage);
  const least = leastOf(rule, walk.least);
  const redacted = applyRule(conditional?.rule, conditional?.maxLength, text, least, redact);
  walk.masked ||= redacted.redactions.length > 0;
  return redacted.text;
}

/** Who did something is what a record is for: a name that is an address of mail stays. */
export function leastOf(rule: FieldRule | undefined, least: Coverage): Coverage {
  return rule?.type === "identity" ? "secrets" : least;
}

export function maskField(walk: Walk): string {
  walk.masked = true;
  return marker(fieldKind);
}

/** In structured data a name and its value are apart, so what an assignment in a text shows is asked here. */
export function isSecretByName(name: string, value: string): boolean {
  const nameClass = classOfName(name);
  return nameClass !== undefined && isSecretInQuotes(value, nameClass);
}
