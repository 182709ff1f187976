import type { Template } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Condition, compileCondition } from "../graph/cel/condition.ts";
import { listNames, type TextPosition } from "../graph/problem.ts";
import { didYouMean } from "../names.ts";
import type { Check, Evaluation, EvaluationCase } from "./evaluation.ts";

/** A check that is ready to be used, any number of times. */
export type CompiledCheck =
  | { readonly kind: "condition"; readonly id: string; readonly condition: Condition }
  | Extract<Check, { readonly kind: "schema" | "grader" }>;

export interface CompiledCase extends Omit<EvaluationCase, "checks"> {
  /** Those of the evaluation if the case has to complete, then its own. */
  readonly checks: readonly CompiledCheck[];
}

/** A problem of the file, with the path of the value. */
export interface CheckProblem {
  readonly code: string;
  readonly at: string;
  readonly message: string;
  readonly fix: string;
  /** Where in the condition. */
  readonly position?: TextPosition;
}

export type CompiledChecks =
  | { readonly ok: true; readonly cases: readonly CompiledCase[] }
  | { readonly ok: false; readonly problems: readonly CheckProblem[] };

/**
 * Compiles the checks for the nodes of a workflow: a condition that does not type-check, or that reads a field which the schema
 * of a node lacks, is a problem before anything runs.
 */
export function compileChecks(evaluation: Evaluation, { stages, endStages }: Template): CompiledChecks {
  const problems: CheckProblem[] = [];
  const nodes = new Set(stages.map(({ stageId }) => stageId));
  const schemas = new Map(
    stages.flatMap(({ stageId, config }): [string, JsonObject][] =>
      config?.outputSchema ? [[stageId, config.outputSchema]] : [],
    ),
  );
  const [only, another] = endStages;
  const responseOf = another === undefined ? only : undefined;
  const compile = (checks: readonly Check[], at: string) =>
    checks.flatMap((check, index): CompiledCheck[] => {
      const path = `${at}.checks[${index}]`;
      if (check.kind !== "condition") {
        if (check.node !== undefined && !nodes.has(check.node))
          problems.push(unknownNode(`${path}.node`, check.node, [...nodes]));
        return [check];
      }
      const compiled = compileCondition(check.source, { nodes, schemas, responseOf });
      if (compiled.ok) return [{ kind: "condition", id: check.id, condition: compiled.condition }];
      problems.push({ ...compiled.problem, at: `${path}.condition` });
      return [];
    });
  const common = compile(evaluation.checks, "eval");
  const cases = evaluation.cases.map((one, index) => ({
    ...one,
    checks: [...(one.ends === "completed" ? common : []), ...compile(one.checks, `eval.cases[${index}]`)],
  }));
  return problems.length === 0 ? { ok: true, cases } : { ok: false, problems };
}

function unknownNode(at: string, node: string, known: readonly string[]): CheckProblem {
  const fix = `${didYouMean(node, known)}use one of ${listNames(known)}`;
  return { code: "BATON-GRAPH-003", at, message: `the workflow has no node ${listNames([node])}`, fix };
}
