/** Takes a response out of an object, or reports why it is none. */
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isObject } from "./coerce.ts";
import type { Candidate } from "./find-object.ts";
import { withoutInvisible } from "./lenient/characters.ts";
import { readLeniently } from "./lenient/read-leniently.ts";
import { placeholders } from "./protocol-block.ts";
import { readWhole } from "./read-strictly.ts";
import type { Liberty, LibertyKind, ResponseProblem } from "./reading.ts";
import { allStatuses, type SacpResponse, type StatusName } from "./response.ts";

const required = ["thought", "status", "data", "message"] as const;
const names: readonly string[] = [...required, "next_step_hint"];

/** Objects that models put around their answer. */
const wrappers = [
  "response",
  "result",
  "output",
  "answer",
  "final_answer",
  "final",
  "json",
  "sacp",
  "content",
  "text",
];
/** Those of calls of tools and of schemas. */
const formalWrappers = ["arguments", "parameters", "input", "properties"];

/** An answer inside of wrappers inside of wrappers. */
const mostWrappers = 3;

export interface Taken {
  readonly response?: SacpResponse;
  readonly liberties: readonly Liberty[];
  readonly problems: readonly ResponseProblem[];
  /** All required fields are there. */
  readonly isFull: boolean;
  /** It has the fields that only an answer has. */
  readonly isMeant: boolean;
}

/** Whether an object is an answer, right or wrong, or the beginning of one. */
export function looksLikeAnswer(value: JsonObject, isTruncated: boolean): boolean {
  const answer = unwrap(value)?.value ?? value;
  const found = fieldsOf(answer);
  if (isTruncated) return required.some((name) => found.has(name));
  if (typeof found.get("status")?.value === "string") return true;
  return wasAnswer([...found.keys()]);
}

/** Whether an object with such names was meant to be an answer. */
export function wasAnswer(given: readonly string[]): boolean {
  const found = new Set(given.map(plainName));
  return required.filter((name) => found.has(name)).length >= 2;
}

type Read = Pick<Candidate, "value" | "isTruncated" | "cutName" | "contradicted">;

export function takeResponse(read: Read, allow: readonly StatusName[]): Taken {
  const unwrapped = read.isTruncated ? undefined : unwrap(read.value);
  const value = unwrapped?.value ?? read.value;
  const liberties: Liberty[] = [...(unwrapped?.liberties ?? [])];
  const problems: ResponseProblem[] = [];
  const fields = fieldsOf(value);
  const cut = read.cutName === undefined ? undefined : plainName(read.cutName);
  const complain = (name: string, rule: string, message: string) => {
    problems.push({ path: name === "" ? "" : `.${name}`, rule, message });
    return undefined;
  };
  const take = (kind: LibertyKind, name?: string) => {
    liberties.push(name === undefined ? { kind } : { kind, path: `.${name}` });
  };

  for (const [name, field] of fields) if (field.name !== name) take("field name", name);
  for (const name of unknownNames(value, fields)) if (name !== read.cutName) take("unknown field", name);
  if (cut !== undefined) fields.delete(cut);
  const isFull = required.every((name) => fields.has(name));
  const isMeant = fields.has("status") && fields.has("thought");

  const status = readStatus(fields.get("status")?.value, { complain, take, allow });
  if (status !== undefined && isContradicted("status", read, value))
    complain("status", "contradiction", "is there twice, with different values");
  const message = readString("message", fields.get("message")?.value, take);
  if (message === undefined) complain("message", "required", "is missing");
  const thought = readString("thought", fields.get("thought")?.value, take);
  const data = readData(fields.get("data")?.value, { complain, take });
  const hint = readString("next_step_hint", fields.get("next_step_hint")?.value, take);
  if (read.isTruncated && !isFull)
    complain("", "complete", "is cut off before all required fields are there");
  if (isPlaceholder(thought, message)) complain("message", "placeholder", "is the text of the instructions");
  if (status === undefined || message === undefined || data === undefined || problems.length > 0)
    return { liberties, problems, isFull, isMeant };
  if (thought === undefined) take("field left out", "thought");
  if (!fields.has("data") || fields.get("data")?.value === null) take("field left out", "data");
  if (cut !== undefined) take("field cut off", cut);
  const response = {
    thought: thought ?? "",
    status,
    data,
    message,
    ...(hint !== undefined && { next_step_hint: hint }),
  };
  return { response, liberties, problems, isFull, isMeant };
}

/** Whether the texts are those that the instructions show. */
export function isPlaceholder(thought: string | undefined, message: string | undefined): boolean {
  return message === placeholders.message || thought === placeholders.thought;
}

interface Reports {
  complain(name: string, rule: string, message: string): undefined;
  take(kind: LibertyKind, name?: string): void;
}

