import {
  type ContextLevel,
  type ContextPropagation,
  ContextPropagationMode,
  type Contract,
  EdgeJoin,
  EdgeKind,
  type RiskTier,
  type SafetyContext,
  type SecurityFlags,
  type Stage,
  type StageConfig,
} from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Duration, durationMs } from "@bufbuild/protobuf/wkt";
import type { PropagationRules } from "../../dispatch/context.ts";
import type { FreshnessRules } from "../../dispatch/freshness.ts";
import { type RetryRules, retryRules } from "../../dispatch/retry.ts";
import { type Condition, compileCondition } from "../../graph/cel/condition.ts";
import { catchesFailure, type EdgeRule } from "../../graph/edge-semantics.ts";
import { compileMapping, type Mapping } from "../../graph/mapping/mapping.ts";
import { descendantsOf } from "../../graph/topology.ts";
import type { Problem } from "../../problem.ts";
import { limitOf, type SpendLimit } from "./spending.ts";

/** What the stages of a plan share. */
export interface PlanContext {
  readonly dependents: readonly (readonly number[])[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly ids: ReadonlySet<string>;
  readonly requireAll: boolean;
}

export function planStage(
  stage: Stage,
  { dependents, indexOf, ids: nodes, requireAll }: PlanContext,
  problems: Problem[],
): StagePlan {
  const { stageId, config } = stage;
  const handoff = config?.handoffPolicy;
  const index = indexOf.get(stageId) as number;
  const at = `stages.${stageId}.config`;
  const condition = (source: string, field: string): Condition | undefined => {
    const compiled = compileCondition(source, { nodes });
    if (compiled.ok) return compiled.condition;
    problems.push(problem(`${at}.${field}`, compiled.problem.message, compiled.problem.fix));
    return undefined;
  };
  // By default every flag requires approval (DIS-16).
  const escalateOnFlags = handoff?.escalation?.autoEscalateOnSecurityFlag ?? securityFlagNames;
  problems.push(...checkFlags(escalateOnFlags, at));
  const required = requireAll || (config?.required ?? false);
  const conditional = config?.condition
    ? "condition"
    : config && config.edges.length > 0
      ? "edges"
      : undefined;
  if (required && conditional) {
    const message =
      conditional === "edges"
        ? "a stage whose edges are not taken is left out, so it cannot be required"
        : "a stage whose condition is false is left out, so it cannot be required";
    problems.push(
      problem(`${at}.${conditional}`, message, `leave out the ${conditional}, or do not require the stage`),
    );
  }
  if (config) problems.push(...checkEdges(config, at));
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
    edges: (config?.edges ?? []).flatMap(({ fromStageId, kind: given, condition: source }, position) => {
      const from = indexOf.get(fromStageId);
      const compiled = source === "" ? undefined : condition(source, `edges[${position}].condition`);
      if (from === undefined || (source !== "" && !compiled)) return [];
      const kind = given === EdgeKind.ERROR ? "error" : "default";
      const rule = { kind, condition: compiled } as const;
      return [{ ...rule, from, catches: catchesFailure(rule) }];
    }),
    join: config?.join === EdgeJoin.ALL ? "all" : "any",
    packId: config?.packId || undefined,
    mapping: planMapping(config, nodes, at, problems),
    errorStage: config?.errorStageId ? indexOf.get(config.errorStageId) : undefined,
    rewindEdges: (config?.rewindEdges ?? []).flatMap((edge, position) => {
      const compiled = condition(edge.condition, `rewind_edges[${position}].condition`);
      const target = indexOf.get(edge.targetStageId) as number;
      return compiled ? [{ condition: compiled, target, maxTimes: edge.maxTimes }] : [];
    }),
    outputSchema: config?.outputSchema,
    config,
  };
}

/** The edges of a stage are all of its dependencies, and replace its condition. */
function checkEdges({ edges, join, condition, dependsOnStages }: StageConfig, at: string): Problem[] {
  if (edges.length === 0) {
    const fix = "add edges, or leave it out";
    return join === EdgeJoin.UNSPECIFIED ? [] : [problem(`${at}.join`, "there are no edges to join", fix)];
  }
  const sources = new Set(edges.map(({ fromStageId }) => fromStageId));
  const known = new Set(dependsOnStages);
  return [
    ...(condition === ""
      ? []
      : [problem(`${at}.condition`, "a stage with edges has no condition", "put it on its edges")]),
    ...edges.flatMap(({ fromStageId }, position) =>
      known.has(fromStageId)
        ? []
        : [
            problem(
              `${at}.edges[${position}].from_stage_id`,
              `"${fromStageId}" is not among depends_on_stages`,
              "add it there, or use one of those",
            ),
          ],
    ),
    ...dependsOnStages.flatMap((id, position) =>
      sources.has(id)
        ? []
        : [
            problem(
              `${at}.depends_on_stages[${position}]`,
              `no edge comes from "${id}"`,
              "add an edge, or leave it out",
            ),
          ],
    ),
  ];
}

