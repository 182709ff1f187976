import { AuditEventType, EscalationKind, type Ref, type RefFreshnessCheck } from "@baton/contract";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { factsOf } from "../dispatch/fleet-facts.ts";
import { freshAsTheyAre, staleRefs } from "../dispatch/freshness.ts";
import { requiredTools } from "../dispatch/required-tools.ts";
import { effectiveTier } from "../dispatch/risk-tier.ts";
import { type RouteChoice, type RouteQuestion, type RouteRefusal, route } from "../dispatch/route.ts";
import { fallbackOf } from "../dispatch/routing-policy.ts";
import { type Draft, orchestrator } from "./draft.ts";
import { contextFor, contractFor } from "./envelope.ts";
import { escalate, resolve } from "./escalate.ts";
import { placeOf, wantsPlaces, workspaceOf } from "./place-of.ts";
import { orderPlace } from "./prepare-workspace.ts";
import { reserve } from "./reserve.ts";
import { raisedFlags } from "./security-flags.ts";
import { sendAttempt } from "./send.ts";
import { type Routed, type Wait, waitOf } from "./state.ts";

/** Only an answer ends these. */
const standsStill = new Set<Wait["kind"]>(["refresh", "approval", "deadline", "workspace", "no-workspace"]);

/**
 * Steps 3 and 4 of A §4.3 for one stage: from "its turn" to "sent", or to the reason why not. Whatever it waits for, the
 * way back is through here: nothing that was decided before is trusted to hold still.
 */
export function startStage(draft: Draft, index: number): void {
  const stage = draft.stage(index);
  const wait = waitOf(stage);
  if (!wait || draft.state.life.status !== "RUNNING" || standsStill.has(wait.kind)) return;
  if (draft.world.halt) return; // The pipeline pauses before this decision ends.
  if (draft.state.plan.limits.serial && someoneElseWorks(draft, index)) return;

  if (isTooLate(draft)) return askWhetherStillOfUse(draft, index);
  const contract = contractFor(draft.state, index);
  const tools = requiredTools(contract);
  const forbidden = forbiddenTools(draft, tools);
  if (forbidden.length > 0) return askAboutTools(draft, index, forbidden);
  const flags = flagsToApprove(draft, index);
  if (flags.length > 0) return askForApproval(draft, index, flags);

  const question = questionFor(draft, index, tools);
  const answer = route(question, draft.world.policy, draft.fleet);
  if (answer.kind === "refused") return waitForAgent(draft, index, wait, answer.refusal);
  const granted = reserve(draft, index);
  if (!granted) return waitForBudget(draft, index, wait);
  closeQuestionOf(draft, wait, "an agent can take it now");
  if (lacksPlace(draft, index)) return askForPlace(draft, index);

  const context = contextFor(draft, index);
  const stale = staleRefs(context.refs, draft.plan(index).freshness, draft.nowMs);
  if (stale.length > 0) return askToRead(draft, index, stale);
  const freshness = freshAsTheyAre(context.refs);
  const routed = withFacts(draft, question, answer.choice);
  sendAttempt(draft, index, { contract, routed, granted, context, freshness });
}

export function askToRead(draft: Draft, index: number, refs: readonly Ref[]): void {
  const stage = draft.stage(index);
  const workspace = workspaceOf(draft.state, stage);
  setWait(draft, index, { kind: "refresh" });
  draft.command({
    type: "refresh",
    stageId: draft.plan(index).id,
    attempt: draft.stage(index).attempt,
    refs,
    ...(workspace && { workspace }),
    ...(placeOf(stage) && { ownPlace: true }),
  });
}

/** Reading took its time: whether there is an agent, and money, is asked again. */
export function sendRefreshed(
  draft: Draft,
  index: number,
  refs: readonly Ref[],
  freshness: readonly RefFreshnessCheck[],
): void {
  const contract = contractFor(draft.state, index);
  const question = questionFor(draft, index, requiredTools(contract));
  const answer = route(question, draft.world.policy, draft.fleet);
  const granted = reserve(draft, index);
  if (answer.kind === "refused" || isTooLate(draft) || !granted) {
    setWait(draft, index, { kind: "turn" });
    return startStage(draft, index);
  }
  const context = { ...contextFor(draft, index), refs };
  const routed = withFacts(draft, question, answer.choice);
  sendAttempt(draft, index, { contract, routed, granted, context, freshness });
}

/** A choice with what it was made from. */
function withFacts(draft: Draft, question: RouteQuestion, choice: RouteChoice): Routed {
  const { policy, nowMs } = draft.world;
  const matched = policy.routes.get(question.taskType);
  const named = [
    choice.packId,
    ...(matched?.allowedPackIds ?? []),
    (matched && fallbackOf(matched, policy.defaults)) ?? "",
  ];
  // Instances that failed before may rank ahead of the chosen one.
  const candidates = policy.defaults.maxCandidateAgents + (question.failedOn?.length ?? 0);
  const facts = factsOf(draft.fleet, question.taskType, named, candidates, nowMs, choice.instanceId);
  return { choice, question, facts };
}

