import { alphanumeric, charClass, isIn } from "../scan/char-class.ts";
import type { Window } from "../scan/window.ts";

const backslash = 0x5c;

/**
 * Whether a token can begin here, not within a word. A letter before it may belong to an escape: a terminal colour, a line
 * break in JSON, an encoded byte in a URL.
 */
export function isAtWordStart(window: Window, at: number): boolean {
  const before = window.code(at - 1);
  if (!isIn(before, alphanumeric) || window.isAfterGap(at)) return true;
  const isLineBreak = before === 0x6e || before === 0x72 || before === 0x74;
  if (isLineBreak && window.code(at - 2) === backslash) return true;
  if (isIn(before, charClass.hex)) {
    if (window.code(at - 3) === 0x25 && window.is(at - 2, charClass.hex)) return true;
    if (window.code(at - 6) === backslash && window.isOneOf(at - 5, "uU")) return true;
  }
  return before === 0x6d && endsColour(window, at - 1);
}

/** `[1;32m`, with the escape in any notation. */
function endsColour(window: Window, at: number): boolean {
  let before = at - 1;
  while (before > at - 12 && (window.is(before, charClass.digit) || window.code(before) === 0x3b)) before--;
  return window.code(before) === 0x5b;
}
