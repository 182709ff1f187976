import { readFileSync, statSync } from "node:fs";
import {
  ContractError,
  decodeJson,
  type SubmitTaskRequest,
  SubmitTaskRequestSchema,
} from "@baton/contract/forms";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { CliError } from "../errors/cli-error.ts";
import { limits } from "../limits.ts";
import { type Places, placesIn } from "./places.ts";
import { readPlainWords } from "./plain-words.ts";
import { refuseZeros } from "./refuse-zeros.ts";

export interface TaskFile {
  readonly request: SubmitTaskRequest;
  readonly places: Places;
}

/** A request as a person writes it: YAML or JSON. Every mistake is told with its line and column. */
export function readTaskFile(file: string): TaskFile {
  const name = file === "-" ? "standard input" : file;
  const lines = new LineCounter();
  const document = parse(name, readText(file, name), lines);
  const places = placesIn(name, document, lines);
  refuseOtherThanFields(name, document, places);
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const mistakes = isMap(document.contents)
    ? [...readPlainWords(document.contents, places), ...refuseZeros(document.contents, at)]
    : [];
  if (mistakes.length > 0) {
    const fix = "mend the named places; docs/how-to/run-a-task.md shows a file";
    throw new CliError("BATON-CLI-002", "the task cannot be taken as it is", { violations: mistakes, fix });
  }
  try {
    return { request: decodeJson(SubmitTaskRequestSchema, asJson(name, document)), places };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw badFile(error.message, places(error.violations[0]?.field ?? ""), error.fix, error);
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
  const most = limits.taskFileBytes;
  const tooLarge = () =>
    badFile(`${name} is larger than a task may be`, "", `name a file of up to ${most} bytes`, undefined);
  try {
    if (file !== "-" && statSync(file).size > most) throw tooLarge();
    const text = readFileSync(file === "-" ? 0 : file, "utf8");
    if (text.length > most) throw tooLarge();
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

/** A task is fields with values. */
function refuseOtherThanFields(name: string, { contents }: Document, places: Places): void {
  if (isMap(contents)) return;
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
  const problem = isEmpty
    ? `${name} is empty`
    : `${name} holds ${isSeq(contents) ? "a list" : "a single value"}`;
  const least = "template_id or task_type, and contract with title and acceptance_criteria";
  throw badFile(
    problem,
    isEmpty ? "" : places(""),
    `write the fields of a task into it: ${least}`,
    undefined,
  );
}

function parse(name: string, text: string, lineCounter: LineCounter): Document {
  const document = parseDocument(text, { lineCounter, prettyErrors: false, version: "1.2" });
  const [first] = [...document.errors, ...document.warnings];
  if (first === undefined) return document;
  const { line, col } = lineCounter.linePos(first.pos[0]);
  const problem = `not YAML: ${first.message}`;
  throw badFile(problem, `${name}:${line}:${col}`, "mend the text at that place", first);
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
