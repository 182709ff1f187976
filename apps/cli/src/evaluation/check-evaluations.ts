import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { CliError } from "../errors/cli-error.ts";
import { readEvaluationFile } from "./read-evaluation-file.ts";

interface EvaluationProblem {
  readonly severity: "error";
  readonly code: string;
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly fix: string;
}

/** Reads each `evals/NAME.yaml` of a project. What its checks read of a workflow is judged when it is run. */
export function checkEvaluations(project: string): {
  readonly files: readonly string[];
  readonly problems: readonly EvaluationProblem[];
} {
  const folder = join(project, "evals");
  if (!existsSync(folder)) return { files: [], problems: [] };
  const files = readdirSync(folder)
    .filter((name) => /^[^.].*\.ya?ml$/.test(name))
    .toSorted()
    .map((name) => join(folder, name));
  return { files, problems: files.flatMap(problemsOf) };
}

function problemsOf(file: string): readonly EvaluationProblem[] {
  try {
    readEvaluationFile(file);
    return [];
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const { code, fix, message, at, violations } = error;
    if (violations.length === 0) return [{ severity: "error", code, ...placeOf(at, file), message, fix }];
    return violations.map(({ field, message: says, rule }) => ({
      ...{ severity: "error", code: rule || code, ...placeOf(field, file), message: says, fix },
    }));
  }
}

/** `letters.yaml:3:5`, or a place without a line. */
function placeOf(at: string, file: string): Pick<EvaluationProblem, "path" | "line" | "column"> {
  const [, line, column] = /:(\d+):(\d+)$/.exec(at) ?? [];
  return { path: file, ...(line !== undefined && { line: Number(line), column: Number(column) }) };
}
