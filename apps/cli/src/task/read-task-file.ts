import { readFileSync, statSync } from "node:fs";
import {
  ContractError,
  decodeJson,
  type SubmitTaskRequest,
  SubmitTaskRequestSchema,
} from "@baton/contract/forms";
import { unclosedBracket } from "@baton/kernel/deciding";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { CliError } from "../errors/cli-error.ts";
import { limits } from "../limits.ts";
import { type Positions, positionsIn } from "./positions.ts";
import { refuseZeros } from "./refuse-zeros.ts";
import { expandShortNames } from "./short-names.ts";

export interface TaskFile {
  readonly request: SubmitTaskRequest;
  readonly positions: Positions;
}

/** Reads a request from YAML or JSON. Every error has its line and column. */
export function readTaskFile(file: string): TaskFile {
  const name = file === "-" ? "standard input" : file;
  const lines = new LineCounter();
  const document = parse(name, readText(file, name), lines);
  const positions = positionsIn(name, document, lines);
  refuseOtherThanFields(name, document, positions);
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const mistakes = isMap(document.contents)
    ? [...expandShortNames(document.contents, positions), ...refuseZeros(document.contents, at)]
    : [];
  if (mistakes.length > 0) {
    const fix = "correct the named lines; docs/how-to/run-a-task.md shows a file";
    throw new CliError("BATON-CLI-002", "the task cannot be taken as it is", { violations: mistakes, fix });
  }
  try {
    return { request: decodeJson(SubmitTaskRequestSchema, asJson(name, document)), positions };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw badFile(error.message, positions(error.violations[0]?.field ?? ""), error.fix, error);
  }
}

/** An object of any fields, from YAML or JSON; `-` is standard input. */
export function readObjectFile(file: string): JsonObject {
  const name = file === "-" ? "standard input" : file;
  const document = parse(name, readText(file, name), new LineCounter());
  if (!isMap(document.contents)) {
    const fix = "write fields with values into it, such as size: large";
    throw badFile(`${name} holds no fields`, name, fix, undefined);
  }
  return JSON.parse(asJson(name, document)) as JsonObject;
}

function readText(file: string, name: string): string {
  const max = limits.taskFileBytes;
  const tooLarge = () =>
    badFile(`${name} is larger than a task may be`, "", `name a file of up to ${max} bytes`, undefined);
  try {
    if (file !== "-" && statSync(file).size > max) throw tooLarge();
    const text = readFileSync(file === "-" ? 0 : file, "utf8");
    if (text.length > max) throw tooLarge();
    return text;
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const problem = problems[code] ?? `cannot be read (${code || String(cause)})`;
    throw badFile(`${name} ${problem}`, "", "name the file of a task, or - for standard input", cause);
  }
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: "is not there",
  EISDIR: "is a folder",
  EACCES: "is not yours to read",
};

/** Refuses a document that is not a map. */
function refuseOtherThanFields(name: string, { contents }: Document, positions: Positions): void {
  if (isMap(contents)) return;
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
  const problem = isEmpty
    ? `${name} is empty`
    : `${name} holds ${isSeq(contents) ? "a list" : "a single value"}`;
  const least = "template_id or task_type, and contract with title and acceptance_criteria";
  throw badFile(
    problem,
    isEmpty ? "" : positions(""),
    `write the fields of a task into it: ${least}`,
    undefined,
  );
}

function parse(name: string, text: string, lineCounter: LineCounter): Document {
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

function asJson(name: string, document: Document): string {
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