/** No task can raise an unknown flag, so it is a mistake. */
function checkFlags(flags: readonly string[], at: string): Problem[] {
  return flags.flatMap((flag, position) => {
    if (securityFlagNames.includes(flag)) return [];
    const where = `${at}.handoff_policy.escalation.auto_escalate_on_security_flag[${position}]`;
    return [
      problem(where, `there is no security flag "${flag}"`, `use one of: ${securityFlagNames.join(", ")}`),
    ];
  });
}

/** A back edge leads to the stage itself or to one before it (A §4.6). */
export function checkEdgesBack(
  { id, index, rewindEdges }: StagePlan,
  planned: readonly StagePlan[],
): Problem[] {
  if (rewindEdges.length === 0) return [];
  const before = descendantsOf(index, (node) => planned[node]?.dependsOn ?? []);
  return rewindEdges.flatMap(({ target }, position) => {
    if (target === index || before.includes(target)) return [];
    const message = `"${id}" does not depend on "${planned[target]?.id}", so no edge can go back there`;
    return [
      problem(
        `stages.${id}.config.rewind_edges[${position}].target_stage_id`,
        message,
        "name a stage before it",
      ),
    ];
  });
}

/** The error stage must depend on the stage and have a condition that distinguishes failure (SACP §2.2). */
export function checkErrorEdge(
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
  const waits = handler.condition ?? handler.edges.some(({ from, catches }) => from === index && catches);
  if (handler.dependsOn.includes(index) && waits) return [];
  const fix = `let "${handler.id}" depend on "${id}", with a condition such as nodes["${id}"].status == "failure"`;
  return [problem(at, `"${handler.id}" does not wait for a failure of "${id}"`, fix)];
}

function planMapping(
  config: StageConfig | undefined,
  nodes: ReadonlySet<string>,
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

export interface StagePlan {
  readonly id: string;
  readonly name: string;
  readonly index: number;
  readonly taskType: string;
  readonly required: boolean;
  /** Indexes of the stages it depends on, and of those that depend on it. */
  readonly dependsOn: readonly number[];
  readonly dependents: readonly number[];
  readonly contractTemplate: Contract | undefined;
  /** Undefined without a level: `dispatch/context-level.ts` then decides by the task. */
  readonly contextLevel: ContextLevel | undefined;
  readonly propagation: PropagationRules;
  readonly retry: RetryRules;
  readonly freshness: FreshnessRules;
  readonly escalateOnFlags: readonly string[];
  readonly riskTier: RiskTier | undefined;
  readonly timeoutMs: number;
  readonly budget: SpendLimit;
  readonly condition: Condition | undefined;
  /** The edges that lead to it; empty outside of workflows. */
  readonly edges: readonly EdgePlan[];
  readonly join: "any" | "all";
  /** The only pack that may take it. */
  readonly packId: string | undefined;
  readonly mapping: Mapping | undefined;
  readonly errorStage: number | undefined;
  readonly rewindEdges: readonly RewindEdgePlan[];
  readonly outputSchema: JsonObject | undefined;
  /** As it was given. */
  readonly config: StageConfig | undefined;
}

/** An edge that leads to a stage. */
export interface EdgePlan extends EdgeRule {
  readonly from: number;
  /** Whether it handles failure. */
  readonly catches: boolean;
}

export interface RewindEdgePlan {
  readonly condition: Condition;
  readonly target: number;
  readonly maxTimes: number;
}

/** Defaults. Zero on the wire is absent, so the policy has flags that mean zero. */
export const planDefaults = {
  maxStages: 1000,
  maxTotalRetries: 10,
  maxRejections: 3,
  timeoutMs: 30 * 60 * 1000,
} as const;

export function ms(duration: Duration | undefined): number | undefined {
  return duration && durationMs(duration);
}

export function problem(at: string, message: string, fix = "correct the pipeline's stages"): Problem {
  return { code: "BATON-PIPELINE-001", at, message, fix };
}

/** The security flags of a task (A §2.5), by their names in a policy. */
const isRaised: Readonly<Record<string, (flags: SecurityFlags) => boolean>> = {
  touches_auth: ({ touchesAuth }) => touchesAuth,
  touches_schema: ({ touchesSchema }) => touchesSchema,
  touches_billing: ({ touchesBilling }) => touchesBilling,
  touches_secrets: ({ touchesSecrets }) => touchesSecrets,
};

const securityFlagNames: readonly string[] = Object.keys(isRaised);

export function raisedFlags(safety: SafetyContext | undefined): readonly string[] {
  const flags = safety?.securityFlags;
  if (!flags) return [];
  return securityFlagNames.filter((name) => isRaised[name]?.(flags));
}
