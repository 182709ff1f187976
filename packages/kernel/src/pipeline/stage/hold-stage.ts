import { AuditEventType, EscalationKind } from "@baton/contract";
import type { RouteRefusal } from "../../dispatch/route.ts";
import type { Lack } from "../../spend-limits.ts";
import { type Draft, orchestrator } from "../decision/draft.ts";
import { escalate, resolve } from "../decision/escalate.ts";
import { raisedFlags } from "../plan/plan-stage.ts";
import { describeSpend } from "../plan/spending.ts";
import { type Wait, waitOf } from "../state/stage-state.ts";
import { tenantLimitTimer } from "../state/timers.ts";
import { failPipeline, failsFast } from "./fail-stage.ts";

/** Sets what a stage waits for, and closes the question of its former wait. */
export function setWait(draft: Draft, index: number, wait: Wait): void {
  const before = waitOf(draft.stage(index));
  if (before) closeQuestionOf(draft, before, "it waits for something else now");
  draft.record({ type: "waited", stage: index, wait, atMs: draft.nowMs });
}

export function askAboutDeadline(draft: Draft, index: number): void {
  const { id } = draft.plan(index);
  const escalationId = escalate(draft, {
    kind: EscalationKind.DEADLINE,
    stage: index,
    snapshot: {
      problem: `the deadline of the task has passed before stage "${id}" could be sent`,
      impact: "the stage is not sent",
      options: ["go on", "abort"],
      recommended: "abort, unless a late result is still of use",
      blocking: true,
    },
  });
  setWait(draft, index, { kind: "deadline", escalationId });
}

/** Tools that the contract needs and the safety context does not allow (DIS-16): no agent could do the task. */
export function forbiddenTools({ state }: Draft, tools: readonly string[]): readonly string[] {
  const { safety } = state.task;
  if (!safety || tools.length === 0) return [];
  const { toolAllowlist, toolDenylist } = safety;
  return tools.filter(
    (tool) => toolDenylist.includes(tool) || (toolAllowlist.length > 0 && !toolAllowlist.includes(tool)),
  );
}

export function askAboutTools(draft: Draft, index: number, tools: readonly string[]): void {
  const escalationId = escalate(draft, {
    kind: EscalationKind.POLICY,
    stage: index,
    snapshot: {
      problem: `stage "${draft.plan(index).id}" needs ${tools.join(", ")}, which the safety context does not allow`,
      impact: "the stage is not sent",
      options: ["abort"],
      recommended: "abort, and submit the task with tools that are allowed",
      blocking: true,
    },
  });
  setWait(draft, index, { kind: "approval", escalationId });
}

/** Security flags that need a person's approval by the handoff policy (DIS-16). */
export function flagsToApprove(draft: Draft, index: number): readonly string[] {
  const { escalateOnFlags } = draft.plan(index);
  if (escalateOnFlags.length === 0 || draft.stage(index).flagsApproved) return [];
  const raised = raisedFlags(draft.state.task.safety);
  return escalateOnFlags.filter((flag) => raised.includes(flag));
}

export function askForApproval(draft: Draft, index: number, flags: readonly string[]): void {
  const { id } = draft.plan(index);
  const escalationId = escalate(draft, {
    kind: EscalationKind.POLICY,
    stage: index,
    snapshot: {
      problem: `stage "${id}" ${flags.join(", ").replaceAll("_", " ")}, and the policy wants a person to know first`,
      impact: "the stage is not sent before it is let pass",
      options: ["approve", "abort"],
      recommended: "approve",
      blocking: true,
    },
  });
  setWait(draft, index, { kind: "approval", escalationId });
}

/** Waits for a busy fleet; asks a person about anything else (A §3.2, failure paths of steps 1 to 3). */
export function waitForAgent(draft: Draft, index: number, wait: Wait, refusal: RouteRefusal): void {
  const { step, reason, remedy, busy, verdicts, admission, policyVersion } = refusal;
  // The reason states the queue depth, which changes while the question stays the same.
  const sameQuestion =
    wait.kind === "agent" && (wait.reason === reason || (wait.step === step && step === "admission"));
  if (sameQuestion) return;
  const { id } = draft.plan(index);
  draft.note(AuditEventType.DISPATCH_DECISION, busy ? "waits for an agent" : "found no agent", {
    stage: index,
    rationale: reason,
    snapshot: {
      case: "dispatch",
      value: {
        routingPolicyVersion: policyVersion,
        rejectionReasons: verdicts.map((verdict) => `${verdict.packId}: ${verdict.reason}`).join("; "),
        attemptNumber: draft.stage(index).attempt,
        candidates: verdicts.map(({ remedy: _, ...verdict }) => verdict),
      },
    },
  });
  const sinceMs = (wait.kind === "agent" ? wait.sinceMs : undefined) ?? draft.nowMs;
  if (busy) return setWait(draft, index, { kind: "agent", sinceMs, step, reason, escalationId: undefined });
  const escalationId = escalate(draft, {
    kind: admission ? EscalationKind.ADMISSION : EscalationKind.ROUTING,
    stage: index,
    snapshot: {
      problem: reason,
      impact: `stage "${id}" waits; it goes on by itself once an agent can take it, and "retry" changes nothing before that`,
      options: ["retry", "abort"],
      recommended: remedy,
      blocking: true,
      ...(admission && { admission: { ...admission } }),
    },
  });
  setWait(draft, index, { kind: "agent", sinceMs, step, reason, escalationId });
}

