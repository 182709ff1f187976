import { AuditEventType, EscalationKind } from "@baton/contract";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Problem } from "../../problem.ts";
import type { Draft } from "../decision/draft.ts";
import { resolve } from "../decision/escalate.ts";
import type { PipelineInput } from "../decision/input.ts";
import { refusal } from "../decision/refusal.ts";
import { add, spendKinds, spendWords } from "../plan/spending.ts";
import { closeAnsweredByBudget } from "../stage/ask-for-budget.ts";
import { deadlinePassed } from "../stage/fail-stage.ts";
import { pipelineSnapshot } from "../stage/summarise.ts";
import { deadlineTimer } from "../state/timers.ts";
import { resume, waiveDeadline } from "./run-control.ts";

type ChangeLimits = Extract<PipelineInput, { type: "change-limits" }>;

/** Changes the budget or the deadline of a run (PIP-09, PIP-10). */
export function changeLimits(draft: Draft, input: ChangeLimits): Problem | undefined {
  const { budget, deadlineAtMs, reason, by } = input;
  const problem = whyNot(draft, input);
  if (problem) return problem;
  const { task, plan, deadlineWaived } = draft.state;
  const isEarlier = task.deadline !== undefined && timestampMs(task.deadline) < (deadlineAtMs ?? 0);
  draft.record({
    ...{ type: "limits-changed", by: by.id, reason, atMs: draft.nowMs },
    budget: { ...plan.limits.budget, ...budget },
    ...(deadlineAtMs !== undefined && { deadlineAtMs }),
  });
  draft.note(AuditEventType.LIMITS_CHANGED, "changed the limits", {
    actor: by,
    rationale: reason,
    snapshot: { case: "pipeline", value: pipelineSnapshot(draft.state, { policy: draft.state.plan.policy }) },
  });
  closeAnsweredByBudget(draft, by);
  if (deadlineAtMs === undefined) return undefined;
  draft.setTimer(deadlineTimer, deadlineAtMs);
  if (isEarlier && !deadlineWaived) replaceTaskDeadline(draft, input);
  return goOnAfterDeadline(draft, input);
}

function whyNot({ state, nowMs }: Draft, { budget, deadlineAtMs }: ChangeLimits): Problem | undefined {
  const given = spendKinds.filter((kind) => budget[kind] !== undefined);
  if (given.length === 0 && deadlineAtMs === undefined)
    return at("budget", "no limit is given", "give a budget or a deadline");
  if (deadlineAtMs !== undefined && deadlineAtMs <= nowMs)
    return at("deadline", "the deadline is not in the future", "give a later one");
  const used = add(state.spending.spent, state.spending.heldTotal, 1);
  const short = given.find((kind) => (budget[kind] ?? 0) < used[kind]);
  if (short === undefined) return undefined;
  return at(
    "budget",
    `${budget[short]} ${spendWords[short]} are less than the ${used[short]} that are spent or promised`,
    `give at least ${used[short]}, or abort the run`,
  );
}

function at(field: string, message: string, fix: string): Problem {
  return { ...refusal("BATON-PIPELINE-010", `cannot change the limits: ${message}`, fix), at: field };
}

/** The new deadline replaces the task's own for every stage that waits for a decision about it. */
function replaceTaskDeadline(draft: Draft, { by }: ChangeLimits): void {
  waiveDeadline(draft, by, "the deadline was moved");
}

/** Resumes a run that paused for its deadline, and no other. */
function goOnAfterDeadline(draft: Draft, { reason, by }: ChangeLimits): Problem | undefined {
  const { life, escalations } = draft.state;
  if (life.status === "PAUSED" && life.reason === deadlinePassed)
    return resume(draft, { type: "resume", reason: `the deadline was moved: ${reason}`, by });
  for (const { id, kind, stage } of escalations.values())
    if (kind === EscalationKind.DEADLINE && stage === undefined)
      resolve(draft, id, "the deadline was moved", by);
  return undefined;
}
