import { alphanumeric, charClass, isIn } from "../../scan/char-class.ts";
import type { Window } from "../../scan/window.ts";
import { isAtWordStart } from "../word-start.ts";

const joins = alphanumeric | charClass.dash | charClass.dot | charClass.underscore;

const dash = 0x2d;
const lineFeed = 0x0a;

/** White space as escaped in JSON. */
const escapes = ["\\n", "\\r", "\\t"];

/** A dash at the start of a line is a mark of a patch or a list and joins nothing. */
const lineMarks = ["\n-", "\\n-"];

/**
 * Anchors for numbers that are not part of a longer name, version or identifier: the first digit with the character before
 * it. With them the automaton alone skips digests, identifiers and fractions. Characters beyond ASCII have code 0.
 */
export const numberStarts: readonly string[] = Array.from({ length: 128 }, (_, code) => code)
  .filter((code) => !isIn(code, joins))
  .map((code) => String.fromCharCode(code))
  .concat(escapes, lineMarks)
  .flatMap((before) => Array.from({ length: 10 }, (_, digit) => `${before}${digit}`));

/** Years, counts and ports are shorter, and the first digits of a number identify no one. */
export const minCutOfNumber = 5;

/** Whether the text here is not part of a longer name, version or identifier. */
export function isApart(window: Window, at: number): boolean {
  if (!window.is(at - 1, joins)) return true;
  if (window.code(at - 1) === dash && window.code(at - 2) === lineFeed) return true;
  return window.is(at - 1, alphanumeric) && isAtWordStart(window, at);
}

/** Whether a number that ends here continues as something else. */
export function goesOn(window: Window, end: number): boolean {
  if (window.is(end, alphanumeric | charClass.underscore)) return true;
  const isJoined = window.is(end, charClass.dash | charClass.dot | charClass.colon);
  return isJoined && window.is(end + 1, alphanumeric);
}

/** Separators between groups of digits, and how many may be adjacent. */
const marks = " -.()/";
const maxMarks = 2;

/** Whether this many digits follow, with only separators in between. A quick test, because most numbers are short. */
export function hasDigits(text: string, from: number, count: number): boolean {
  if (text.length - from < count) return false;
  let digits = 0;
  let between = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) {
      if (++digits === count) return true;
      between = 0;
    } else if (++between > maxMarks || !marks.includes(text.charAt(at))) {
      return false;
    }
  }
  return false;
}

export interface Groups {
  readonly digits: string;
  /** The sizes of the groups: "555-123-4567" is [3, 3, 4]. */
  readonly sizes: readonly number[];
  readonly end: number;
}

/** Reads digits in groups, with at most one of the separators between two groups. */
export function readGroups(window: Window, from: number, separators: string, maxDigits: number): Groups {
  const sizes: number[] = [];
  let [all, at, end] = ["", from, from];
  for (;;) {
    const groupEnd = window.endOfRun(charClass.digit, at, at + maxDigits + 1);
    if (groupEnd === at) break;
    sizes.push(groupEnd - at);
    all += window.slice(at, groupEnd);
    end = groupEnd;
    if (all.length > maxDigits || !window.isOneOf(groupEnd, separators)) break;
    at = groupEnd + 1;
  }
  return { digits: all, sizes, end };
}
