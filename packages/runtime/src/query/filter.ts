/**
 * Filters of lists, such as `status = PIPELINE_STATUS_PAUSED AND template_id = "implement-and-review"`: comparisons that
 * all have to hold. Nothing else, so that every store can answer them, most of them with an index.
 */
import type { Comparable, Comparison } from "../ports/store.ts";
import { badQuery } from "./problem.ts";

/** How the fields of a list are named and what they hold. */
export type FieldTable<Field extends string> = Readonly<Record<string, FieldSpec<Field>>>;

export interface FieldSpec<Field extends string> {
  readonly field: Field;
  readonly holds: Holds;
}

export type Holds =
  | "text"
  | "number"
  | "boolean"
  /** RFC 3339, kept in milliseconds. */
  | "time"
  /** A text of several members, as `framed` writes them: `=` finds one of them. */
  | "members"
  /** The same, of members such as `name=value`: the field is `labels.name`. */
  | "entries"
  /** A name of the contract with this prefix; it may be left out. */
  | { readonly prefix: string; readonly names: readonly string[] };

export const filterLimits = { comparisons: 16 } as const;

export function parseFilter<Field extends string>(
  filter: string,
  table: FieldTable<Field>,
): readonly Comparison<Field>[] {
  const tokens = tokenize(filter);
  const comparisons: Comparison<Field>[] = [];
  let place = 0;
  while (place < tokens.length) {
    if (comparisons.length > 0) {
      const and = tokens[place];
      if (and?.kind !== "word" || and.text !== "AND") throw badQuery("filter", `expected AND ${at(and)}`);
      place++;
    }
    const [name, operator, value] = [tokens[place], tokens[place + 1], tokens[place + 2]];
    if (name?.kind !== "word") throw badQuery("filter", `expected a field ${at(name)}`);
    const [spec, entry] = findField(table, name.text);
    if (!spec) {
      const known = Object.keys(table).join(", ");
      throw badQuery("filter", `expected a field ${at(name)}; there are: ${known}`);
    }
    if (operator?.kind !== "operator")
      throw badQuery("filter", `expected =, !=, <, <=, >, >= or ~ ${at(operator)}`);
    const isMember = spec.holds === "members" || spec.holds === "entries";
    if (operator.text === "~" && spec.holds !== "text" && !isMember)
      throw badQuery(
        "filter",
        `${name.text} is no text, and ~ at character ${operator.place + 1} looks into texts`,
      );
    if (!value || value.kind === "operator") throw badQuery("filter", `expected a value ${at(value)}`);
    if (isMember) {
      if (operator.text !== "=")
        throw badQuery("filter", `${name.text} is compared with = alone, not ${operator.text}`);
      const member = spec.holds === "entries" ? `${entry}=${value.text}` : value.text;
      comparisons.push({ field: spec.field, operator: "~", value: framed([member]) });
    } else {
      comparisons.push({
        field: spec.field,
        operator: operator.text as Comparison<Field>["operator"],
        value: readValue(name.text, value, spec.holds),
      });
    }
    if (comparisons.length > filterLimits.comparisons)
      throw badQuery("filter", `more than ${filterLimits.comparisons} comparisons`);
    place += 3;
  }
  return comparisons;
}

/** Members of a text, so that each can be found in it, and no part of one. */
export function framed(members: readonly string[]): string {
  return members.length === 0 ? "" : `\n${members.join("\n")}\n`;
}

/** The field of this name; of `labels.team`, the field `labels.*` and its entry. */
function findField<Field extends string>(
  table: FieldTable<Field>,
  name: string,
): readonly [FieldSpec<Field> | undefined, entry: string] {
  if (Object.hasOwn(table, name) && !name.endsWith(".*")) return [table[name], ""];
  const dot = name.indexOf(".");
  const whole = `${name.slice(0, Math.max(0, dot))}.*`;
  const isEntry = dot > 0 && dot < name.length - 1 && Object.hasOwn(table, whole);
  return [isEntry ? table[whole] : undefined, name.slice(dot + 1)];
}

interface Token {
  readonly kind: "word" | "quoted" | "operator";
  readonly text: string;
  readonly place: number;
}

const token = /\s*(?:(!=|<=|>=|=|<|>|~)|"((?:[^"\\]|\\["\\])*)"|([A-Za-z0-9_.:+-]+))/y;

function tokenize(filter: string): readonly Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  for (let place = 0; filter.slice(place).trim() !== ""; place = token.lastIndex) {
    token.lastIndex = place;
    const match = token.exec(filter);
    const start = place + filter.slice(place).search(/\S/);
    if (!match) throw badQuery("filter", `cannot be read from character ${start + 1} on`);
    const [, operator, quoted, word] = match;
    if (operator !== undefined) tokens.push({ kind: "operator", text: operator, place: start });
    else if (quoted !== undefined)
      tokens.push({ kind: "quoted", text: quoted.replace(/\\(.)/g, "$1"), place: start });
    else tokens.push({ kind: "word", text: word ?? "", place: start });
  }
  return tokens;
}

/** RFC 3339. What else a program would take for a date is more often a mistake. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function at(found: Token | undefined): string {
  return found ? `at character ${found.place + 1}, not "${found.text}"` : "at the end";
}

function readValue(name: string, { text, place }: Token, holds: Holds): Comparable {
  const wrong = (what: string) =>
    badQuery("filter", `${name} is ${what}, which "${text}" at character ${place + 1} is not`);
  if (typeof holds === "object") {
    const bare = text.startsWith(holds.prefix) ? text.slice(holds.prefix.length) : text;
    if (!holds.names.includes(bare)) throw wrong(`one of ${holds.names.join(", ")}`);
    return bare;
  }
  switch (holds) {
    case "text":
    case "members":
    case "entries":
      return text;
    case "number": {
      const number = Number(text);
      if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(number)) throw wrong("a whole number");
      return number;
    }
    case "boolean":
      if (text !== "true" && text !== "false") throw wrong("true or false");
      return text === "true";
    case "time": {
      const atMs = instant.test(text) ? Date.parse(text) : Number.NaN;
      if (Number.isNaN(atMs)) throw wrong('an instant such as "2026-01-31T12:00:00Z"');
      return atMs;
    }
  }
}
