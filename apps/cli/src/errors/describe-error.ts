import { ErrorDetailSchema, encodeJson, type FieldViolation } from "@baton/contract/forms";
import { withInvocation } from "../invocation.ts";
import { limits } from "../limits.ts";
import { escapeJson, escapeLine } from "../terminal/escape.ts";
import { describeDuration } from "../terminal/format.ts";
import { paint, piece } from "../terminal/paint.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { ErrorReport } from "./error-report.ts";

/** Without the rule's name, which is for programs, and without repeating the message of the error. */
function describeViolation({ field, message }: FieldViolation, text: string): string {
  const position = field || "the message";
  return text.endsWith(message) ? position : `${position}: ${message}`;
}

/** Code, message, position, violations and fix; with --output json, the contract's ErrorDetail. */
export function describeError({ detail, at }: ErrorReport, terminal: Terminal, asJson: boolean): string {
  if (asJson) return `${escapeJson(encodeJson(ErrorDetailSchema, detail))}\n`;
  const listed = detail.violations.slice(0, limits.listedViolations);
  const hidden = detail.violations.length - listed.length;
  const lines = [
    `${paint(terminal, piece(detail.code, "bad"))}  ${escapeLine(detail.message)}`,
    ...(at ? [`  at ${escapeLine(at)}`] : []),
    ...listed.map((violation) => escapeLine(`  at ${describeViolation(violation, detail.message)}`)),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
    ...(detail.retryAfter ? [`  try again in ${describeDuration(detail.retryAfter)}`] : []),
    ...(detail.fix
      ? [`  ${paint(terminal, piece("fix:", "strong"))} ${escapeLine(withInvocation(detail.fix))}`]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}