/**
 * Waits for other attempts to return unused budget; when none is under way, asks a person, or ends the run where a failure
 * ends it.
 */
export function waitForBudget(draft: Draft, index: number, wait: Wait): void {
  const othersHold = draft.state.stages.some(
    (stage, other) => other !== index && stage.status === "DISPATCHED" && stage.phase.kind === "sent",
  );
  if (wait.kind === "budget" && (othersHold || wait.escalationId !== undefined)) return;
  if (othersHold) return setWait(draft, index, { kind: "budget", escalationId: undefined });
  const { tokens, costMicroUsd, steps } = draft.state.spending.spent;
  const spent = describeSpend({ tokens, costMicroUsd, steps });
  const held = draft.state.spending.heldTotal.tokens;
  const lost = held > 0 ? `; lost attempts may have spent ${held} tokens more` : "";
  const problem = `the budget is spent: ${spent} of ${describeSpend(draft.state.plan.limits.budget)}${lost}`;
  if (failsFast(draft)) return failPipeline(draft, `stage "${draft.plan(index).id}" is not sent: ${problem}`);
  const escalationId = escalate(draft, {
    kind: EscalationKind.BUDGET,
    stage: index,
    snapshot: {
      problem,
      impact: `stage "${draft.plan(index).id}" is not sent`,
      options: draft.stage(index).needed ? ["raise", "abort"] : ["abort"],
      recommended: `raise the budget (baton runs set ${draft.state.id} with --budget-tokens, --budget-usd or --budget-steps), or abort`,
      blocking: true,
    },
  });
  setWait(draft, index, { kind: "budget", escalationId });
}

/** Waits for room in the limits of the tenant (SAC-12); asks a person when no attempt under way can return any. */
export function waitForTenantLimit(draft: Draft, index: number, wait: Wait, lack: Lack): void {
  const { period, kind, limit, spent, resetsAtMs: untilMs, othersHold } = lack;
  if (wait.kind === "tenant-limit" && wait.untilMs === untilMs && (othersHold || wait.escalationId)) return;
  if (othersHold) {
    setWait(draft, index, { kind: "tenant-limit", untilMs, escalationId: undefined });
    return setTenantLimitTimer(draft);
  }
  const [adjective, when] = period === "day" ? ["daily", "today"] : ["monthly", "this month"];
  const amount = (number: number) => describeSpend({ [kind]: number });
  const until = timeText(untilMs);
  const option = kind === "tokens" ? "--tokens N" : "--usd N";
  const escalationId = escalate(draft, {
    kind: EscalationKind.BUDGET,
    stage: index,
    snapshot: {
      problem: `the tenant has no room left in its ${adjective} limit of ${amount(limit)}`,
      impact: `stage "${draft.plan(index).id}" waits until ${until}, or until the limit is raised; ${amount(spent)} are spent ${when}`,
      options: ["retry", "abort"],
      recommended: `wait until ${until}, or raise the limit for today (baton spend raise ${option} --reason TEXT)`,
      blocking: true,
    },
  });
  setWait(draft, index, { kind: "tenant-limit", untilMs, escalationId });
  setTenantLimitTimer(draft);
}

/** One timer serves all stages that wait: the first reset. */
export function setTenantLimitTimer(draft: Draft): void {
  const resets = draft.state.stages.flatMap((stage) => {
    const wait = waitOf(stage);
    return wait?.kind === "tenant-limit" ? [wait.untilMs] : [];
  });
  if (resets.length > 0) draft.setTimer(tenantLimitTimer, Math.min(...resets));
}

/** Such as 2026-03-14T00:00Z. */
function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}Z`;
}

export function closeQuestionOf(draft: Draft, wait: Wait, why: string): void {
  if ("escalationId" in wait) resolve(draft, wait.escalationId, why, orchestrator);
}