/** Never guessed, because it routes: another spelling of a known status is that status, and nothing else is. */
function readStatus(
  value: JsonValue | undefined,
  { complain, take, allow }: Reports & { readonly allow: readonly StatusName[] },
): StatusName | undefined {
  if (value === undefined) return complain("status", "required", "is missing");
  if (typeof value !== "string") return complain("status", "type", "must be a text");
  const letters = lettersOf(value);
  const status = allStatuses.find((name) => lettersOf(name) === letters);
  if (status === undefined || !allow.includes(status))
    return complain("status", "enum", `must be one of ${allow.join(", ")}`);
  if (status !== value) take("status spelling", "status");
  return status;
}

function lettersOf(status: string): string {
  return status.length > longestStatus
    ? ""
    : withoutInvisible(status)
        .trim()
        .replaceAll(/[\s_-]/g, "")
        .toLowerCase();
}

const longestStatus = 64;

/** Null counts as absent: models write it for empty fields. Other values are kept as their JSON. */
function readString(name: string, value: JsonValue | undefined, take: Reports["take"]): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  take("written as text", name);
  return JSON.stringify(value);
}

function readData(value: JsonValue | undefined, { complain, take }: Reports): JsonObject | undefined {
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  const decoded = typeof value === "string" ? objectIn(value) : undefined;
  if (decoded === undefined) return complain("data", "type", "must be an object");
  take("double-encoded", "data");
  for (const liberty of decoded.liberties) take(liberty.kind, "data");
  return decoded.value;
}

interface Decoded {
  readonly value: JsonObject;
  readonly liberties: readonly Liberty[];
}

/** The object that a text is, when the text is nothing else. */
function objectIn(text: string): Decoded | undefined {
  const whole = readWhole(text);
  if (whole) return { value: whole, liberties: [] };
  const trimmed = text
    .trim()
    .replace(/^```\w*\s*/, "")
    .replace(/\s?```$/, "")
    .trimEnd();
  if (!trimmed.startsWith("{")) return undefined;
  const { value, end, repairs } = readLeniently(trimmed, 0);
  if (value === undefined || end < trimmed.length || repairs.has("truncated")) return undefined;
  return { value, liberties: libertiesOf(repairs) };
}

/** The repairs of a reading as liberties. */
export function libertiesOf(repairs: Candidate["repairs"]): Liberty[] {
  return [...repairs].map(([repair, times]) => ({
    kind: repair === "truncated" ? "missing end" : repair,
    ...(times > 1 && { times }),
  }));
}

function unwrap(value: JsonObject): Decoded | undefined {
  const liberties: Liberty[] = [];
  let inside = value;
  for (let level = 0; level < mostWrappers; level++) {
    if (fieldsOf(inside).has("status")) break;
    const found = inWrapper(inside);
    if (found === undefined) break;
    liberties.push({ kind: "wrapped", path: `.${found.name}` }, ...found.liberties);
    inside = found.value;
  }
  return inside === value || !fieldsOf(inside).has("status") ? undefined : { value: inside, liberties };
}

function inWrapper(value: JsonObject): (Decoded & { readonly name: string }) | undefined {
  const found = Object.entries(value).flatMap(([name, member]) => {
    const plain = plainName(name);
    if (!wrappers.includes(plain) && !formalWrappers.includes(plain)) return [];
    if (isObject(member)) return [{ name, value: member, liberties: [] }];
    const decoded = typeof member === "string" ? objectIn(member) : undefined;
    if (!decoded) return [];
    return [
      { name, value: decoded.value, liberties: [{ kind: "double-encoded" as const }, ...decoded.liberties] },
    ];
  });
  return found.length === 1 ? found[0] : undefined;
}

interface Field {
  /** As it was written. */
  readonly name: string;
  readonly value: JsonValue;
}

/** The fields of a response in an object, by their names in the protocol. The exact name comes before its variants. */
function fieldsOf(value: JsonObject): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const name of names) {
    const member = value[name];
    if (Object.hasOwn(value, name) && member !== undefined) fields.set(name, { name, value: member });
  }
  if (fields.size === names.length) return fields;
  for (const name of Object.keys(value)) {
    if (names.includes(name) || name.length > longestName) continue;
    const plain = plainName(name);
    if (names.includes(plain) && !fields.has(plain))
      fields.set(plain, { name, value: value[name] as JsonValue });
  }
  return fields;
}

const longestName = 64;

function plainName(name: string): string {
  const words = withoutInvisible(name)
    .trim()
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2");
  return words.toLowerCase().replaceAll(/[\s-]+/g, "_");
}

function unknownNames(value: JsonObject, fields: ReadonlyMap<string, Field>): string[] {
  const taken = new Set([...fields.values()].map(({ name }) => name));
  return Object.keys(value).filter((name) => !taken.has(name));
}

/** Whether a field is there again under the same name or a variant of it, with another value. */
function isContradicted(field: string, { contradicted }: Read, value: JsonObject): boolean {
  if (contradicted.has(field)) return true;
  const given = Object.keys(value).filter((name) => plainName(name) === field);
  return new Set(given.map((name) => value[name])).size > 1;
}
