import { limits } from "../limits.ts";
import { escapeLine, shorten } from "../terminal/escape.ts";
import { type Piece, paint, piece, signsOf } from "../terminal/paint.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Levels as the server's log numbers them. */
const levels: readonly (readonly [least: number, label: Piece])[] = [
  [50, piece("error", "bad")],
  [40, piece("warn ", "asks")],
  [30, piece("info ", "quiet")],
  [0, piece("debug", "quiet")],
];

/** Fields of every line that say nothing to the person who started the server. */
const omittedFields: ReadonlySet<string> = new Set(["level", "time", "msg", "pid", "hostname", "name", "v"]);

/** Results of calls that are not worth a line, such as those of `baton` itself. */
const uneventful: ReadonlySet<unknown> = new Set(["ok", "canceled"]);

/** A line of the server's JSON log for a person; other text as it is. Undefined for a successful call: there are too many. */
export function describeLogLine(line: string, terminal: Terminal): string | undefined {
  const entry = parse(line);
  if (entry?.msg === "call" && uneventful.has(entry.code)) return undefined;
  const { ellipsis } = signsOf(terminal);
  if (entry === undefined) return escapeLine(shorten(line, limits.logLineCharacters, ellipsis));
  const level = Number(entry.level ?? 30);
  const label = levels.find(([least]) => level >= least)?.[1] ?? piece("debug", "quiet");
  const rest = Object.entries(entry)
    .filter(([name]) => !omittedFields.has(name))
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
  return [
    paint(terminal, piece(timeOf(entry.time), "quiet")),
    paint(terminal, label),
    paint(terminal, piece(String(entry.msg ?? ""))),
    paint(terminal, piece(shorten(rest, limits.lineCharacters, ellipsis), "quiet")),
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
