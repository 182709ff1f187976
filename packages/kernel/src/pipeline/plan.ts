import {
  type ContextLevel,
  type ContextPropagation,
  ContextPropagationMode,
  type Contract,
  FailureStrategy,
  type PipelinePolicy,
  type RiskTier,
  type Stage,
  type StageConfig,
} from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Duration, durationMs } from "@bufbuild/protobuf/wkt";
import { type RetryRules, retryRules } from "../dispatch/retry.ts";
import { type Condition, compileCondition } from "../graph/condition.ts";
import { compileMapping, type Mapping } from "../graph/mapping.ts";
import { didYouMean } from "../nearest-name.ts";
import type { Problem } from "../problem.ts";
import { limitOf, type SpendLimit } from "./budget.ts";
import { securityFlagNames } from "./security-flags.ts";
import { dependentsOf, descendantsOf, findCycle, topologicalOrder } from "./topology.ts";

/** A pipeline as it will be run: stages in topological order, every default filled in, every reference resolved. */
export interface PipelinePlan {
  readonly stages: readonly StagePlan[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly limits: PipelineLimits;
  /** As it was given. */
  readonly policy: PipelinePolicy | undefined;
}

export interface StagePlan {
  readonly id: string;
  readonly name: string;
  readonly index: number;
  readonly taskType: string;
  readonly required: boolean;
  /** Places of the stages it waits for, and of those that wait for it. */
  readonly dependsOn: readonly number[];
  readonly dependents: readonly number[];
  readonly contractTemplate: Contract | undefined;
  /** Undefined where the stage states none: what the task gives decides (`dispatch/context-level.ts`). */
  readonly contextLevel: ContextLevel | undefined;
  readonly propagation: PropagationRules;
  readonly retry: RetryRules;
  readonly freshness: FreshnessRules;
  readonly escalateOnFlags: readonly string[];
  readonly riskTier: RiskTier | undefined;
  readonly timeoutMs: number;
  readonly budget: SpendLimit;
  readonly condition: Condition | undefined;
  readonly mapping: Mapping | undefined;
  readonly errorStage: number | undefined;
  readonly rewindEdges: readonly RewindEdgePlan[];
  readonly outputSchema: JsonObject | undefined;
  /** As it was given. */
  readonly config: StageConfig | undefined;
}

export interface RewindEdgePlan {
  readonly condition: Condition;
  readonly target: number;
  readonly maxTimes: number;
}

export interface PropagationRules {
  readonly mode: ContextPropagationMode;
  readonly carryFields: readonly string[];
  readonly carryArtifacts: boolean;
  readonly carryDecisions: boolean;
  readonly carryRisks: boolean;
}

export interface FreshnessRules {
  readonly maxStalenessMs: number | undefined;
  readonly hardMaxStalenessMs: number | undefined;
  readonly requireDigest: boolean;
}

export interface PipelineLimits {
  readonly maxTotalRetries: number;
  readonly maxRejections: number;
  readonly deadlineMs: number | undefined;
  readonly softDeadline: boolean;
  readonly failureStrategy: FailureStrategy;
  readonly serial: boolean;
  readonly budget: SpendLimit;
}

/** What holds when nothing is said. Zero on the wire is absent, so the policy has flags that say zero. */
export const planDefaults = {
  maxStages: 1000,
  maxTotalRetries: 10,
  maxRejections: 3,
  timeoutMs: 30 * 60 * 1000,
} as const;

export type PlanResult =
  | { readonly ok: true; readonly plan: PipelinePlan }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Checks a pipeline and works out the order in which it can be run (A §4.3 step 1, §4.4). */
export function planPipeline(stages: readonly Stage[], policy: PipelinePolicy | undefined): PlanResult {
  const known = plans.get(stages);
  if (known && known.policy === policy) return known.result;
  const result = makePlan(stages, policy);
  plans.set(stages, { policy, result });
  return result;
}

/** Stages are not changed once they are handed in, and those of a template are planned for every pipeline made from it. */
const plans = new WeakMap<
  readonly Stage[],
  { readonly policy: PipelinePolicy | undefined; readonly result: PlanResult }
>();

function makePlan(stages: readonly Stage[], policy: PipelinePolicy | undefined): PlanResult {
  const problems: Problem[] = [...checkIds(stages), ...checkReferences(stages)];
  if (problems.length > 0) return { ok: false, problems };
  const places = new Map(stages.map(({ stageId }, place) => [stageId, place]));
  const edges = stages.map(({ config }) =>
    (config?.dependsOnStages ?? []).map((id) => places.get(id) as number),
  );
  const order = topologicalOrder(edges);
  if (!order) {
    const cycle = (findCycle(edges) ?? []).map((place) => stages[place]?.stageId).join(" → ");
    return {
      ok: false,
      problems: [problem("stages", `the stages depend on each other in a circle: ${cycle}`)],
    };
  }
  const ordered = order.map((place) => stages[place] as Stage);
  const indexOf = new Map(ordered.map(({ stageId }, index) => [stageId, index]));
  const limits = limitsOf(policy);
  const dependents = dependentsOf(
    ordered.map(({ config }) => (config?.dependsOnStages ?? []).map((id) => indexOf.get(id) as number)),
  );
  const planned = ordered.map((stage) =>
    planStage(stage, dependents, indexOf, policy?.requireAllStages ?? false, problems),
  );
  problems.push(
    ...planned.flatMap((stage) => [...checkEdgesBack(stage, planned), ...checkErrorEdge(stage, planned)]),
  );
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, plan: { stages: planned, indexOf, limits, policy } };
}

