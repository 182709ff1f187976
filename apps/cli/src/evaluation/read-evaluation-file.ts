import type { Template } from "@baton/contract/forms";
import {
  type CheckProblem,
  type CompiledCase,
  compileChecks,
  type Evaluation,
  readEvaluation,
} from "@baton/kernel/evaluation";
import { LineCounter } from "yaml";
import { CliError } from "../errors/cli-error.ts";
import { type Positions, positionsIn } from "../task/positions.ts";
import { asJson, parseText, readText } from "../task/yaml-text.ts";

export interface EvaluationFile {
  readonly evaluation: Evaluation;
  /** The cases with checks that fit a workflow. Throws with all problems of conditions and nodes. */
  compileFor(template: Template): readonly CompiledCase[];
}

/** Reads the file of an evaluation. All problems are reported together, each with its position. */
export function readEvaluationFile(file: string): EvaluationFile {
  const name = file === "-" ? "standard input" : file;
  const lines = new LineCounter();
  const document = parseText(name, readText(file, name, "an evaluation"), lines);
  const positions = positionsIn(name, document, lines);
  const reading = readEvaluation(JSON.parse(asJson(name, document)));
  if (!reading.ok) throw problemsOf(name, reading.problems, positions);
  const { evaluation } = reading;
  return {
    evaluation,
    compileFor(template) {
      const compiled = compileChecks(evaluation, template);
      if (!compiled.ok) throw problemsOf(name, compiled.problems, positions);
      return compiled.cases;
    },
  };
}

function problemsOf(name: string, problems: readonly CheckProblem[], positions: Positions): CliError {
  const violations = problems.map(({ code, at, message, fix, position }) => {
    const within = position ? ` (at ${position.line}:${position.column} of the text)` : "";
    return { field: positions(at), rule: code, message: `${at} ${message}${within}; ${fix}` };
  });
  const fix = "correct the named lines; docs/how-to/test-an-agent.md shows a file";
  return new CliError("BATON-CLI-002", `the evaluation ${name} cannot be taken as it is`, {
    violations,
    fix,
  });
}
