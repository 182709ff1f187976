import { charClass } from "../../scan/char-class.ts";
import type { Detector, Finding } from "../../scan/detector.ts";
import type { Window } from "../../scan/window.ts";
import { goesOn, hasDigits, isApart, minCutOfNumber, numberStarts, readGroups } from "./number-groups.ts";

const plus = 0x2b;
const opening = 0x28;
const closing = 0x29;
const maxDigits = 15;
const separators = "-. ";

/** A phone number: with a plus, or in the groups of North America. */
export const detectPhoneNumber: Detector = {
  kind: "phone",
  anchors: numberStarts,
  minCut: minCutOfNumber,
  mayBegin: (text, _, end) => hasDigits(text, end - 1, 8),
  examine: (window, _, end) => {
    const start = end - 1;
    if (window.code(start - 1) === plus) return readInternational(window, start);
    return readNorthAmerican(window, start);
  },
};

/** Without separators it must be long, because sums and lines of patches also begin with a plus. */
function readInternational(window: Window, start: number): Finding | undefined {
  if (!isApart(window, start - 1) || window.code(start) === 0x30) return undefined;
  let [count, groups, end] = [0, 0, start];
  for (let at = start; count <= maxDigits; ) {
    const group = readGroups(window, at, "", maxDigits);
    if (group.end === at) break;
    count += group.digits.length;
    groups++;
    end = group.end;
    at = end;
    for (let mark = 0; mark < 2 && window.isOneOf(at, " -.()/"); mark++) at++;
  }
  const isNumber = count <= maxDigits && count >= (groups > 1 ? 8 : 10) && !goesOn(window, end);
  return isNumber ? { start: start - 1, end } : undefined;
}

function readNorthAmerican(window: Window, start: number): Finding | undefined {
  if (window.endOfRun(charClass.digit, start, start + 4) !== start + 3) return undefined;
  if (window.code(start - 1) === opening) return readInParentheses(window, start);
  // Group by group, because reading beyond the end of a line would delay the line in a stream.
  if (!isArea(window, start) || !window.isOneOf(start + 3, separators)) return undefined;
  if (!hasGroup(window, start + 4, 3) || !window.isOneOf(start + 7, separators)) return undefined;
  if (!hasGroup(window, start + 8, 4)) return undefined;
  const { sizes, end } = readGroups(window, start, separators, 10);
  const isNumber = sizes.join() === "3,3,4" && isUniform(window, start);
  return isNumber && !goesOn(window, end) ? { start, end } : undefined;
}

/** `(415) 555-2671`. */
function readInParentheses(window: Window, start: number): Finding | undefined {
  const area = readGroups(window, start, "", 3);
  if (area.sizes.join() !== "3" || !isArea(window, start) || window.code(area.end) !== closing)
    return undefined;
  const local = window.isOneOf(area.end + 1, " -") ? area.end + 2 : area.end + 1;
  const { sizes, end } = readGroups(window, local, "-. ", 7);
  return sizes.join() === "3,4" && !goesOn(window, end) ? { start: start - 1, end } : undefined;
}

/** Both separators are equal: "200.300 4000" is not a phone number. */
function isUniform(window: Window, start: number): boolean {
  return window.code(start + 3) === window.code(start + 7);
}

function isArea(window: Window, start: number): boolean {
  return window.code(start) >= 0x32;
}

/** IP addresses, which have a short group, are not phone numbers. */
function hasGroup(window: Window, from: number, size: number): boolean {
  return window.endOfRun(charClass.digit, from, from + size) === from + size;
}
