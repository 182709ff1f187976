import { limits } from "../limits.ts";
import { escapeLine, shorten } from "../terminal/escape.ts";
import { type Piece, paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";

/** Levels as the server's log numbers them. */
const levels: readonly (readonly [least: number, shown: Piece])[] = [
  [50, piece("error", "bad")],
  [40, piece("warn ", "asks")],
  [30, piece("info ", "quiet")],
  [0, piece("debug", "quiet")],
];

/** Known to every line, and of no interest to a person who started the server a moment ago. */
const leftOut: ReadonlySet<string> = new Set(["level", "time", "msg", "pid", "hostname", "name", "v"]);

/** How calls end of which there are many, and nothing to tell a person: those of `baton` itself among them. */
const uneventful: ReadonlySet<unknown> = new Set(["ok", "canceled"]);

/**
 * A line of the server's JSON log for a person; what is not JSON is shown as it is. Undefined for a call that went as it
 * should: it would drown the others.
 */
export function describeLogLine(line: string, look: Look): string | undefined {
  const entry = parse(line);
  if (entry?.msg === "call" && uneventful.has(entry.code)) return undefined;
  const { ellipsis } = signsOf(look);
  if (entry === undefined) return escapeLine(shorten(line, limits.logLineCharacters, ellipsis));
  const level = Number(entry.level ?? 30);
  const shown = levels.find(([least]) => level >= least)?.[1] ?? piece("debug", "quiet");
  const rest = Object.entries(entry)
    .filter(([name]) => !leftOut.has(name))
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
  return [
    paint(look, piece(timeOf(entry.time), "quiet")),
    paint(look, shown),
    paint(look, piece(String(entry.msg ?? ""))),
    paint(look, piece(shorten(rest, limits.shownCharacters, ellipsis), "quiet")),
  ]
    .filter(Boolean)
    .join("  ");
}

function timeOf(time: unknown): string {
  const at = new Date(typeof time === "number" || typeof time === "string" ? time : Number.NaN);
  return Number.isNaN(at.getTime()) ? "        " : at.toISOString().slice(11, 19);
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return { ...JSON.parse(line) };
  } catch {
    return undefined;
  }
}
