import { FailureStrategy, type PipelinePolicy, type Stage } from "@baton/contract";
import { dependentsOf, findCycle, topologicalOrder } from "../../graph/topology.ts";
import { didYouMean } from "../../names.ts";
import type { Problem } from "../../problem.ts";
import {
  checkEdgesBack,
  checkErrorEdge,
  ms,
  planDefaults,
  planStage,
  problem,
  type StagePlan,
} from "./plan-stage.ts";
import { limitOf, type SpendLimit } from "./spending.ts";

/** A pipeline in topological order, with all defaults and references resolved. */
export interface PipelinePlan {
  readonly stages: readonly StagePlan[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly limits: PipelineLimits;
  /** As it was given. */
  readonly policy: PipelinePolicy | undefined;
}

interface PipelineLimits {
  readonly maxTotalRetries: number;
  readonly maxRejections: number;
  readonly deadlineMs: number | undefined;
  readonly softDeadline: boolean;
  readonly failureStrategy: FailureStrategy;
  readonly serial: boolean;
  readonly budget: SpendLimit;
}

export type PlanResult =
  | { readonly ok: true; readonly plan: PipelinePlan }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Checks a pipeline and orders its stages (A §4.3 step 1, §4.4). */
export function planPipeline(stages: readonly Stage[], policy: PipelinePolicy | undefined): PlanResult {
  const problems: Problem[] = [...checkIds(stages), ...checkReferences(stages)];
  if (problems.length > 0) return { ok: false, problems };
  const positions = new Map(stages.map(({ stageId }, position) => [stageId, position]));
  const edges = stages.map(({ config }) =>
    (config?.dependsOnStages ?? []).map((id) => positions.get(id) as number),
  );
  const order = topologicalOrder(edges);
  if (!order) {
    const cycle = (findCycle(edges) ?? []).map((position) => stages[position]?.stageId).join(" → ");
    return {
      ok: false,
      problems: [problem("stages", `the stages depend on each other in a cycle: ${cycle}`)],
    };
  }
  const ordered = order.map((position) => stages[position] as Stage);
  const indexOf = new Map(ordered.map(({ stageId }, index) => [stageId, index]));
  const limits = limitsOf(policy);
  const dependents = dependentsOf(
    ordered.map(({ config }) => (config?.dependsOnStages ?? []).map((id) => indexOf.get(id) as number)),
  );
  const ids = new Set(indexOf.keys());
  const context = { dependents, indexOf, ids, requireAll: policy?.requireAllStages ?? false };
  const planned = ordered.map((stage) => planStage(stage, context, problems));
  problems.push(
    ...planned.flatMap((stage) => [...checkEdgesBack(stage, planned), ...checkErrorEdge(stage, planned)]),
  );
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, plan: { stages: planned, indexOf, limits, policy } };
}

/** The same stages under a policy with other limits. */
export function withPolicy(plan: PipelinePlan, policy: PipelinePolicy | undefined): PipelinePlan {
  return plan.policy === policy ? plan : { ...plan, limits: limitsOf(policy), policy };
}

function checkIds(stages: readonly Stage[]): Problem[] {
  if (stages.length === 0) return [problem("stages", "the pipeline has no stages")];
  if (stages.length > planDefaults.maxStages) {
    return [
      problem(
        "stages",
        `${stages.length} stages are more than the ${planDefaults.maxStages} that are allowed`,
      ),
    ];
  }
  const seen = new Set<string>();
  return stages.flatMap(({ stageId, taskType }, position) => {
    const found: Problem[] = [];
    if (stageId === "") found.push(problem(`stages[${position}].stage_id`, "the stage has no id"));
    if (seen.has(stageId)) found.push(problem(`stages[${position}].stage_id`, `"${stageId}" is used twice`));
    if (taskType === "") found.push(problem(`stages[${position}].task_type`, "the stage has no task type"));
    seen.add(stageId);
    return found;
  });
}

function checkReferences(stages: readonly Stage[]): Problem[] {
  const known = new Set(stages.map(({ stageId }) => stageId));
  const unknown = (at: string, id: string) =>
    known.has(id)
      ? []
      : [
          problem(
            at,
            `there is no stage "${id}"`,
            `${didYouMean(id, [...known])}use one of: ${[...known].join(", ")}`,
          ),
        ];
  return stages.flatMap(({ config }, position) => {
    const at = `stages[${position}].config`;
    return [
      ...(config?.dependsOnStages ?? []).flatMap((id, index) =>
        unknown(`${at}.depends_on_stages[${index}]`, id),
      ),
      ...(config?.errorStageId ? unknown(`${at}.error_stage_id`, config.errorStageId) : []),
      ...(config?.rewindEdges ?? []).flatMap(({ targetStageId }, index) =>
        unknown(`${at}.rewind_edges[${index}].target_stage_id`, targetStageId),
      ),
    ];
  });
}

function limitsOf(policy: PipelinePolicy | undefined): PipelineLimits {
  return {
    maxTotalRetries: policy?.noRetries ? 0 : policy?.maxTotalRetries || planDefaults.maxTotalRetries,
    maxRejections: policy?.noRejections ? 0 : policy?.maxRejections || planDefaults.maxRejections,
    deadlineMs: ms(policy?.pipelineDeadline),
    softDeadline: policy?.softDeadline ?? false,
    failureStrategy: policy?.failureStrategy || FailureStrategy.PAUSE,
    serial: policy?.serial ?? false,
    budget: limitOf(policy?.budget),
  };
}
