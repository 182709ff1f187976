/**
 * Reads the answer of a language model as a response of SACP (§7, SAC-03, SAC-04).
 *
 * R1. Every text gives a valid response; one that cannot be read gives the fallback of SACP §7.2.
 * R2. Nothing is invented: fields come from the text, and what was cut off is not completed.
 * R3. `status` is never guessed, because it routes.
 * R4. Every difference from what was written is reported.
 * R5. The work is proportional to the length of the text.
 */
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { coerce, isObject } from "./coerce.ts";
import { decodings } from "./decodings.ts";
import { type Candidate, findCandidates } from "./find-object.ts";
import type { Repair } from "./lenient/repairs.ts";
import { blockExample } from "./protocol-block.ts";
import { readWhole } from "./read-strictly.ts";
import {
  type HowRead,
  type Liberty,
  longestResponse,
  type ReadOptions,
  type ResponseProblem,
  type ResponseReading,
} from "./reading.ts";
import { fallbackResponse, responseStatuses, type SacpResponse, type StatusName } from "./response.ts";
import {
  isPlaceholder,
  libertiesOf,
  looksLikeAnswer,
  type Taken,
  takeResponse,
  wasAnswer,
} from "./take-response.ts";

/** Texts within texts. */
const deepestDecoding = 3;

export function readResponse(text: string, options: ReadOptions = {}): ResponseReading {
  const allow = options.allow ?? responseStatuses;
  if (text.length > longestResponse) {
    const message = `is longer than ${longestResponse} characters`;
    return fallback(
      text.slice(0, longestResponse),
      [{ path: "", rule: "length", message }],
      [{ kind: "text cut" }],
    );
  }
  const reading = readClean(text, allow, options) ?? search(text, allow, options, 0);
  if ("response" in reading) return hasSurrogates(text) ? wellFormed(reading) : reading;
  return fallback(text, reading.problems);
}

function fallback(
  text: string,
  problems: readonly ResponseProblem[],
  liberties: readonly Liberty[] = [],
): ResponseReading {
  const reading = { response: fallbackResponse(text), how: "fallback" as const, liberties, problems };
  return text.isWellFormed() ? reading : wellFormed(reading);
}

/** Most answers are JSON and nothing else. */
function readClean(
  text: string,
  allow: readonly StatusName[],
  options: ReadOptions,
): ResponseReading | undefined {
  const value = readWhole(text);
  if (value === undefined) return undefined;
  if (isExact(value, allow)) return finish(value as SacpResponse, "clean", [], options);
  const taken = takeResponse({ value, ...untouched }, allow);
  const how = isTakenOut(taken) ? "repaired" : "clean";
  return taken.response && finish(taken.response, how, taken.liberties, options);
}

/** Whether an object is a response as it stands. */
function isExact(value: JsonObject, allow: readonly StatusName[]): boolean {
  const { thought, status, data, message, next_step_hint: hint } = value;
  if (typeof thought !== "string" || typeof message !== "string" || !isObject(data)) return false;
  if (!(allow as readonly (JsonValue | undefined)[]).includes(status) || isPlaceholder(thought, message))
    return false;
  const fields = Object.keys(value).length;
  return fields === 4 || (fields === 5 && typeof hint === "string");
}

const untouched = { isTruncated: false, cutName: undefined, contradicted: new Set<string>() };

interface Unreadable {
  readonly problems: readonly ResponseProblem[];
}

interface Reply {
  readonly candidate: Candidate;
  readonly taken: Taken;
}

/** A reply that can be used. */
interface Valid extends Reply {
  readonly response: SacpResponse;
}

function search(
  text: string,
  allow: readonly StatusName[],
  options: ReadOptions,
  level: number,
): ResponseReading | Unreadable {
  const { candidates, isUnreadable } = findCandidates(text, { isAnswer: looksLikeAnswer, wasAnswer });
  const replies = candidates.map((candidate) => ({ candidate, taken: takeResponse(candidate, allow) }));
  const valid = replies.flatMap(({ candidate, taken }) => {
    const { response, isFull } = taken;
    const isSure = isFull || (!candidate.isDoubtful && standsAlone(text, candidate));
    return response && isSure ? [{ candidate, taken, response }] : [];
  });
  const chosen = choose(valid, options);
  if (chosen === undefined) {
    // An answer that is there and wrong is not looked for again in a decoded form.
    const decoded =
      candidates.length === 0 && !isUnreadable ? decode(text, allow, options, level) : undefined;
    return decoded ?? { problems: whyNone(replies, isUnreadable) };
  }
  const { candidate, taken, response } = chosen.reply;
  const later = replies.findLast((reply) => isLaterAnswer(reply, candidate));
  if (later) return { problems: later.taken.problems };
  const others = valid.some((other) => other.candidate !== candidate && !isSame(other.response, response));
  const liberties: Liberty[] = [
    ...libertiesOf(candidate.repairs),
    ...taken.liberties,
    ...(others ? [{ kind: "several answers" as const }] : []),
    ...(chosen.isBySchema ? [{ kind: "chosen by schema" as const }] : []),
  ];
  return finish(response, howRead(text, chosen.reply), liberties, options);
}

