import {
  AuditEventType,
  type Contract,
  commandsOf,
  EscalationKind,
  type Ref,
  type RefFreshnessCheck,
} from "@baton/contract";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { factsOf } from "../../dispatch/fleet-facts.ts";
import { freshChecks, resolveFreshness, staleRefs, unreadStaleRefs } from "../../dispatch/freshness.ts";
import { type RouteChoice, type RouteQuestion, route } from "../../dispatch/route.ts";
import { fallbackOf } from "../../dispatch/routing-policy.ts";
import { effectiveTier } from "../../risk-tier.ts";
import { capGrant } from "../../spend-limits.ts";
import { contextFor, contractFor, levelOf } from "../attempt/envelope.ts";
import { sendAttempt } from "../attempt/send.ts";
import type { Draft } from "../decision/draft.ts";
import { escalate } from "../decision/escalate.ts";
import type { PipelineInput } from "../decision/input.ts";
import { reservationFor, type SpendLimit } from "../plan/spending.ts";
import { type Routed, type Wait, waitOf } from "../state/stage-state.ts";
import { attemptWorkspace, preparesWorkspaces, workspaceOf } from "../state/workspace.ts";
import { holdForAlignment } from "./align-task.ts";
import { answerFromCache } from "./answer-from-cache.ts";
import {
  askAboutDeadline,
  askAboutTools,
  askForApproval,
  closeQuestionOf,
  flagsToApprove,
  forbiddenTools,
  setWait,
  waitForAgent,
  waitForBudget,
  waitForTenantLimit,
} from "./hold-stage.ts";
import { escalateWorkspace, prepareWorkspace } from "./prepare-workspace.ts";

/** Waits that only an answer ends. */
const waitsForAnswer = new Set<Wait["kind"]>([
  "refresh",
  "approval",
  "deadline",
  "workspace",
  "no-workspace",
  "alignment",
]);

/**
 * Steps 3 and 4 of A §4.3 for one stage: sends it, or records why it waits. Every wait resumes
 * here, so that earlier decisions are checked again.
 */
export function startStage(draft: Draft, index: number): void {
  const stage = draft.stage(index);
  const wait = waitOf(stage);
  if (!wait || draft.state.life.status !== "RUNNING" || waitsForAnswer.has(wait.kind)) return;
  if (wait.kind === "budget" && wait.untilAnswered) return;
  if (draft.world.halt) return; // The pipeline pauses before this decision ends.
  if (draft.state.plan.limits.serial && isAnotherStageWorking(draft, index)) return;

  if (isPastDeadline(draft)) return askAboutDeadline(draft, index);
  if (holdForAlignment(draft, index)) return;
  const contract = contractFor(draft.state, index);
  const tools = requiredTools(contract);
  const forbidden = forbiddenTools(draft, tools);
  if (forbidden.length > 0) return askAboutTools(draft, index, forbidden);
  const flags = flagsToApprove(draft, index);
  if (flags.length > 0) return askForApproval(draft, index, flags);

  if (answerFromCache(draft, index)) return;
  const question = questionFor(draft, index, tools);
  const answer = route(question, draft.world.policy, draft.fleet);
  if (answer.kind === "refused") return waitForAgent(draft, index, wait, answer.refusal);
  const reserved = reserve(draft, index);
  if (!reserved) return waitForBudget(draft, index, wait);
  const capped = capByTenant(draft, index, reserved);
  if (!capped.ok) return waitForTenantLimit(draft, index, wait, capped.lack);
  closeQuestionOf(draft, wait, "an agent can take it now");
  if (lacksWorkspace(draft, index)) return requestWorkspace(draft, index);

  const context = contextFor(draft, index);
  const stale = staleRefs(context.refs, draft.plan(index).freshness, draft.nowMs);
  if (stale.length > 0) return requestRefresh(draft, index, stale);
  const freshness = freshChecks(context.refs);
  const routed = withFacts(draft, question, answer.choice);
  const { granted } = capped;
  sendAttempt(draft, index, { contract, routed, granted, reserved, context, freshness });
}

function requestRefresh(draft: Draft, index: number, refs: readonly Ref[]): void {
  const stage = draft.stage(index);
  const workspace = workspaceOf(draft.state, stage);
  setWait(draft, index, { kind: "refresh" });
  draft.command({
    type: "refresh",
    stageId: draft.plan(index).id,
    attempt: draft.stage(index).attempt,
    refs,
    ...(workspace && { workspace }),
    ...(attemptWorkspace(stage) && { ownPlace: true }),
  });
}

/** Time has passed since the references were requested, so agent and budget are checked again. */
function sendRefreshed(
  draft: Draft,
  index: number,
  refs: readonly Ref[],
  freshness: readonly RefFreshnessCheck[],
): void {
  const contract = contractFor(draft.state, index);
  const question = questionFor(draft, index, requiredTools(contract));
  const answer = route(question, draft.world.policy, draft.fleet);
  const reserved = reserve(draft, index);
  const capped = reserved && capByTenant(draft, index, reserved);
  if (answer.kind === "refused" || isPastDeadline(draft) || !reserved || !capped?.ok) {
    setWait(draft, index, { kind: "turn" });
    return startStage(draft, index);
  }
  const context = { ...contextFor(draft, index), refs };
  const routed = withFacts(draft, question, answer.choice);
  const { granted } = capped;
  sendAttempt(draft, index, { contract, routed, granted, reserved, context, freshness });
}

/** The choice with the facts it was made from. */
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

function lacksWorkspace(draft: Draft, index: number): boolean {
  return preparesWorkspaces(draft.state) && !attemptWorkspace(draft.stage(index));
}

