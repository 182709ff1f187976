import { ErrorDetailSchema, encodeJson } from "@baton/contract";
import { limits } from "../limits.ts";
import { escapeJson, escapeLine } from "../terminal/escape.ts";
import { paint, piece } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { describeDuration } from "../terminal/time.ts";
import type { Told } from "./tell-error.ts";

/** Code, place, what is wrong, field by field, and the way out; for programs, the contract's own message. */
export function describeError({ detail, at }: Told, look: Look, asJson: boolean): string {
  if (asJson) return `${escapeJson(encodeJson(ErrorDetailSchema, detail))}\n`;
  const shown = detail.violations.slice(0, limits.shownViolations);
  const hidden = detail.violations.length - shown.length;
  const lines = [
    `${paint(look, piece(detail.code, "bad"))}  ${escapeLine(detail.message)}`,
    ...(at ? [`  at ${escapeLine(at)}`] : []),
    ...shown.map(({ field, message, rule }) =>
      escapeLine(`  at ${field || "the message"}: ${message}${rule ? ` (${rule})` : ""}`),
    ),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
    ...(detail.retryAfter ? [`  try again in ${describeDuration(detail.retryAfter)}`] : []),
    ...(detail.fix ? [`  ${paint(look, piece("fix:", "strong"))} ${escapeLine(detail.fix)}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}
