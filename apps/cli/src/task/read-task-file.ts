import { readFileSync, statSync } from "node:fs";
import { ContractError, decodeJson, type SubmitTaskRequest, SubmitTaskRequestSchema } from "@baton/contract";
import { type Document, LineCounter, parseDocument } from "yaml";
import { CliError } from "../errors/cli-error.ts";
import { limits } from "../limits.ts";
import { type Places, placesIn } from "./places.ts";

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
  try {
    return { request: decodeJson(SubmitTaskRequestSchema, asJson(name, document)), places };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw badFile(error.message, places(error.violations[0]?.field ?? ""), error.fix, error);
  }
}

function readText(file: string, name: string): string {
  try {
    if (file !== "-" && statSync(file).size > limits.taskFileBytes) throw new Error("it is too large");
    const text = readFileSync(file === "-" ? 0 : file, "utf8");
    if (text.length > limits.taskFileBytes) throw new Error("it is too large");
    return text;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw badFile(
      `${name} cannot be read: ${reason}`,
      "",
      `name a file of up to ${limits.taskFileBytes} bytes`,
      cause,
    );
  }
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