/** What it waited for before is no longer asked. */
export function setWait(draft: Draft, index: number, wait: Wait): void {
  const before = waitOf(draft.stage(index));
  if (before) closeQuestionOf(draft, before, "it waits for something else now");
  draft.record({ type: "waited", stage: index, wait, atMs: draft.nowMs });
}

function lacksPlace(draft: Draft, index: number): boolean {
  return wantsPlaces(draft.state) && !placeOf(draft.stage(index));
}

function askForPlace(draft: Draft, index: number): void {
  setWait(draft, index, orderPlace(draft, index) ? { kind: "workspace" } : { kind: "turn" });
}

function someoneElseWorks(draft: Draft, index: number): boolean {
  return draft.state.stages.some(
    (stage, other) => other !== index && (stage.status === "DISPATCHED" || isBeingPrepared(waitOf(stage))),
  );
}

function isBeingPrepared(wait: Wait | undefined): boolean {
  return wait?.kind === "refresh" || wait?.kind === "workspace";
}

/** After the task's own deadline a result is of no use (A §2.3), unless a person says otherwise. */
function isTooLate({ state, nowMs }: Draft): boolean {
  const { deadline } = state.task;
  return deadline !== undefined && !state.deadlineWaived && timestampMs(deadline) <= nowMs;
}

function askWhetherStillOfUse(draft: Draft, index: number): void {
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
function forbiddenTools({ state }: Draft, tools: readonly string[]): readonly string[] {
  const { safety } = state.task;
  if (!safety || tools.length === 0) return [];
  const { toolAllowlist, toolDenylist } = safety;
  return tools.filter(
    (tool) => toolDenylist.includes(tool) || (toolAllowlist.length > 0 && !toolAllowlist.includes(tool)),
  );
}

function askAboutTools(draft: Draft, index: number, tools: readonly string[]): void {
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

/** Security flags that the handoff policy wants a person to let pass (DIS-16). */
function flagsToApprove(draft: Draft, index: number): readonly string[] {
  const { escalateOnFlags } = draft.plan(index);
  if (escalateOnFlags.length === 0 || draft.stage(index).flagsApproved) return [];
  const raised = raisedFlags(draft.state.task.safety);
  return escalateOnFlags.filter((flag) => raised.includes(flag));
}

function askForApproval(draft: Draft, index: number, flags: readonly string[]): void {
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

function questionFor(draft: Draft, index: number, tools: readonly string[]): RouteQuestion {
  const { world, state } = draft;
  const plan = draft.plan(index);
  const stage = draft.stage(index);
  const wait = waitOf(stage);
  return {
    taskType: plan.taskType,
    riskTier: effectiveTier(state.task.riskTier, plan.riskTier),
    requiredTools: tools,
    schemaVersion: world.schemaVersion,
    orchestratorVersion: world.orchestratorVersion,
    queueDepth: world.queueDepth,
    queued: wait?.kind === "agent" && wait.escalationId === undefined,
    nowMs: world.nowMs,
    ...(stage.failedOn && { failedOn: stage.failedOn }),
    ...(state.reviewOf && { authorPackId: state.reviewOf.packId }),
  };
}

/** A busy fleet is waited for; anything else is a person's to mend (A §3.2, failure paths of steps 1 to 3). */
function waitForAgent(draft: Draft, index: number, wait: Wait, refusal: RouteRefusal): void {
  const { step, reason, remedy, busy, verdicts, admission, policyVersion } = refusal;
  // The depth of the queue is in the reason and changes all the time; the question stays the same.
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

/** Waits for others to give back what they do not need; asks when there are none. */
function waitForBudget(draft: Draft, index: number, wait: Wait): void {
  const othersHold = draft.state.stages.some(
    (stage, other) => other !== index && stage.status === "DISPATCHED" && stage.phase.kind === "sent",
  );
  if (wait.kind === "budget" && (othersHold || wait.escalationId !== undefined)) return;
  if (othersHold) return setWait(draft, index, { kind: "budget", escalationId: undefined });
  const { spent, heldTotal } = draft.state.ledger;
  const escalationId = escalate(draft, {
    kind: EscalationKind.BUDGET,
    stage: index,
    snapshot: {
      problem: `the budget is spent: ${spent.tokens} tokens, ${spent.costMicroUsd} millionths of a US dollar, ${spent.steps} steps; lost attempts may have spent ${heldTotal.tokens} tokens more`,
      impact: `stage "${draft.plan(index).id}" is not sent`,
      options: ["abort"],
      recommended: `raise the budget (baton runs set ${draft.state.id} with --budget-tokens, --budget-usd or --budget-steps), or abort`,
      blocking: true,
    },
  });
  setWait(draft, index, { kind: "budget", escalationId });
}

export function closeQuestionOf(draft: Draft, wait: Wait, why: string): void {
  if ("escalationId" in wait) resolve(draft, wait.escalationId, why, orchestrator);
}
