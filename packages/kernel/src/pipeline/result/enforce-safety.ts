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
interface ObservedConduct {
  readonly steps: number;
  readonly tool?: UsedTool | undefined;
}

/** How an agent was started. */
export interface Conduct {
  /** With its own restrictions: it asks before using a tool, is refused forbidden ones, and stops after its steps. */
  readonly restrained?: boolean;
}

/**
 * Whether a call counts as a use of the tool. It counts when it begins, however it ends. Restrained agents also report
 * refused calls, so only successful calls count.
 */
export function countsAsUsed({ restrained }: Conduct, reported: "invoked" | "succeeded" | "failed"): boolean {
  return reported === (restrained ? "succeeded" : "invoked");
}

/** Whether the hub counts the steps of an agent while it works. */
export function countsSteps({ restrained }: Conduct): boolean {
  return !restrained;
}

/**
 * Enforces the SafetyContext while an agent works (A §2.5, DIS-16). The SDK prevents violations; for other agents the hub
 * enforces it when a use is reported: the attempt ends, and its late result does not count.
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

/** Why a tool is forbidden; undefined when it is allowed. */
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
