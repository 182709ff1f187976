import type { Redactor } from "../trust/redaction/redactor.ts";
import { type AnswerText, type GuardedAnswer, isFailure, textsOf, valuesOf } from "./answer.ts";
import { type AnswerPart, type GuardrailCheck, personalKinds } from "./policy.ts";
import type { RedactedAnswer } from "./verdict.ts";

/** A violation: where, and why, without what was found. */
export interface Violation {
  readonly path: string;
  readonly reason: string;
}

type BuiltIn = Exclude<GuardrailCheck, { kind: "command" | "function" }>;

/** Characters that are checked at once, and those of the piece before that are checked again. */
const pieceLength = 65_536;
const overlap = 4_096;

/**
 * Checks an answer piece by piece: the caller decides between two pieces whether others have a turn. Returns the first
 * violation.
 */
export function* checkBuiltIn(
  check: BuiltIn,
  answer: GuardedAnswer,
  parts: readonly AnswerPart[],
  redactor: Pick<Redactor, "redactText">,
): Generator<undefined, Violation | undefined> {
  if (check.kind === "size") return findTooLarge(check.maxChars, answer, parts);
  return yield* findInTexts(check, textsOf(answer, parts), redactor);
}

/** The same for any texts. */
export function* findInTexts(
  check: Exclude<BuiltIn, { kind: "size" }>,
  texts: Iterable<AnswerText>,
  redactor: Pick<Redactor, "redactText">,
): Generator<undefined, Violation | undefined> {
  const find = finderOf(check, redactor);
  let checked = 0;
  for (const { path, text } of texts) {
    for (const piece of piecesOf(text)) {
      const reason = find(piece);
      if (reason !== undefined) return { path, reason };
      checked += piece.length + 16;
      if (checked < pieceLength) continue;
      checked = 0;
      yield undefined;
    }
  }
  return undefined;
}

function* piecesOf(text: string): Iterable<string> {
  if (text.length <= pieceLength) return yield text;
  for (let start = 0; start < text.length; start += pieceLength - overlap)
    yield text.slice(start, start + pieceLength);
}

function findTooLarge(
  maxChars: number,
  answer: GuardedAnswer,
  parts: readonly AnswerPart[],
): Violation | undefined {
  for (const part of parts)
    for (const [path, value] of valuesOf(answer, part)) {
      const { length } = typeof value === "string" ? value : JSON.stringify(value);
      if (length > maxChars)
        return {
          path,
          reason: `has ${length} characters, which are more than the ${maxChars} that are allowed`,
        };
    }
  return undefined;
}

function finderOf(
  check: Exclude<BuiltIn, { kind: "size" }>,
  redactor: Pick<Redactor, "redactText">,
): (text: string) => string | undefined {
  switch (check.kind) {
    case "secrets":
      return (text) => {
        const [found] = redactor.redactText(text, "secrets").redactions;
        return found && `contains a secret: ${found.kind}`;
      };
    case "personal_data": {
      const wanted = new Map(check.kinds.map((kind) => [personalKinds[kind] as string, kind]));
      return (text) => {
        const { redactions } = redactor.redactText(text, "secrets-and-personal");
        const found = redactions.find(({ kind }) => wanted.has(kind));
        return found && `contains personal data: ${wanted.get(found.kind)}`;
      };
    }
    case "banned_phrases": {
      const phrases = check.phrases.map(plain);
      return (text) => {
        const normalized = plain(text);
        const found = phrases.findIndex((phrase) => containsPhrase(normalized, phrase));
        return found === -1 ? undefined : `contains banned phrase ${found + 1} of the list`;
      };
    }
  }
}

/** Without the differences that readers do not see: case, forms of the same letter, white space, invisible characters. */
function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\p{Cf}\p{Mn}]/gu, "")
    .replace(/\s+/g, " ");
}

/** Whole words only: "ass" is not in "class". */
function containsPhrase(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    const joinsBefore = isWord(phrase[0]) && isWord(text[at - 1]);
    const end = at + phrase.length;
    if (!joinsBefore && !(isWord(phrase.at(-1)) && isWord(text[end]))) return true;
  }
  return false;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

/**
 * The message of a failure without what is sensitive in it, and without the sensitive texts of its `data` (SACP §9.1).
 * Undefined when nothing changes. `data` stays: only the orchestrator reads it.
 */
export function redactFailure(
  answer: GuardedAnswer,
  redactor: Pick<Redactor, "redactText">,
): RedactedAnswer | undefined {
  if (!isFailure(answer)) return undefined;
  const sensitive = sensitiveTexts(textsOf(answer, ["data"]), redactor);
  const redact = (text: string) => {
    let masked = redactor.redactText(text, "secrets-and-personal").text;
    for (const one of sensitive) masked = masked.replaceAll(one, "[redacted:data]");
    return masked;
  };
  const [message, summary, failureReason] = [answer.message, answer.summary, answer.failure_reason].map(
    redact,
  );
  const changed: RedactedAnswer = {
    ...(message !== undefined && message !== answer.message && { message }),
    ...(summary !== undefined && summary !== answer.summary && { summary }),
    ...(failureReason !== undefined && failureReason !== answer.failure_reason && { failureReason }),
  };
  return Object.keys(changed).length > 0 ? changed : undefined;
}

/** Shorter ones would mask ordinary words. */
const minSensitive = 4;
const maxSensitive = 1_000;

function sensitiveTexts(
  texts: Iterable<AnswerText>,
  redactor: Pick<Redactor, "redactText">,
): readonly string[] {
  const found = new Set<string>();
  for (const { text } of texts) {
    for (const { start, end } of redactor.redactText(text, "secrets-and-personal").redactions) {
      const one = text.slice(start, end).trim();
      if (one.length >= minSensitive && one.length <= 4_096) found.add(one);
      if (found.size >= maxSensitive) return [...found];
    }
  }
  return [...found].toSorted((a, b) => b.length - a.length);
}
