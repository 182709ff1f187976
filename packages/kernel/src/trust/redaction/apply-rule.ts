import type { Coverage } from "./coverage.ts";
import { cutMarker, lineKind, marker } from "./marker.ts";
import type { RedactionRule } from "./policy.ts";
import type { RedactedText } from "./redact-text.ts";

/** The minimum coverage of each rule of A §5.3. A rule about personal data masks secrets too. */
export function coverageOf(rule: RedactionRule | undefined, least: Coverage): Coverage {
  return rule === "redactPersonal" ? "secrets-and-personal" : least;
}

/** Masks secrets or their whole lines, by the rule, and then cuts the text. */
export function applyRule(
  rule: RedactionRule | undefined,
  maxLength: number | undefined,
  text: string,
  least: Coverage,
  redact: (text: string, coverage: Coverage) => RedactedText,
): RedactedText {
  const redacted = redact(text, coverageOf(rule, least));
  const stripped = rule === "stripLines" ? stripLines(text, redacted) : redacted;
  return maxLength === undefined ? stripped : { ...stripped, text: cut(stripped.text, maxLength) };
}

/** Each line with a secret becomes one marker; so do all lines of a longer secret. */
function stripLines(text: string, { redactions }: RedactedText): RedactedText {
  const lines: { kind: string; start: number; end: number }[] = [];
  for (const { start, end } of redactions) {
    const last = lines.at(-1);
    if (last && end <= last.end) continue;
    const lineEnd = endOfLine(text, Math.max(start, end - 1));
    if (last && start <= last.end) last.end = lineEnd;
    else lines.push({ kind: lineKind, start: text.lastIndexOf("\n", start) + 1, end: lineEnd });
  }
  let [stripped, given] = ["", 0];
  for (const { start, end } of lines) {
    stripped += text.slice(given, start) + marker(lineKind);
    given = end;
  }
  return { text: stripped + text.slice(given), redactions: lines };
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  if (newline < 0) return text.length;
  return newline > from && text[newline - 1] === "\r" ? newline - 1 : newline;
}

/** Never cuts within a marker or a surrogate pair. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let end = maxLength - cutMarker.length;
  const opening = text.lastIndexOf("[redacted:", end);
  const closing = opening < 0 ? -1 : text.indexOf("]", opening);
  if (closing >= end) end = opening;
  const isSplit = !text.slice(0, end).isWellFormed() && text.slice(0, end + 1).isWellFormed();
  return text.slice(0, isSplit ? end - 1 : end) + cutMarker;
}
