import {
  CancelReason,
  EscalationKind,
  forbiddenUse,
  type SafetyContext,
  type UsedTool,
} from "@baton/contract";
import { cancelAttempt } from "../attempt/end-attempt.ts";
import type { Draft } from "../decision/draft.ts";
import { escalate } from "../decision/escalate.ts";
import { pausePipeline } from "../stage/fail-stage.ts";
import type { Sent } from "../state/stage-state.ts";

/** What an attempt has done so far, as reported to the hub. */
export interface ObservedConduct {
  readonly steps: number;
  readonly tool?: UsedTool | undefined;
}

/** How an agent was started. */
export interface Conduct {
  /** So that it asks before it uses a tool, is refused what it may not, and stops by itself after so many steps. */
  readonly restrained?: boolean;
}

/**
 * Whether a call counts as a tool that was used. It does when it begins, however it ends. One that restrains itself also
 * reports calls that it was refused, so only calls that succeeded count.
 */
export function countsAsUsed({ restrained }: Conduct, reported: "invoked" | "succeeded" | "failed"): boolean {
  return reported === (restrained ? "succeeded" : "invoked");
}

/** Whether the hub counts the steps of an agent while it works. */
export function countsSteps({ restrained }: Conduct): boolean {
  return !restrained;
}

/**
 * Holds what an agent does while it works against its SafetyContext (A §2.5, DIS-16). The SDK does so before it happens;
 * the hub enforces it for other agents when the use is reported: the attempt ends, and its late answer counts for
 * nothing.
 */
export function enforceSafety(
  draft: Draft,
  index: number,
  sent: Sent,
  { steps, tool }: ObservedConduct,
): void {
  const misused = tool && describeForbiddenUse(sent.envelope.safety, tool);
  if (misused !== undefined) {
    cancelAttempt(draft, index, sent, CancelReason.ABORTED, misused, "lost");
    fail(draft, index, "POLICY_VIOLATED", misused);
    const recommended =
      "look at what the agent did and change its instructions, then resume, which tries the stage again; what the task allows stays as it is: to change it, abort and submit the task again";
    ask(draft, index, sent, misused, recommended);
    return pausePipeline(draft, misused);
  }
  const limits = [sent.envelope.safety?.maxAutonomousSteps || [], sent.granted.steps ?? []].flat();
  const allowed = Math.min(...limits);
  if (steps <= allowed) return;
  const reason = `the agent took ${steps} autonomous steps, and ${allowed} were allowed`;
  cancelAttempt(draft, index, sent, CancelReason.BUDGET, reason, "lost");
  fail(draft, index, "STEP_LIMIT", reason);
  ask(
    draft,
    index,
    sent,
    reason,
    "abort, and submit the task with more steps or in parts; to resume tries the stage again within the same limit",
  );
  pausePipeline(draft, reason);
}

/** Why a tool may not be used, if it may not. */
export function describeForbiddenUse(safety: SafetyContext | undefined, tool: UsedTool): string | undefined {
  const forbidden = forbiddenUse(safety, tool);
  switch (forbidden?.by) {
    case "deny-list":
      return `the agent used "${tool.name}", which is on the deny list`;
    case "allow-list":
      return `the agent used "${tool.name}", which is not on the allow list`;
    case "prohibited-action":
      return forbidden.isCertain
        ? `the agent did "${forbidden.action}", which is prohibited`
        : `the agent ran a command that may be "${forbidden.action}", which is prohibited`;
    default:
      return undefined;
  }
}

function fail(draft: Draft, index: number, code: string, reason: string): void {
  const failure = { code, reason, result: undefined };
  draft.record({ type: "failed", stage: index, failure, atMs: draft.nowMs });
}

function ask(draft: Draft, index: number, sent: Sent, problem: string, recommended: string): void {
  escalate(draft, {
    kind: EscalationKind.POLICY,
    stage: index,
    sent,
    snapshot: {
      problem,
      impact: "the run waits",
      options: ["resume", "abort"],
      recommended,
      blocking: true,
    },
  });
}
