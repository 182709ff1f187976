import { charClass, identifier } from "../../scan/char-class.ts";
import type { Detector, Finding } from "../../scan/detector.ts";
import { restOfEscapedQuote, restOfQuote, restOfValue, type Tail } from "../../scan/tail.ts";
import type { Window } from "../../scan/window.ts";
import { readSeparator } from "./assignment-separator.ts";
import { type NameClass, secretNames } from "./secret-name.ts";
import { isSecretInQuotes, isSecretUnquoted, judgedLength } from "./secret-value.ts";

const backslash = 0x5c;
const semicolon = 0x3b;

/** `password=…`, `"api_key": "…"`, `<token>…</token>`, `--secret …`: in files, in code, in addresses, in commands. */
export const detectAssignedSecrets: readonly Detector[] = [
  detectAssigned("password"),
  detectAssigned("token"),
];

function detectAssigned(name: NameClass): Detector {
  return {
    kind: `assigned-${name === "password" ? "password" : "secret"}`,
    anchors: secretNames[name],
    examine: (window, start, end) => {
      const nameEnd = endOfName(window, end);
      if (nameEnd === undefined) return undefined;
      const separator = readSeparator(window, start, nameEnd);
      if (!separator) return undefined;
      const quote = findQuote(window, separator.end);
      if (quote && isWordOfParser(window, start, quote)) return undefined;
      if (isWorkingFolder(window, start, nameEnd, quote?.start ?? separator.end)) return undefined;
      return quote ? readQuoted(window, quote, name) : readUnquoted(window, separator, name, start);
    },
  };
}

/** `PWD=/srv/shop`, `OLDPWD=/`: variables of every shell. Within a connection string `PWD=` is a password. */
function isWorkingFolder(window: Window, nameStart: number, nameEnd: number, valueStart: number): boolean {
  const from = window.startOfRun(identifier, nameStart, judgedLength);
  const name = window.slice(from, nameEnd);
  if ((name !== "PWD" && name !== "OLDPWD") || window.code(from - 1) === semicolon) return false;
  return /^\/[\w./@+-]*$/.test(window.slice(valueStart, endOfValue(window, valueStart)));
}

/** The end of the name, which may have a number: `PASSWORD_2`. */
function endOfName(window: Window, end: number): number | undefined {
  const digits = window.code(end) === 0x5f ? end + 1 : end;
  const after = window.endOfRun(charClass.digit, digits, digits + 3);
  const nameEnd = after > digits ? after : end;
  return window.is(nameEnd, identifier) ? undefined : nameEnd;
}

const quotes = new Map(['"', "'", "`"].map((quote) => [quote.charCodeAt(0), restOfQuote(quote)]));

interface Quote {
  readonly code: number;
  /** Start of the text within the quotes. */
  readonly start: number;
  /** Whether a backslash precedes both quotes. */
  readonly isEscaped: boolean;
}

/** `"…"`, `\"…\"`, and with a prefix `b"…"`, `f'…'`, `@"…"`. */
function findQuote(window: Window, at: number): Quote | undefined {
  const isPrefixed = window.isOneOf(at, "bBrRfFuU@") && window.isOneOf(at + 1, "\"'");
  const from = isPrefixed ? at + 1 : at;
  let opening = from;
  while (opening < from + 3 && window.code(opening) === backslash) opening++;
  const code = window.code(opening);
  return quotes.has(code) ? { code, start: opening + 1, isEscaped: opening > from } : undefined;
}

/** `token: "variable"`: parsers call their tokens by short words. */
function isWordOfParser(window: Window, nameStart: number, quote: Quote): boolean {
  return (window.code(nameStart) | 0x20) === 0x74 && /^[a-z-]{1,12}$/i.test(untilQuote(window, quote));
}

function readQuoted(window: Window, quote: Quote, name: NameClass): Finding | undefined {
  const { code, start, isEscaped } = quote;
  if (!window.is(start, charClass.visible) || !isSecretInQuotes(untilQuote(window, quote), name))
    return undefined;
  return { start, end: start + 1, tail: isEscaped ? restOfEscapedQuote : (quotes.get(code) as Tail) };
}

function untilQuote(window: Window, { code: quote, start, isEscaped }: Quote): string {
  let at = start;
  for (; at < start + judgedLength; at++) {
    const code = window.code(at);
    if (code === quote || code < 0x20) break;
    if (code === backslash && !isEscaped) at++;
  }
  const value = window.slice(start, Math.min(at, start + judgedLength));
  return isEscaped ? value.replace(/\\{1,3}$/, "") : value;
}

function readUnquoted(
  window: Window,
  { end, isTight }: { readonly end: number; readonly isTight: boolean },
  name: NameClass,
  nameStart: number,
): Finding | undefined {
  const until = endOfValue(window, end);
  const value = window.slice(end, until);
  const isMember = window.code(window.startOfRun(identifier, nameStart, judgedLength) - 1) === 0x2e;
  const setting = { name, isTight, isMember, fillsLine: !isTight && fillsLine(window, nameStart, until) };
  return isSecretUnquoted(value, setting) ? { start: end, end: end + 1, tail: restOfValue } : undefined;
}

function endOfValue(window: Window, start: number): number {
  const until = window.endOfRun(charClass.visible, start, start + judgedLength);
  for (let at = start; at < until; at++) if (window.is(at, charClass.endsValue)) return at;
  return until;
}

function fillsLine(window: Window, nameStart: number, valueEnd: number): boolean {
  if (!(window.code(valueEnd) < 0x20)) return false;
  let at = window.startOfRun(identifier | charClass.dot | charClass.dash, nameStart, judgedLength);
  while (window.isOneOf(at - 1, " \t-\"'") && at > nameStart - 2 * judgedLength) at--;
  return window.code(at - 1) < 0x20;
}
