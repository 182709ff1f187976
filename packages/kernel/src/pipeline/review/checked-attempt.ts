import { type AgentResult, type AuditEventType, type GateCheck, GateCheckStatus } from "@baton/contract";
import { deepFreeze } from "../../deep-freeze.ts";
import { tierName } from "../../risk-tier.ts";
import { attemptsLeft } from "../attempt/end-attempt.ts";
import { auditActor, type Draft } from "../decision/draft.ts";
import type { Actor } from "../decision/input.ts";
import { type GateCheckFinding, nothingRequired, type SeenSize } from "../gate/gate.ts";
import { claimAndRun } from "../gate/notices.ts";
import type { Sent } from "../state/stage-state.ts";
import { commitOf } from "../state/workspace.ts";

/** An attempt with its result and the findings of the checks. */
export interface CheckedAttempt {
  readonly index: number;
  readonly sent: Sent;
  readonly result: AgentResult;
  /** Empty before the checks. */
  readonly checks: readonly GateCheckFinding[];
  /** The size of the pipeline's changes up to here; absent when unknown. */
  readonly whole?: SeenSize | undefined;
  /** Paths that the attempt changed; absent when unknown. */
  readonly changed?: readonly string[] | undefined;
}

/** The outcome of the gate. */
interface GateDecision {
  readonly passed: boolean;
  readonly by: Actor;
  readonly reason: string;
  /** The stage that the work is sent back to. */
  readonly target?: string;
}

/** The gate's entry in the audit, with all checks (A §5.4). */
export function noteGate(
  draft: Draft,
  { index, sent, checks }: CheckedAttempt,
  event: AuditEventType,
  { passed, by, reason, target = "" }: GateDecision,
): void {
  draft.note(event, passed ? "the gate passed" : "the gate did not pass", {
    stage: index,
    sent,
    actor: by,
    rationale: reason,
    snapshot: {
      case: "gate",
      value: {
        $typeName: "vasini.agent.v1.GateSnapshot",
        checks: checks === nothingRequired ? nothingChecked : checks.map(gateCheck),
        tier: tierName(sent.choice.riskTier),
        passed,
        rejectReason: passed ? "" : reason,
        rewindTargetStage: target,
        attemptsRemaining: attemptsLeft(draft, index),
        reviewer: auditActor(by),
        commit: commitOf(draft.stage(index)) ?? "",
      },
    },
  });
}

function gateCheck({ name, status, evidence, disproved, claim, run }: GateCheckFinding): GateCheck {
  const check: GateCheck = {
    $typeName: "vasini.agent.v1.GateCheck",
    gateName: name,
    passed: status !== "FAILED",
    evidence,
    status: GateCheckStatus[status],
    disproved,
  };
  return claim || run ? { ...check, ...claimAndRun({ claim, run }) } : check;
}

const nothingChecked = deepFreeze(nothingRequired.map(gateCheck));