/** The last of the best: with all fields, complete, in a fence, and no copy of the example in the instructions. */
function choose(
  valid: readonly Valid[],
  { dataSchema, validate }: ReadOptions,
): { readonly reply: Valid; readonly isBySchema: boolean } | undefined {
  const rankings: readonly ((reply: Valid) => boolean)[] = [
    ({ response }) => !isSame(response, blockExample),
    ({ candidate }) => !candidate.isTruncated,
    ({ taken }) => taken.isFull,
    ({ candidate }) => candidate.isFenced,
  ];
  let best = valid;
  for (const isBetter of rankings) {
    const better = best.filter(isBetter);
    if (better.length > 0) best = better;
  }
  const last = best.at(-1);
  if (last === undefined || !dataSchema || !validate) return last && { reply: last, isBySchema: false };
  const fitting = best.findLast(
    ({ response }) => response.status === last.response.status && fits(response, dataSchema, validate),
  );
  return { reply: fitting ?? last, isBySchema: fitting !== undefined && fitting !== last };
}

function fits(
  { data }: SacpResponse,
  schema: JsonObject,
  validate: NonNullable<ReadOptions["validate"]>,
): boolean {
  return validate(coerce(schema, data, () => {}) as JsonObject).length === 0;
}

/** An answer that cannot be used and comes after the chosen one: the model changed its mind, to what is not known. */
function isLaterAnswer({ candidate, taken }: Reply, chosen: Candidate): boolean {
  if (taken.response || !taken.isMeant || candidate.isTruncated || candidate.start < chosen.start)
    return false;
  return candidate.isFenced || !chosen.isFenced;
}

function isSame(one: JsonObject | SacpResponse, other: JsonObject | SacpResponse): boolean {
  return (
    one.status === other.status &&
    one.message === other.message &&
    JSON.stringify(one) === JSON.stringify(other)
  );
}

/** Whether an object has its lines for itself: one with few fields in the middle of a sentence is quoted, not answered. */
function standsAlone(text: string, { start, end, isFenced }: Candidate): boolean {
  if (isFenced) return true;
  const before =
    text
      .slice(Math.max(0, start - aLine), start)
      .split("\n")
      .at(-1) ?? "";
  const behind = text.slice(end, end + aLine).split("\n", 1)[0] ?? "";
  return /^(?:\W|answer|json|final|output|response|result|assistant)*$/i.test(before) && /^\W*$/.test(behind);
}

const aLine = 128;

function howRead(text: string, { candidate, taken }: Reply): HowRead {
  if (isTakenOut(taken) || [...candidate.repairs.keys()].some((repair) => !isJson.has(repair)))
    return "repaired";
  if (candidate.isFenced) return "fenced";
  return text.trim().length === candidate.end - candidate.start ? "clean" : "extracted";
}

/** What JSON allows, and JSON.parse passes over in silence. */
const isJson: ReadonlySet<Repair> = new Set(["duplicate key", "number with too many digits"]);

function isTakenOut({ liberties }: Taken): boolean {
  return liberties.some(({ kind }) => kind === "wrapped" || kind === "double-encoded");
}

/** The answer of a text that encodes another one. */
function decode(
  text: string,
  allow: readonly StatusName[],
  options: ReadOptions,
  level: number,
): ResponseReading | undefined {
  if (level === deepestDecoding) return undefined;
  for (const { kind, decode } of decodings) {
    const decoded = decode(text);
    if (decoded === undefined) continue;
    const reading = readClean(decoded, allow, options) ?? search(decoded, allow, options, level + 1);
    if (!("response" in reading)) continue;
    return { ...reading, how: "repaired", liberties: [{ kind }, ...reading.liberties] };
  }
  return undefined;
}

function whyNone(replies: readonly Reply[], isUnreadable: boolean): readonly ResponseProblem[] {
  const meant = replies.findLast(({ taken }) => taken.isMeant) ?? replies.at(-1);
  if (meant && meant.taken.problems.length > 0) return meant.taken.problems;
  if (isUnreadable)
    return [{ path: "", rule: "json", message: "there is an answer, but it cannot be read as JSON" }];
  if (meant) return [{ path: "", rule: "answer", message: "the object in the text may be a quotation" }];
  return [{ path: "", rule: "answer", message: 'there is no JSON object with "status" and "message"' }];
}

function finish(
  response: SacpResponse,
  how: HowRead,
  liberties: readonly Liberty[],
  { dataSchema, validate }: ReadOptions,
): ResponseReading {
  const isResult = response.status === "success" || response.status === "completed";
  if (!isResult || (!dataSchema && !validate)) return { response, how, liberties };
  const coerced: Liberty[] = [];
  const take = (path: string) => coerced.push({ kind: "coerced", path: `.data${path}` });
  const data = dataSchema ? (coerce(dataSchema, response.data, take) as JsonObject) : response.data;
  const problems = (validate?.(data) ?? []).map((problem) => ({ ...problem, path: `.data${problem.path}` }));
  return {
    response: coerced.length > 0 ? { ...response, data } : response,
    how,
    liberties: [...liberties, ...coerced],
    ...(problems.length > 0 && { problems }),
  };
}

/** Halves of pairs come from texts that were cut or decoded wrongly, and from escapes. No message of the contract takes them. */
function hasSurrogates(text: string): boolean {
  return !text.isWellFormed() || (text.includes("\\u") && /\\u[dD]/.test(text));
}

function wellFormed(reading: ResponseReading): ResponseReading {
  const state = { isChanged: false };
  const response = fixed(reading.response as unknown as JsonObject, state) as unknown as SacpResponse;
  if (!state.isChanged) return reading;
  return { ...reading, response, liberties: [...reading.liberties, { kind: "lone surrogate" }] };
}

function fixed(value: JsonValue, state: { isChanged: boolean }): JsonValue {
  if (typeof value === "string") {
    if (value.isWellFormed()) return value;
    state.isChanged = true;
    return value.toWellFormed();
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => fixed(item, state));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [fixed(name, state) as string, fixed(member, state)]),
  );
}
