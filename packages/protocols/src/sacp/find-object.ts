/**
 * Finds the answer object in the text of a language model (SACP §7.1, SAC-03).
 *
 * F1. What is complete comes before what was cut off.
 * F2. What stands in a fence comes before what does not, as SACP §7.1 asks.
 * F3. Of several, the last: models think first and answer then.
 * F4. Nothing inside of an answer that was cut off, or that cannot be read, is an answer.
 * F5. Nothing inside of a reasoning block is an answer.
 */
import type { JsonObject } from "@bufbuild/protobuf";
import { isInvisible, isSpace, quoteKind } from "./lenient/characters.ts";
import { readLeniently } from "./lenient/read-leniently.ts";
import type { Repair } from "./lenient/repairs.ts";
import { readStrictly } from "./read-strictly.ts";
import { isAtEnd, ReasoningMarks } from "./reasoning.ts";

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

/** An object of a text, and how it was read. */
export interface Candidate {
  readonly value: JsonObject;
  readonly start: number;
  readonly end: number;
  readonly isFenced: boolean;
  /** How often each repair was needed. */
  readonly repairs: ReadonlyMap<Repair, number>;
  readonly isTruncated: boolean;
  /** The member whose value was cut off. */
  readonly cutName: string | undefined;
  /** Members that are there twice with other values. */
  readonly contradicted: ReadonlySet<string>;
  /** It follows an answer that cannot be read, and may be a part of it. */
  readonly isDoubtful: boolean;
}

/** What the search looks for. */
export interface Wanted {
  /** Whether an object is an answer, or the beginning of one. */
  isAnswer(value: JsonObject, isTruncated: boolean): boolean;
  /** Whether an object with these names at its top, which could not be read, was meant to be an answer. */
  wasAnswer(names: readonly string[]): boolean;
}

export interface Search {
  readonly candidates: readonly Candidate[];
  /** There is an answer that cannot be read. */
  readonly isUnreadable: boolean;
  /** How many characters were looked at. */
  readonly looks: number;
}

/** Longer texts of programs are looked at from their end. */
export const longestAnswer = 1024 * 1024;

/** How many characters are looked at for each character of the text before the search gives up. */
const readings = 16;

const hasSomething = (value: JsonObject) => Object.keys(value).length > 0;

/** The object for which `isAnswer` holds; which of several, the rules above say. */
export function findObject(
  text: string,
  isAnswer: (value: JsonObject) => boolean = hasSomething,
): FoundObject | undefined {
  const looked = text.slice(-longestAnswer);
  const found = findCandidates(looked, { isAnswer, wasAnswer: () => false }).candidates;
  const complete = found.filter(({ isTruncated }) => !isTruncated);
  const chosen = complete.findLast(({ isFenced }) => isFenced) ?? complete.at(-1) ?? found.at(-1);
  return (
    chosen && {
      value: chosen.value,
      text: looked.slice(chosen.start, chosen.end),
      isFenced: chosen.isFenced,
      repairs: [...chosen.repairs.keys()],
      isTruncated: chosen.isTruncated,
    }
  );
}

