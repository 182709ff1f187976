import { readFileSync, statSync } from "node:fs";
import { unclosedBracket } from "@baton/kernel/deciding";
import { type Document, type LineCounter, parseDocument } from "yaml";
import { CliError } from "../errors/cli-error.ts";
import { limits } from "../limits.ts";

/** The text of a file of bounded size; `-` is standard input. */
export function readText(file: string, name: string, what = "a task"): string {
  const max = limits.taskFileBytes;
  const tooLarge = () =>
    badFile(`${name} is larger than ${what} may be`, "", `name a file of up to ${max} bytes`, undefined);
  try {
    if (file !== "-" && statSync(file).size > max) throw tooLarge();
    const text = readFileSync(file === "-" ? 0 : file, "utf8");
    if (text.length > max) throw tooLarge();
    return text;
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const problem = problems[code] ?? `cannot be read (${code || String(cause)})`;
    throw badFile(`${name} ${problem}`, "", `name the file of ${what}, or - for standard input`, cause);
  }
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: "is not there",
  EISDIR: "is a folder",
  EACCES: "is not yours to read",
};

/** A YAML or JSON document. The first error has its position. */
export function parseText(name: string, text: string, lineCounter: LineCounter): Document {
  const document = parseDocument(text, { lineCounter, prettyErrors: false, version: "1.2" });
  const [first] = [...document.errors, ...document.warnings];
  if (first === undefined) return document;
  const opened = unclosedBracket(document.contents, text, first.pos[0]);
  const { line, col } = lineCounter.linePos(opened ?? first.pos[0]);
  const isOpen = opened !== undefined;
  const problem = isOpen
    ? `not YAML: the bracket ${text[opened]} is not closed`
    : `not YAML: ${first.message}`;
  const fix = isOpen ? "close the bracket that opens there" : "correct the text there";
  throw badFile(problem, `${name}:${line}:${col}`, fix, first);
}

export function asJson(name: string, document: Document): string {
  try {
    return JSON.stringify(document.toJS({ maxAliasCount: limits.yamlAliases }) ?? null);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw badFile(reason, name, "write out what is repeated", cause);
  }
}

export function badFile(message: string, at: string, fix: string, cause: unknown): CliError {
  return new CliError("BATON-CLI-002", message, { at, fix, cause });
}
