import { type AgentResult, AuditEventType, EscalationKind } from "@baton/contract";
import { brief } from "../../brief.ts";
import type { Draft } from "../decision/draft.ts";
import { escalate, resolve } from "../decision/escalate.ts";
import type { Actor } from "../decision/input.ts";
import { describeSpend, limitOf, type SpendLimit, spendKinds, spendOf } from "../plan/spending.ts";
import { type Sent, waitOf } from "../state/stage-state.ts";
import { startStage } from "./start-stage.ts";
import { pipelineSnapshot } from "./summarise.ts";

/** Whether an agent stopped because its budget has no room for what comes next (SAC-12). */
export function lacksBudget({ budgetNeeded }: AgentResult): boolean {
  const needed = limitOf(budgetNeeded);
  return spendKinds.some((kind) => (needed[kind] ?? 0) > 0);
}

/**
 * An attempt got only a share of the budget: where the rest of the budget has the room, another attempt gets it, and otherwise
 * a person is asked. Each such attempt gets more than the one before, so that the budget ends them.
 */
export function giveOrAskForBudget(draft: Draft, index: number, sent: Sent, result: AgentResult): void {
  const needed = positive(limitOf(result.budgetNeeded));
  const spent = result.usage
    ? spendOf(result.usage)
    : { tokens: 0, costMicroUsd: 0, steps: 0, ...sent.granted };
  const repeated: SpendLimit = Object.fromEntries(
    spendKinds.flatMap((kind) => (needed[kind] === undefined ? [] : [[kind, needed[kind] + spent[kind]]])),
  );
  const isMore = spendKinds.some(
    (kind) => (repeated[kind] ?? 0) > (sent.granted[kind] ?? Number.POSITIVE_INFINITY),
  );
  if (isMore && hasRoom(draft, index, repeated)) {
    again(draft, index, repeated, "its share of the budget was too small", { kind: "turn" });
    return startStage(draft, index);
  }
  const reason = brief(result.response?.message || (result.status?.summary ?? ""));
  const { spending, plan } = draft.state;
  const escalationId = escalate(draft, {
    kind: EscalationKind.BUDGET,
    stage: index,
    sent,
    snapshot: {
      problem: [
        `${sent.choice.instanceId} stopped before it would exceed its budget: it needs ${describeSpend(needed)}`,
        `it has spent ${describeSpend(spent)} of ${describeSpend(sent.granted)}`,
        `the run has spent ${describeSpend(spending.spent)} of ${describeSpend(plan.limits.budget)}`,
        ...(reason === "" ? [] : [reason]),
      ].join("; "),
      impact: `stage "${draft.plan(index).id}" waits`,
      options: ["raise", "abort"],
      recommended: `answer "raise", which gives another attempt what it needs; or set the budget with baton runs set ${draft.state.id} --budget-tokens, --budget-usd or --budget-steps`,
      blocking: true,
    },
  });
  again(draft, index, needed, "its budget was too small", {
    kind: "budget",
    escalationId,
    untilAnswered: true,
  });
}

/** Nobody is at fault, so it does not count as a retry. */
function again(
  draft: Draft,
  index: number,
  needed: SpendLimit,
  reason: string,
  wait: { readonly kind: "turn" } | { readonly kind: "budget"; escalationId: string; untilAnswered: true },
): void {
  draft.record({
    type: "retried",
    stage: index,
    wait,
    feedback: undefined,
    clarification: undefined,
    uncounted: true,
    release: undefined,
    needed,
    reason,
    atMs: draft.nowMs,
  });
}

/** The answer "raise": the budget of the run grows where it has no room for what the next attempt needs. */
export function raiseBudget(draft: Draft, index: number, by: Actor, reason: string): void {
  const { spending, plan } = draft.state;
  const { needed = {} } = draft.stage(index);
  const budget: { -readonly [Kind in keyof SpendLimit]: SpendLimit[Kind] } = { ...plan.limits.budget };
  for (const kind of spendKinds) {
    const [limit, least] = [budget[kind], needed[kind]];
    if (limit === undefined || least === undefined) continue;
    budget[kind] = Math.max(limit, spending.spent[kind] + spending.heldTotal[kind] + least);
  }
  if (spendKinds.every((kind) => budget[kind] === plan.limits.budget[kind])) return;
  const why = reason || "an attempt needs more";
  draft.record({ type: "limits-changed", budget, by: by.id, reason: why, atMs: draft.nowMs });
  draft.note(AuditEventType.LIMITS_CHANGED, "raised the budget", {
    stage: index,
    actor: by,
    rationale: why,
    snapshot: { case: "pipeline", value: pipelineSnapshot(draft.state, { policy: draft.state.plan.policy }) },
  });
}

/** A budget that a person raised answers the questions of the agents that it has room for. */
export function closeAnsweredByBudget(draft: Draft, by: Actor): void {
  for (const index of draft.state.stages.keys()) {
    const wait = waitOf(draft.stage(index));
    if (wait?.kind !== "budget" || !wait.untilAnswered) continue;
    if (!hasRunRoom(draft, draft.stage(index).needed ?? {})) continue;
    resolve(draft, wait.escalationId, "the budget was raised", by);
    draft.record({ type: "waited", stage: index, wait: { kind: "turn" }, atMs: draft.nowMs });
  }
}

function hasRoom(draft: Draft, index: number, needed: SpendLimit): boolean {
  const own = draft.plan(index).budget;
  const fits = spendKinds.every((kind) => (needed[kind] ?? 0) <= (own[kind] ?? Number.POSITIVE_INFINITY));
  return fits && hasRunRoom(draft, needed);
}

function hasRunRoom({ state }: Draft, needed: SpendLimit): boolean {
  const { spent, heldTotal } = state.spending;
  return spendKinds.every((kind) => {
    const limit = state.plan.limits.budget[kind];
    return limit === undefined || limit - spent[kind] - heldTotal[kind] >= (needed[kind] ?? 0);
  });
}

function positive(limit: SpendLimit): SpendLimit {
  return Object.fromEntries(Object.entries(limit).filter(([, amount]) => amount > 0));
}
