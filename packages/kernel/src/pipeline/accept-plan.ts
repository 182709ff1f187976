import {
  type PipelinePolicy,
  PipelinePolicySchema,
  type RetryPolicy,
  type Stage,
  StageConfigSchema,
  validate,
} from "@baton/contract";
import { type Duration, durationMs } from "@bufbuild/protobuf/wkt";
import { carryFields } from "../dispatch/context.ts";
import { retryRules } from "../dispatch/retry.ts";
import { checkJsonSchema } from "../json-schema/check-schema.ts";
import { didYouMean } from "../nearest-name.ts";
import type { Problem } from "../problem.ts";
import { type PlanResult, planPipeline } from "./plan.ts";

/**
 * Plans a new pipeline, from the API or from a file, by the same rules. What is stored was accepted by the rules of its
 * time, so a replay plans without them.
 */
export function acceptPlan(stages: readonly Stage[], policy: PipelinePolicy | undefined): PlanResult {
  const known = accepted.get(stages);
  if (known && known.policy === policy) return known.result;
  const planned = planPipeline(stages, policy);
  const problems = [
    ...(planned.ok ? [] : planned.problems),
    ...checkPolicy(policy),
    ...stages.flatMap(checkStage),
  ];
  const result: PlanResult = problems.length === 0 ? planned : { ok: false, problems };
  accepted.set(stages, { policy, result });
  return result;
}

/** As for plans: the stages of a template are accepted for every pipeline that is made from it. */
const accepted = new WeakMap<
  readonly Stage[],
  { readonly policy: PipelinePolicy | undefined; readonly result: PlanResult }
>();

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

function checkStage({ config }: Stage, place: number): readonly Problem[] {
  if (!config) return [];
  const at = `stages[${place}].config`;
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
    ...(config.outputSchema ? checkJsonSchema(config.outputSchema) : []).map(({ path, message }) =>
      problem(`${at}.output_schema${path}`, message, "write a JSON Schema that an answer can satisfy"),
    ),
  ];
}

/** A template's contract is completed by that of the task, so a part that is absent is not missing. */
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

/** A field that nothing is carried by would carry nothing: it is a mistake in writing. */
function checkCarried(field: string, at: string): readonly Problem[] {
  if (carryFields.some((known) => known === field)) return [];
  const fix = `${didYouMean(field, carryFields)}use one of: ${carryFields.join(", ")}`;
  return [problem(at, `"${field}" is not a field that can be carried`, fix)];
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
    const path = field.replaceAll(/\["([^"]*)"\]/g, ".$1"); // Data is named as fields are.
    return problem(path === "" ? at : `${at}.${path}`, message, "docs/reference/limits.md states the range");
  });
}

function problem(at: string, message: string, fix: string): Problem {
  return { code: "BATON-PIPELINE-001", at, message, fix };
}