/** All answers of a text, in their order. */
export function findCandidates(text: string, wanted: Wanted): Search {
  const marks = new ReasoningMarks(text);
  let candidates: Candidate[] = [];
  /** The last one that was found where the model may still have been reasoning. */
  let draft: Candidate | undefined;
  let looks = 0;
  let isReasoning = false;
  let isDoubtful = false;
  let at = 0;
  let brace = -1;
  const left = readings * (text.length + 1);
  while (looks + marks.looks < left) {
    if (brace < at && brace !== text.length) brace = nextBrace(text, at);
    const mark = marks.nextFrom(at);
    if (mark && mark.start < brace) {
      if (!mark.isOpening && !isReasoning) {
        // Some models leave out the mark that opens their reasoning.
        draft = candidates.at(-1) ?? draft;
        candidates = [];
      }
      isReasoning = mark.isOpening;
      at = mark.end;
      continue;
    }
    if (brace === text.length) break;
    if (isReasoning && mark && !mark.isOpening) {
      at = mark.end;
      isReasoning = false;
      continue;
    }
    if (!mayBegin(text, brace)) {
      at = brace + 1;
      continue;
    }
    const read = readAt(text, brace, wanted, isDoubtful);
    looks += read.looks;
    isDoubtful ||= read.isDoubtful;
    if (read.candidate && isReasoning) draft = read.candidate;
    else if (read.candidate) candidates.push(read.candidate);
    at = read.next;
  }
  // A model that never ended its reasoning may have answered in it, as its last word.
  const isLastWord = draft && !draft.isTruncated && isAtEnd(text, draft.end);
  if (draft && isLastWord && candidates.length === 0) candidates = [draft];
  return { candidates, isUnreadable: isDoubtful, looks: looks + marks.looks };
}

/** The end of the text when there is none, which then is not looked for again. */
function nextBrace(text: string, from: number): number {
  const found = text.indexOf("{", from);
  return found === -1 ? text.length : found;
}

interface ReadAt {
  readonly candidate?: Candidate;
  readonly looks: number;
  readonly isDoubtful: boolean;
  /** Where the search goes on. */
  readonly next: number;
}

function readAt(text: string, start: number, wanted: Wanted, isDoubtful: boolean): ReadAt {
  const isFenced = /(?:```|~~~)[\w-]*\s*$/.test(text.slice(Math.max(0, start - inFrontOfFenced), start));
  const strict = readStrictly(text, start);
  const common = { start, isFenced, isDoubtful };
  if (strict.value !== undefined) {
    const { value, end, looks } = strict;
    if (!wanted.isAnswer(value, false)) return { looks, isDoubtful: false, next: end };
    const read = { repairs: none, isTruncated: false, cutName: undefined, contradicted: nothing };
    return { candidate: { ...common, ...read, value, end }, looks, isDoubtful: false, next: end };
  }
  // The plainest meaning of the quotes comes first. What is JSON has no other.
  const trusting = readLeniently(text, start, { trustsQuotes: true });
  const lenient = trusting.value !== undefined || strict.isJson ? trusting : readLeniently(text, start);
  const { value, end, repairs, cutName, contradicted, names } = lenient;
  const looks = strict.looks + trusting.looks + (lenient === trusting ? 0 : lenient.looks);
  const isTruncated = repairs.has("truncated");
  if (value !== undefined && wanted.isAnswer(value, isTruncated)) {
    const candidate = { ...common, value, end, repairs, isTruncated, cutName, contradicted };
    return { candidate, looks, isDoubtful: false, next: end };
  }
  if (value === undefined && wanted.wasAnswer(names)) return { looks, isDoubtful: true, next: end };
  // What had to be repaired to be an object, and is no answer, may be half of something with the answer behind it.
  return { looks, isDoubtful: false, next: strict.isJson && value !== undefined ? end : start + 1 };
}

const none: ReadonlyMap<Repair, number> = new Map();
const nothing: ReadonlySet<string> = new Set();

/** Room for the mark of a fence, its language and some white space. */
const inFrontOfFenced = 64;

/** Whether an object may begin at a brace: a name or a comment follows. Most braces of prose and code end here. */
function mayBegin(text: string, brace: number): boolean {
  let at = brace + 1;
  while (at < text.length && (isSpace(text.charCodeAt(at)) || isInvisible(text.charCodeAt(at)))) at++;
  const character = text[at];
  if (character === undefined) return false;
  if (quoteKind(character) !== undefined || "{/#…".includes(character) || text.startsWith("...", at))
    return true;
  bareName.lastIndex = at;
  return bareName.test(text);
}

const bareName = /[A-Za-z_$][\w$-]{0,128}\s{0,16}[:=：]/y;
