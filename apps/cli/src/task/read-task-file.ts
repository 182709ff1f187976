import {
  ContractError,
  decodeJson,
  type SubmitTaskRequest,
  SubmitTaskRequestSchema,
} from "@baton/contract/forms";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Document, isMap, isScalar, isSeq, LineCounter } from "yaml";
import { CliError } from "../errors/cli-error.ts";
import { type Positions, positionsIn } from "./positions.ts";
import { refuseZeros } from "./refuse-zeros.ts";
import { expandShortNames } from "./short-names.ts";
import { asJson, badFile, parseText, readText } from "./yaml-text.ts";

export interface TaskFile {
  readonly request: SubmitTaskRequest;
  readonly positions: Positions;
}

/** Reads a request from YAML or JSON. Every error has its line and column. */
export function readTaskFile(file: string): TaskFile {
  const name = file === "-" ? "standard input" : file;
  const lines = new LineCounter();
  const document = parseText(name, readText(file, name), lines);
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
  const document = parseText(name, readText(file, name), new LineCounter());
  if (!isMap(document.contents)) {
    const fix = "write fields with values into it, such as size: large";
    throw badFile(`${name} holds no fields`, name, fix, undefined);
  }
  return JSON.parse(asJson(name, document)) as JsonObject;
}

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
