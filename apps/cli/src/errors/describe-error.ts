import { ErrorDetailSchema, encodeJson, type FieldViolation } from "@baton/contract/forms";
import { asCalled } from "../called-as.ts";
import { limits } from "../limits.ts";
import { escapeJson, escapeLine } from "../terminal/escape.ts";
import { paint, piece } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { describeDuration } from "../terminal/time.ts";
import type { Told } from "./tell-error.ts";

/** The names of rules are for programs, and what has just been said need not be said again. */
function describeViolation({ field, message }: FieldViolation, said: string): string {
  const place = field || "the message";
  return said.endsWith(message) ? place : `${place}: ${message}`;
}

/** Code, place, what is wrong, field by field, and the way out; for programs, the contract's own message. */
export function describeError({ detail, at }: Told, look: Look, asJson: boolean): string {
  if (asJson) return `${escapeJson(encodeJson(ErrorDetailSchema, detail))}\n`;
  const shown = detail.violations.slice(0, limits.shownViolations);
  const hidden = detail.violations.length - shown.length;
  const lines = [
    `${paint(look, piece(detail.code, "bad"))}  ${escapeLine(detail.message)}`,
    ...(at ? [`  at ${escapeLine(at)}`] : []),
    ...shown.map((violation) => escapeLine(`  at ${describeViolation(violation, detail.message)}`)),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
    ...(detail.retryAfter ? [`  try again in ${describeDuration(detail.retryAfter)}`] : []),
    ...(detail.fix ? [`  ${paint(look, piece("fix:", "strong"))} ${escapeLine(asCalled(detail.fix))}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}
