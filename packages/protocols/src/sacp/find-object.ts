/**
 * Finds the answer object in the text of a language model (SACP §7.1, SAC-03).
 *
 * F1. What is complete comes before what was cut off.
 * F2. What stands in a fence comes before what does not, as SACP §7.1 asks.
 * F3. Of several, the last: models think first and answer then.
 * F4. Nothing inside of an answer that was cut off is an answer.
 */
import type { JsonObject } from "@bufbuild/protobuf";
import { type Repair, readLeniently } from "./read-leniently.ts";

export interface FoundObject {
  readonly value: JsonObject;
  /** As it was written. */
  readonly text: string;
  readonly isFenced: boolean;
  /** Empty when it is JSON as it stands. */
  readonly repairs: readonly Repair[];
  /** It ended before it was complete. */
  readonly isTruncated: boolean;
}

/** Longer texts are looked at from their end. */
export const longestAnswer = 1024 * 1024;

/** How many characters are looked at for each character of the text, at the most, before it is given up. */
const readings = 4;

const hasSomething = (value: JsonObject) => Object.keys(value).length > 0;

/** The object for which `isAnswer` holds; which of several, the rules above say. */
export function findObject(
  text: string,
  isAnswer: (value: JsonObject) => boolean = hasSomething,
): FoundObject | undefined {
  const found = findObjects(text, isAnswer);
  const complete = found.filter(({ isTruncated }) => !isTruncated);
  return complete.findLast(({ isFenced }) => isFenced) ?? complete.at(-1) ?? found.at(-1);
}

function findObjects(whole: string, isAnswer: (value: JsonObject) => boolean): readonly FoundObject[] {
  const text = whole.slice(-longestAnswer);
  const found: FoundObject[] = [];
  let left = readings * text.length;
  let start = text.indexOf("{");
  while (start !== -1 && left > 0) {
    const { value, end, looks, repairs } = readLeniently(text, start);
    left -= looks;
    const isTruncated = repairs.has("truncated");
    const isOne = value !== undefined && isAnswer(value);
    if (isOne) {
      const isFenced = /```[\w-]*\s*$/.test(text.slice(Math.max(0, start - inFrontOfFenced), start));
      found.push({ value, text: text.slice(start, end), isFenced, repairs: [...repairs], isTruncated });
    }
    // What had to be repaired to be an object, and is no answer, may be half of something with the answer behind it.
    const isPassed = isOne || (value !== undefined && repairs.size === 0);
    start = text.indexOf("{", isPassed ? end : start + 1);
  }
  return found;
}

/** Room for the mark of a fence, its language and some white space. */
const inFrontOfFenced = 64;