function checkIds(stages: readonly Stage[]): Problem[] {
  if (stages.length === 0) return [problem("stages", "a pipeline has at least one stage")];
  if (stages.length > planDefaults.maxStages) {
    return [
      problem(
        "stages",
        `${stages.length} stages are more than the ${planDefaults.maxStages} that are allowed`,
      ),
    ];
  }
  const seen = new Set<string>();
  return stages.flatMap(({ stageId, taskType }, place) => {
    const found: Problem[] = [];
    if (stageId === "") found.push(problem(`stages[${place}].stage_id`, "a stage has an id"));
    if (seen.has(stageId)) found.push(problem(`stages[${place}].stage_id`, `"${stageId}" is there twice`));
    if (taskType === "") found.push(problem(`stages[${place}].task_type`, "a stage has a task type"));
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
  return stages.flatMap(({ config }, place) => {
    const at = `stages[${place}].config`;
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

function planStage(
  stage: Stage,
  dependents: readonly (readonly number[])[],
  indexOf: ReadonlyMap<string, number>,
  requireAll: boolean,
  problems: Problem[],
): StagePlan {
  const { stageId, config } = stage;
  const handoff = config?.handoffPolicy;
  const index = indexOf.get(stageId) as number;
  const nodes = [...indexOf.keys()];
  const at = `stages.${stageId}.config`;
  const condition = (source: string, place: string): Condition | undefined => {
    const compiled = compileCondition(source, { nodes });
    if (compiled.ok) return compiled.condition;
    problems.push(problem(`${at}.${place}`, compiled.problem.message, compiled.problem.fix));
    return undefined;
  };
  // Every flag asks, unless an escalation policy says which do (DIS-16).
  const escalateOnFlags = handoff?.escalation?.autoEscalateOnSecurityFlag ?? securityFlagNames;
  problems.push(...checkFlags(escalateOnFlags, at));
  const required = requireAll || (config?.required ?? false);
  if (required && config?.condition) {
    const message = "a stage whose condition is false is left out, so it cannot be required";
    problems.push(
      problem(`${at}.condition`, message, "leave out the condition, or do not require the stage"),
    );
  }
  return {
    id: stageId,
    name: stage.stageName || stageId,
    index,
    taskType: stage.taskType,
    required,
    dependsOn: [...new Set(config?.dependsOnStages ?? [])].map((id) => indexOf.get(id) as number),
    dependents: dependents[index] ?? [],
    contractTemplate: config?.contractTemplate,
    contextLevel: handoff?.contextLevel || undefined,
    propagation: propagationRules(config?.contextPropagation),
    retry: retryRules(handoff?.retry),
    freshness: {
      maxStalenessMs: ms(handoff?.freshness?.maxRefStaleness),
      hardMaxStalenessMs: ms(handoff?.freshness?.hardMaxRefStaleness),
      requireDigest: handoff?.freshness?.requireDigest ?? false,
    },
    escalateOnFlags,
    riskTier: config?.riskTier,
    timeoutMs: ms(config?.timeout) ?? planDefaults.timeoutMs,
    budget: limitOf(config?.budget),
    condition: config?.condition ? condition(config.condition, "condition") : undefined,
    mapping: planMapping(config, nodes, at, problems),
    errorStage: config?.errorStageId ? indexOf.get(config.errorStageId) : undefined,
    rewindEdges: (config?.rewindEdges ?? []).flatMap((edge, place) => {
      const compiled = condition(edge.condition, `rewind_edges[${place}].condition`);
      const target = indexOf.get(edge.targetStageId) as number;
      return compiled ? [{ condition: compiled, target, maxTimes: edge.maxTimes }] : [];
    }),
    outputSchema: config?.outputSchema,
    config,
  };
}

/** A flag that nobody can raise would never ask: it is a mistake in writing. */
function checkFlags(flags: readonly string[], at: string): Problem[] {
  return flags.flatMap((flag, place) => {
    if (securityFlagNames.includes(flag)) return [];
    const where = `${at}.handoff_policy.escalation.auto_escalate_on_security_flag[${place}]`;
    return [
      problem(where, `there is no security flag "${flag}"`, `use one of: ${securityFlagNames.join(", ")}`),
    ];
  });
}

/** An edge goes back to the stage itself or to one before it (A §4.6): any other would leave the order of the plan. */
function checkEdgesBack({ id, index, rewindEdges }: StagePlan, planned: readonly StagePlan[]): Problem[] {
  if (rewindEdges.length === 0) return [];
  const before = descendantsOf(index, (node) => planned[node]?.dependsOn ?? []);
  return rewindEdges.flatMap(({ target }, place) => {
    if (target === index || before.includes(target)) return [];
    const message = `"${id}" does not depend on "${planned[target]?.id}", so no edge can go back there`;
    return [
      problem(
        `stages.${id}.config.rewind_edges[${place}].target_stage_id`,
        message,
        "name a stage before it",
      ),
    ];
  });
}

/** A failure is handed to the error stage only when that one waits for it and can tell it from a success (SACP §2.2). */
function checkErrorEdge(
  { id, index, errorStage, required }: StagePlan,
  planned: readonly StagePlan[],
): Problem[] {
  const handler = errorStage === undefined ? undefined : planned[errorStage];
  if (!handler) return [];
  const at = `stages.${id}.config.error_stage_id`;
  if (required) {
    return [
      problem(
        at,
        `"${id}" is required, so a failure cannot be handed on`,
        "do not require it, or leave out the edge",
      ),
    ];
  }
  if (handler.dependsOn.includes(index) && handler.condition) return [];
  const fix = `let "${handler.id}" depend on "${id}", with a condition such as nodes["${id}"].status == "failure"`;
  return [problem(at, `"${handler.id}" does not wait for a failure of "${id}"`, fix)];
}

function planMapping(
  config: StageConfig | undefined,
  nodes: readonly string[],
  at: string,
  problems: Problem[],
): Mapping | undefined {
  if (!config?.inputMapping) return undefined;
  const compiled = compileMapping(config.inputMapping, { nodes });
  if (compiled.ok) return compiled.mapping;
  for (const { field, message, fix } of compiled.problems) {
    problems.push(problem(`${at}.input_mapping.${field}`, message, fix));
  }
  return undefined;
}

function propagationRules(propagation: ContextPropagation | undefined): PropagationRules {
  return {
    mode: propagation?.mode || ContextPropagationMode.NONE,
    carryFields: propagation?.carryFields ?? [],
    carryArtifacts: propagation?.carryArtifacts ?? false,
    carryDecisions: propagation?.carryDecisions ?? false,
    carryRisks: propagation?.carryRisks ?? false,
  };
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

function ms(duration: Duration | undefined): number | undefined {
  return duration && durationMs(duration);
}

function problem(at: string, message: string, fix = "correct the pipeline's stages"): Problem {
  return { code: "BATON-PIPELINE-001", at, message, fix };
}
