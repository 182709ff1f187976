import {
  type ContextPropagation,
  ContextPropagationMode,
  type Contract,
  type PipelinePolicy,
  PipelinePolicySchema,
  type RetryPolicy,
  type Stage,
  StageConfigSchema,
  validate,
} from "@baton/contract";
import { type Duration, durationMs } from "@bufbuild/protobuf/wkt";
import { carryFields } from "../../dispatch/context.ts";
import { retryRules } from "../../dispatch/retry.ts";
import { checkJsonSchema } from "../../json-schema/check-schema.ts";
import { didYouMean } from "../../names.ts";
import type { Problem } from "../../problem.ts";
import { checkContract } from "./check-work.ts";
import { type PlanResult, planPipeline } from "./plan.ts";

/**
 * Plans and checks a new pipeline, from the API or from a file. A replay plans without these checks: stored pipelines were
 * accepted by the rules of their time.
 */
export function acceptPlan(stages: readonly Stage[], policy: PipelinePolicy | undefined): PlanResult {
  const planned = planPipeline(stages, policy);
  const problems = [
    ...(planned.ok ? [] : planned.problems),
    ...checkPolicy(policy),
    ...stages.flatMap(checkStage),
  ];
  return problems.length === 0 ? planned : { ok: false, problems };
}

function checkPolicy(policy: PipelinePolicy | undefined): readonly Problem[] {
  if (!policy) return [];
  const { noRetries, noRejections, maxTotalRetries, maxRejections, pipelineDeadline } = policy;
  const isAtOnce = pipelineDeadline !== undefined && durationMs(pipelineDeadline) === 0;
  return [
    ...(isAtOnce ? [problem("policy.pipeline_deadline", "must be longer than zero", "leave it out")] : []),
    ...violations(validate(PipelinePolicySchema, policy), "policy"),
    ...contradiction(noRetries, maxTotalRetries, "policy", "no_retries", "max_total_retries"),
    ...contradiction(noRejections, maxRejections, "policy", "no_rejections", "max_rejections"),
    ...contradiction(policy.parallel, policy.serial, "policy", "parallel", "serial"),
    ...contradiction(policy.hardDeadline, policy.softDeadline, "policy", "hard_deadline", "soft_deadline"),
  ];
}

function checkStage({ config }: Stage, position: number): readonly Problem[] {
  if (!config) return [];
  const at = `stages[${position}].config`;
  const handoff = config.handoffPolicy;
  return [
    ...violations(validate(StageConfigSchema, config), at).filter(({ at }) => !isLeftToTask(at)),
    ...(handoff?.retry ? checkRetry(handoff.retry, `${at}.handoff_policy.retry`) : []),
    ...order(
      `${at}.handoff_policy.freshness.hard_max_ref_staleness`,
      handoff?.freshness?.maxRefStaleness,
      handoff?.freshness?.hardMaxRefStaleness,
      "max_ref_staleness",
    ),
    ...(config.contextPropagation?.carryFields ?? []).flatMap((field, index) =>
      checkCarried(field, `${at}.context_propagation.carry_fields[${index}]`),
    ),
    ...(config.contextPropagation
      ? checkPropagation(config.contextPropagation, config.dependsOnStages, `${at}.context_propagation`)
      : []),
    ...(config.contractTemplate ? checkTemplate(config.contractTemplate, `${at}.contract_template`) : []),
    ...(config.outputSchema ? checkJsonSchema(config.outputSchema) : []).map(({ path, message }) =>
      problem(`${at}.output_schema${path}`, message, "write a JSON Schema that an answer can satisfy"),
    ),
  ];
}

/** The task's contract completes that of a template, so these fields may be absent. */
function isLeftToTask(at: string): boolean {
  return /\.contract_template\.(?:task_id|title|acceptance_criteria)$/.test(at);
}

function checkRetry(retry: RetryPolicy, at: string): readonly Problem[] {
  const { backoffMultiplier, initialBackoff, maxBackoff, noJitter, jitter } = retry;
  const { initialBackoffMs } = retryRules(retry);
  const shrinks = backoffMultiplier > 0 && backoffMultiplier < 1;
  const isShorter = maxBackoff !== undefined && durationMs(maxBackoff) < initialBackoffMs;
  const first = initialBackoff ? "initial_backoff" : `the default of initial_backoff, ${initialBackoffMs} ms`;
  return [
    ...(shrinks
      ? [problem(`${at}.backoff_multiplier`, "must be 1 or more", "write 1 for waits of the same length")]
      : []),
    ...(isShorter
      ? [problem(`${at}.max_backoff`, `is shorter than ${first}`, "raise it, or lower initial_backoff")]
      : []),
    ...contradiction(noJitter, jitter, at, "no_jitter", "jitter"),
  ];
}

