/**
 * Filters of lists, such as `status = PIPELINE_STATUS_PAUSED AND template_id = "implement-and-review"`: comparisons
 * joined by AND, so that every store can evaluate them, mostly with an index.
 */

import { HubError } from "../ports/hub-error.ts";
import type { Comparable, Comparison } from "../ports/store.ts";

/** Names and types of the fields of a list. */
export type FieldTable<Field extends string> = Readonly<Record<string, FieldSpec<Field>>>;

export interface FieldSpec<Field extends string> {
  readonly field: Field;
  readonly holds: Holds;
}

export type Holds =
  | "text"
  | "number"
  | "boolean"
  /** RFC 3339, stored in milliseconds. */
  | "time"
  /** A text of several members, as `framed` encodes them; `=` finds one of them. */
  | "members"
  /** Members such as `name=value`; the field is `labels.name`. */
  | "entries"
  /** An enum name of the contract; its prefix is optional. */
  | { readonly prefix: string; readonly names: readonly string[] };

/** The error of a list request that cannot be answered. */
export function badQuery(field: string, message: string): HubError {
  return new HubError("invalid", "BATON-QUERY-001", `${field}: ${message}`, {
    fix: "docs/reference/api.md describes filters, orders and pages of lists",
    violations: [{ field, rule: "BATON-QUERY-001", message }],
  });
}

export const filterLimits = { comparisons: 16 } as const;

export function parseFilter<Field extends string>(
  filter: string,
  table: FieldTable<Field>,
): readonly Comparison<Field>[] {
  const tokens = tokenize(filter);
  const comparisons: Comparison<Field>[] = [];
  let position = 0;
  while (position < tokens.length) {
    if (comparisons.length > 0) {
      const and = tokens[position];
      if (and?.kind !== "word" || and.text !== "AND") throw badQuery("filter", `expected AND ${at(and)}`);
      position++;
    }
    const [name, operator, value] = [tokens[position], tokens[position + 1], tokens[position + 2]];
    if (name?.kind !== "word") throw badQuery("filter", `expected a field ${at(name)}`);
    const [spec, entry] = findField(table, name.text);
    if (!spec) {
      const known = Object.keys(table).join(", ");
      throw badQuery("filter", `expected a field ${at(name)}; fields are: ${known}`);
    }
    if (operator?.kind !== "operator")
      throw badQuery("filter", `expected =, !=, <, <=, >, >= or ~ ${at(operator)}`);
    const isMember = spec.holds === "members" || spec.holds === "entries";
    if (operator.text === "~" && spec.holds !== "text" && !isMember)
      throw badQuery(
        "filter",
        `${name.text} is not a text, which ~ at character ${operator.position + 1} requires`,
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
    position += 3;
  }
  return comparisons;
}

/** Encodes members, so that a search finds whole members only. */
export function framed(members: readonly string[]): string {
  return members.length === 0 ? "" : `\n${members.join("\n")}\n`;
}

/** The field of a name; `labels.team` is the field `labels.*` with the entry "team". */
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
  readonly position: number;
}

const token = /\s*(?:(!=|<=|>=|=|<|>|~)|"((?:[^"\\]|\\["\\])*)"|([A-Za-z0-9_.:+-]+))/y;

function tokenize(filter: string): readonly Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  for (let position = 0; filter.slice(position).trim() !== ""; position = token.lastIndex) {
    token.lastIndex = position;
    const match = token.exec(filter);
    const start = position + filter.slice(position).search(/\S/);
    if (!match) throw badQuery("filter", `cannot be read from character ${start + 1} on`);
    const [, operator, quoted, word] = match;
    if (operator !== undefined) tokens.push({ kind: "operator", text: operator, position: start });
    else if (quoted !== undefined)
      tokens.push({ kind: "quoted", text: quoted.replace(/\\(.)/g, "$1"), position: start });
    else tokens.push({ kind: "word", text: word ?? "", position: start });
  }
  return tokens;
}

/** RFC 3339 only; other formats are usually mistakes. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function at(found: Token | undefined): string {
  return found ? `at character ${found.position + 1}, not "${found.text}"` : "at the end";
}

function readValue(name: string, { text, position }: Token, holds: Holds): Comparable {
  const mismatch = (what: string) =>
    badQuery("filter", `${name} is ${what}, which "${text}" at character ${position + 1} is not`);
  if (typeof holds === "object") {
    const bare = text.startsWith(holds.prefix) ? text.slice(holds.prefix.length) : text;
    if (!holds.names.includes(bare)) throw mismatch(`one of ${holds.names.join(", ")}`);
    return bare;
  }
  switch (holds) {
    case "text":
    case "members":
    case "entries":
      return text;
    case "number": {
      const number = Number(text);
      if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(number)) throw mismatch("a whole number");
      return number;
    }
    case "boolean":
      if (text !== "true" && text !== "false") throw mismatch("true or false");
      return text === "true";
    case "time": {
      const atMs = instant.test(text) ? Date.parse(text) : Number.NaN;
      if (Number.isNaN(atMs)) throw mismatch('an instant such as "2026-01-31T12:00:00Z"');
      return atMs;
    }
  }
}
