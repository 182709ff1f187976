import { charClass } from "../../scan/char-class.ts";
import type { Detector } from "../../scan/detector.ts";
import type { Window } from "../../scan/window.ts";
import { goesOn, hasDigits, minCutOfNumber, numberStarts, readGroups } from "./number-groups.ts";

/** The first digits of issuers, with the lengths of their numbers. */
const issuers: readonly (readonly [first: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:6011|65|64[4-9]|62)/, [16, 19]],
  [/^35(?:2[89]|[3-8])/, [16]],
  [/^3(?:0[0-5]|[689])/, [14]],
];

/** A payment card number with a valid check digit. */
export const detectCardNumber: Detector = {
  kind: "card-number",
  anchors: numberStarts,
  minCut: minCutOfNumber,
  mayBegin: (text, _, end) => hasDigits(text, end - 1, 13),
  examine: (window, _, anchorEnd) => {
    const start = anchorEnd - 1;
    if (!mayBeCard(window, start)) return undefined;
    const { digits: all, end } = readGroups(window, start, "- ", 19);
    const isIssued = issuers.some(([first, lengths]) => first.test(all) && lengths.includes(all.length));
    return isIssued && hasCheckDigit(all) && !goesOn(window, end) ? { start, end } : undefined;
  },
};

/** A quick test: thirteen digits at once, or two groups of at least four. */
function mayBeCard(window: Window, start: number): boolean {
  const first = window.endOfRun(charClass.digit, start, start + 13);
  if (first - start < 4 || first - start === 13) return first - start === 13;
  return window.isOneOf(first, "- ") && window.endOfRun(charClass.digit, first + 1, first + 5) === first + 5;
}

/** ISO/IEC 7812-1, annex B. */
function hasCheckDigit(all: string): boolean {
  let sum = 0;
  for (let at = 0; at < all.length; at++) {
    const digit = all.charCodeAt(all.length - 1 - at) - 0x30;
    const doubled = at % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
