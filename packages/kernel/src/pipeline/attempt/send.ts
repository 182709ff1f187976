import {
  AuditEventType,
  type CandidateVerdict,
  type ContextLevel,
  type Contract,
  type DispatchSnapshot,
  type RefFreshnessCheck,
} from "@baton/contract";
import { durationMs } from "@bufbuild/protobuf/wkt";
import type { AssembledContext } from "../../dispatch/context.ts";
import type { Verdict } from "../../dispatch/route.ts";
import type { Draft } from "../decision/draft.ts";
import type { SpendLimit } from "../plan/spending.ts";
import { type Routed, type Sent, sentOf } from "../state/stage-state.ts";
import { timeoutTimer } from "../state/timers.ts";
import { buildEnvelope, levelOf, timeoutAtMs } from "./envelope.ts";

/** The inputs of a dispatch. */
export interface Prepared {
  readonly contract: Contract;
  readonly routed: Routed;
  /** The budget of the attempt. */
  readonly granted: SpendLimit;
  /** Its share of the run's budget. */
  readonly reserved: SpendLimit;
  readonly context: AssembledContext;
  readonly freshness: readonly RefFreshnessCheck[];
}

/** Step 5 of dispatch (A §3.2): decision and policy are recorded before the envelope is sent. */
export function sendAttempt(
  draft: Draft,
  index: number,
  { contract, routed, granted, reserved, context, freshness }: Prepared,
): void {
  const { choice, question, facts } = routed;
  const { nowMs } = draft;
  const plan = draft.plan(index);
  const { attempt } = draft.stage(index);
  const dispatchId = `${draft.state.id}/${plan.id}/${attempt}`;
  const timeout = timeoutAtMs(draft, index, maxTaskMs(draft, choice));
  const envelope = buildEnvelope(draft, {
    index,
    dispatchId,
    contract,
    choice,
    granted,
    timeoutAtMs: timeout,
    context,
  });
  const agentKey = draft.fleet.keyOf(choice.packId, choice.instanceId);
  draft.record({
    type: "dispatched",
    stage: index,
    attempt,
    dispatchId,
    choice,
    question,
    facts,
    envelope,
    granted,
    ...(reserved !== granted && { reserved }),
    ...(agentKey !== undefined && { agentKey }),
    timeoutAtMs: timeout,
    atMs: nowMs,
  });
  const sent = sentOf(draft.stage(index));
  if (!sent) throw new Error("a dispatched stage has an attempt");
  noteDispatch(draft, index, sent, context.omitted, freshness);
  const { packId, instanceId } = choice;
  draft.command({
    type: "notify-fleet",
    report: { kind: "dispatched", dispatchId, packId, instanceId, taskType: plan.taskType },
  });
  draft.command({ type: "send", dispatchId, instanceId, envelope });
  draft.setTimer(timeoutTimer(dispatchId), timeout);
}

/** The pack's limit for a task (A §3.1 `max_task_duration`), if it states one. */
function maxTaskMs({ fleet, nowMs }: Draft, { packId, packVersion }: Routed["choice"]): number | undefined {
  for (const { manifest } of fleet.profiles(packId, nowMs)) {
    const longest = manifest.packVersion === packVersion ? manifest.interface?.maxTaskDuration : undefined;
    if (longest) return durationMs(longest);
  }
  return undefined;
}

function noteDispatch(
  draft: Draft,
  index: number,
  sent: Sent,
  omitted: readonly string[],
  freshness: readonly RefFreshnessCheck[],
): void {
  const { choice } = sent;
  const level = levelOf(draft, index);
  const rejected = choice.verdicts.filter(({ instanceId }) => instanceId !== choice.instanceId);
  const brief = briefSnapshot(sent, level);
  draft.note(AuditEventType.DISPATCH_DECISION, `chose ${choice.instanceId}`, {
    stage: index,
    sent,
    rationale: choice.verdicts[0]?.reason ?? "",
    snapshot: {
      case: "dispatch",
      value: {
        ...brief,
        candidatePackIds: [...choice.candidatePackIds],
        rejectionReasons: rejected.map(({ packId, reason }) => `${packId}: ${reason}`).join("; "),
        refFreshness: [...freshness],
        candidates: choice.verdicts.map(candidateVerdict),
        usedFallback: choice.usedFallback,
        omittedContext: [...omitted],
        definition: [...draft.fleet.definitionOf(choice.packId, choice.instanceId)],
      },
    },
  });
  draft.note(AuditEventType.DISPATCH_SENT, "sent the envelope", {
    stage: index,
    sent,
    snapshot: { case: "dispatch", value: brief },
  });
}

/** The choice without its reasons. An object literal, because `create` is slower and every attempt has two. */
function briefSnapshot(
  { choice, attempt, envelope }: Sent,
  contextLevelApplied: ContextLevel,
): DispatchSnapshot {
  return {
    $typeName: "vasini.agent.v1.DispatchSnapshot",
    selectedPackId: choice.packId,
    candidatePackIds: [],
    routingPolicyVersion: choice.policyVersion,
    rejectionReasons: "",
    contextLevelApplied,
    attemptNumber: attempt,
    refFreshness: [],
    candidates: [],
    selectedInstanceId: choice.instanceId,
    usedFallback: false,
    omittedContext: [],
    baseCommit: envelope.workspace?.baseCommit ?? "",
    definition: [],
  };
}

function candidateVerdict({ packId, instanceId, eligible, rank, reason }: Verdict): CandidateVerdict {
  return { $typeName: "vasini.agent.v1.CandidateVerdict", packId, instanceId, eligible, rank, reason };
}