/** An unknown field would carry nothing, so it is a mistake. */
function checkCarried(field: string, at: string): readonly Problem[] {
  if (carryFields.some((known) => known === field)) return [];
  const fix = `${didYouMean(field, carryFields)}use one of: ${carryFields.join(", ")}`;
  return [problem(at, `"${field}" cannot be carried`, fix)];
}

/** Settings that carry nothing because another setting excludes it. */
function checkPropagation(
  { mode, carryFields: listed, carryArtifacts, carryDecisions, carryRisks }: ContextPropagation,
  dependsOn: readonly string[],
  at: string,
): readonly Problem[] {
  const flags = { carry_artifacts: carryArtifacts, carry_decisions: carryDecisions, carry_risks: carryRisks };
  const flag = Object.entries(flags).find(([, isSet]) => isSet)?.[0];
  const carried = flag ?? (listed.length > 0 ? "carry_fields" : undefined);
  if (mode === ContextPropagationMode.UNSPECIFIED || mode === ContextPropagationMode.NONE) {
    const why = mode === ContextPropagationMode.NONE ? "with mode NONE" : "without a mode";
    return carried
      ? [problem(`${at}.${carried}`, `carries nothing ${why}`, "add mode: PREVIOUS or mode: CUMULATIVE")]
      : [];
  }
  if (mode === ContextPropagationMode.PREVIOUS && dependsOn.length === 0)
    return [problem(`${at}.mode`, "the stage depends on none", "add depends_on_stages, or leave it out")];
  return [
    ...checkListed(listed, "decisions_made", carryDecisions, at, "carry_decisions"),
    ...checkListed(listed, "risks_identified", carryRisks, at, "carry_risks"),
  ];
}

/** Decisions and risks are carried if both the flag and the list, if there is one, include them. */
function checkListed(
  listed: readonly string[],
  field: string,
  isSet: boolean,
  at: string,
  flag: string,
): readonly Problem[] {
  const position = listed.indexOf(field);
  if (position >= 0 && !isSet)
    return [
      problem(
        `${at}.carry_fields[${position}]`,
        `${field} is carried with ${flag} only`,
        `add ${flag}: true`,
      ),
    ];
  if (position < 0 && isSet && listed.length > 0)
    return [problem(`${at}.${flag}`, `carry_fields leaves ${field} out`, `add ${field} to carry_fields`)];
  return [];
}

/** The contract of a stage, which that of the task completes. */
function checkTemplate(contract: Contract, at: string): readonly Problem[] {
  const named = contract.taskId !== "";
  return [
    ...(named ? [problem(`${at}.task_id`, "only the task states its id", "leave it out")] : []),
    ...checkContract(contract, at),
  ];
}

function contradiction(
  none: boolean,
  stated: number | boolean,
  at: string,
  flag: string,
  name: string,
): readonly Problem[] {
  if (!none || stated === 0 || stated === false) return [];
  return [problem(`${at}.${flag}`, `contradicts ${name}: ${stated}`, `leave out ${flag} or ${name}`)];
}

function order(
  at: string,
  least: Duration | undefined,
  most: Duration | undefined,
  name: string,
): readonly Problem[] {
  if (!least || !most || durationMs(least) <= durationMs(most)) return [];
  return [problem(at, `is shorter than ${name}`, `raise it, or lower ${name}`)];
}

function violations(found: ReturnType<typeof validate>, at: string): readonly Problem[] {
  return found.map(({ field, message }) => {
    const path = field.replaceAll(/\["([^"]*)"\]/g, ".$1"); // Data has the same path syntax as fields.
    return problem(path === "" ? at : `${at}.${path}`, message, "docs/reference/limits.md states the range");
  });
}

function problem(at: string, message: string, fix: string): Problem {
  return { code: "BATON-PIPELINE-001", at, message, fix };
}
