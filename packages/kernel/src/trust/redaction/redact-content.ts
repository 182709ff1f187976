import type { Limits } from "@baton/contract";
import { applyRule, coverageOf } from "./apply-rule.ts";
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
  readonly redactText: (text: string, coverage: Coverage) => RedactedText;
  /** A quick look: true when there is nothing in the text that could have to go. */
  readonly isHarmless: (text: string, coverage: Coverage) => boolean;
  /** Notes that one more element, so deep, with so many characters, is looked at; throws when that is too much. */
  count(depth: number, characters?: number): void;
  /** Whether anything was masked. */
  masked: boolean;
}

/** What all walks of a redactor have in common. */
export type WalkParts = Pick<Walk, "rules" | "least" | "redactText" | "isHarmless"> & {
  readonly limits: Limits;
};

export function beginWalk({ rules, least, redactText, isHarmless, limits }: WalkParts): Walk {
  let [elements, size] = [0, 0];
  return {
    rules,
    least,
    redactText,
    isHarmless,
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
  const least = leastOf(rule, walk.least);
  const isShort = text.length <= (conditional?.maxLength ?? Number.POSITIVE_INFINITY);
  if (isShort && walk.isHarmless(text, coverageOf(conditional?.rule, least))) return text;
  const redacted = applyRule(conditional?.rule, conditional?.maxLength, text, least, walk.redactText);
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
