import type { Limits } from "@baton/contract";
import { applyRule, coverageOf } from "./apply-rule.ts";
import type { Coverage } from "./coverage.ts";
import { classOfName } from "./detectors/assignment/secret-name.ts";
import { isSecretInQuotes } from "./detectors/assignment/secret-value.ts";
import { RedactionFailure } from "./failure.ts";
import type { FieldRule, FieldRules } from "./field-rules.ts";
import { fieldKind, marker } from "./marker.ts";
import type { RedactedText } from "./redact-text.ts";

/** One walk through a structured value or a message. */
export interface Walk {
  readonly rules: FieldRules;
  /** The coverage where no rule requires more. */
  readonly least: Coverage;
  readonly redactText: (text: string, coverage: Coverage) => RedactedText;
  /** A quick test: true when the text has nothing to mask. */
  readonly isHarmless: (text: string, coverage: Coverage) => boolean;
  /** Counts an element with its depth and characters; throws at a limit. */
  count(depth: number, characters?: number): void;
  /** Whether anything was masked. */
  masked: boolean;
}

/** The shared parts of a redactor's walks. */
type WalkParts = Pick<Walk, "rules" | "least" | "redactText" | "isHarmless"> & {
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

/** Redacts a text by the rule of its field, if any. */
export function redactString(walk: Walk, text: string, rule: FieldRule | undefined): string {
  if (rule?.type === "mask" || (rule?.type === "mask-unless-scope" && !isScopeName(text))) {
    return maskField(walk);
  }
  const conditional = rule?.type === "rule" ? rule : undefined;
  const least = minCoverageOf(rule, walk.least);
  const isShort = text.length <= (conditional?.maxLength ?? Number.POSITIVE_INFINITY);
  if (isShort && walk.isHarmless(text, coverageOf(conditional?.rule, least))) return text;
  const redacted = applyRule(conditional?.rule, conditional?.maxLength, text, least, walk.redactText);
  walk.masked ||= redacted.redactions.length > 0;
  return redacted.text;
}

/** An identity is kept, even an email address: the record is about who did something. */
export function minCoverageOf(rule: FieldRule | undefined, least: Coverage): Coverage {
  return rule?.type === "identity" ? "secrets" : least;
}

export function maskField(walk: Walk): string {
  walk.masked = true;
  return marker(fieldKind);
}

/** In structured data name and value are separate, so assignments are detected here. */
export function isSecretByName(name: string, value: string): boolean {
  const nameClass = classOfName(name);
  return nameClass !== undefined && isSecretInQuotes(value, nameClass);
}

const maxScopeLength = 128;
const part = /^(?:\*|[a-z]+(?:[_-][a-z]+)*|v\d{1,2}|[a-z]{1,8}\d{1,2})$/i;

/**
 * Whether a text is the name of a scope (`repo:read`, `orders.write`, `https://host/auth/drive.readonly`) and not a token:
 * words with separators.
 */
function isScopeName(text: string): boolean {
  if (text.length > maxScopeLength) return false;
  const parts = text.replace(/^https:\/\//, "").split(/[:./]/);
  return parts.length <= 12 && parts.every((word) => part.test(word));
}