function requestWorkspace(draft: Draft, index: number): void {
  setWait(draft, index, prepareWorkspace(draft, index) ? { kind: "workspace" } : { kind: "turn" });
}

function isAnotherStageWorking(draft: Draft, index: number): boolean {
  return draft.state.stages.some(
    (stage, other) => other !== index && (stage.status === "DISPATCHED" || isBeingPrepared(waitOf(stage))),
  );
}

function isBeingPrepared(wait: Wait | undefined): boolean {
  return wait?.kind === "refresh" || wait?.kind === "workspace";
}

/** After the deadline of the task a result is of no use (A §2.3), unless a person waives it. */
function isPastDeadline({ state, nowMs }: Draft): boolean {
  const { deadline } = state.task;
  return deadline !== undefined && !state.deadlineWaived && timestampMs(deadline) <= nowMs;
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
    ...(plan.packId !== undefined && { packId: plan.packId }),
    ...(state.reviewOf && { authorPackId: state.reviewOf.packId }),
  };
}

/** Step 4 of dispatch: references were read again; strict policies block, others continue with the marker. */
export function refreshed(
  draft: Draft,
  { stageId, attempt, refs }: Extract<PipelineInput, { type: "refreshed" }>,
): void {
  const index = draft.state.plan.indexOf.get(stageId);
  const stage = index === undefined ? undefined : draft.stage(index);
  const wait = stage && waitOf(stage);
  if (index === undefined || wait?.kind !== "refresh" || stage?.attempt !== attempt) return;
  if (draft.state.life.status !== "RUNNING" || draft.world.halt)
    return setWait(draft, index, { kind: "turn" });
  const { freshness } = draft.plan(index);
  const known = contextFor(draft, index).refs;
  if (unreadStaleRefs(known, refs, freshness, draft.nowMs).length > 0)
    return requestRefresh(draft, index, staleRefs(known, freshness, draft.nowMs));
  const outcome = resolveFreshness(known, refs, freshness, draft.nowMs);
  if (outcome.blocking.length === 0) return sendRefreshed(draft, index, outcome.refs, outcome.checks);
  const problem = `references are too old and cannot be read again: ${outcome.blocking.join("; ")}`;
  draft.note(AuditEventType.DISPATCH_DECISION, "did not send", {
    stage: index,
    rationale: problem,
    snapshot: {
      case: "dispatch",
      value: {
        routingPolicyVersion: draft.world.policy.version,
        contextLevelApplied: levelOf(draft, index),
        attemptNumber: attempt,
        refFreshness: [...outcome.checks],
      },
    },
  });
  const escalationId = escalate(draft, {
    kind: EscalationKind.FRESHNESS,
    stage: index,
    snapshot: {
      problem,
      impact: `stage "${stageId}" is not sent`,
      options: ["retry", "abort"],
      recommended: "make them readable, and retry",
      blocking: true,
    },
  });
  setWait(draft, index, { kind: "stale", escalationId });
}

/** Continues with the prepared workspace, or asks a person to fix the problem. */
export function acceptWorkspace(
  draft: Draft,
  { stageId, attempt, made }: Extract<PipelineInput, { type: "workspace-prepared" }>,
): void {
  const index = draft.state.plan.indexOf.get(stageId);
  const stage = index === undefined ? undefined : draft.stage(index);
  if (index === undefined || !stage || waitOf(stage)?.kind !== "workspace" || stage.attempt !== attempt)
    return;
  if (!made.ok) return escalateWorkspace(draft, index, made);
  const { path, branch, baseCommit, startCommit } = made;
  const place = { attempt, path, branch, baseCommit, startCommit };
  draft.record({ type: "prepared", stage: index, place, atMs: draft.nowMs });
  setWait(draft, index, { kind: "turn" });
  startStage(draft, index);
}

/**
 * The budget of an attempt: a share of the rest, together with other ready stages and its own further attempts. A lost
 * attempt keeps its reservation, so one that got everything could not be retried.
 */
export function reserve(draft: Draft, index: number): SpendLimit | undefined {
  const { spending, plan, tally } = draft.state;
  const stages = tally.READY + (draft.stage(index).status === "READY" ? 0 : 1);
  const { attempt, roundStart, needed } = draft.stage(index);
  const attempts = Math.max(1, draft.plan(index).retry.maxAttempts - (attempt - roundStart));
  const sharers = stages * attempts;
  return reservationFor(spending, plan.limits.budget, draft.plan(index).budget, sharers, needed);
}

/** What the limits of the tenant leave of a reservation (SAC-12). */
function capByTenant(draft: Draft, index: number, reserved: SpendLimit) {
  const { allowance } = draft;
  if (!allowance) return { ok: true, granted: reserved } as const;
  return capGrant(allowance, reserved, draft.stage(index).needed ?? {}, draft.nowMs);
}

/**
 * The tools an agent must have (A §3.3): the explicit list, else the first word of each command of the environment
 * plus what the task depends on.
 */
export function requiredTools({ requiredTools: explicit, environment, io }: Contract): readonly string[] {
  if (explicit.length > 0) return unique(explicit);
  const dependencies = io?.dependencies ?? [];
  if (!environment) return unique(dependencies);
  const words = commandsOf(environment).map(([, command]) => command.split(/\s+/)[0] ?? "");
  return unique([...words, ...dependencies]);
}

function unique(names: readonly string[]): readonly string[] {
  if (names.length === 0) return names;
  return [...new Set(names)].filter((name) => name !== "").sort();
}
