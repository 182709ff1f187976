import {
  type AuditEntry,
  AuditEventType,
  type DispatchSnapshot,
  type GateCheck,
  GateCheckStatus,
} from "@baton/contract";
import { type Beat, deed, heading, type Said } from "./beat.ts";
import { count } from "./count.ts";

/** What the hub decided and an agent answered, as the record has it. */
export class EntryTeller {
  /** An answer is told with what became of it: a review that rejects says it in the same words. */
  #answer: AuditEntry | undefined;

  /** What an entry says to a watcher. Those that repeat what another one says say nothing. */
  tell(entry: AuditEntry): readonly Beat[] {
    if (entry.eventType === AuditEventType.RESULT_RECEIVED) this.#answer = entry;
    const told = tellDecision(entry);
    if (told.length === 0) return [];
    const answer = this.#answer;
    this.#answer = undefined;
    const isSaidAgain = entry.eventType === AuditEventType.GATE_REJECTED;
    return answer === undefined || isSaidAgain ? told : [tellAnswer(answer), ...told];
  }
}

function tellDecision(entry: AuditEntry): readonly Beat[] {
  const payload = entry.snapshot?.snapshotPayload;
  switch (entry.eventType) {
    case AuditEventType.DISPATCH_DECISION: {
      const choice = payload?.case === "dispatch" ? payload.value : undefined;
      return [
        heading(entry.stageId, `attempt ${entry.attemptNumber}`),
        deed("routed", `to ${entry.packId}${describeChoice(choice)}: ${withoutVerdict(entry.rationale)}`),
      ];
    }
    case AuditEventType.GATE_PASSED:
    case AuditEventType.GATE_FAILED:
      return payload?.case === "gate" ? [deed("checked", payload.value.checks.flatMap(tellCheck))] : [];
    case AuditEventType.GATE_REJECTED: {
      const back = payload?.case === "gate" ? payload.value.rewindTargetStage : "";
      return [
        deed("rejects", [{ mark: "failed", text: entry.rationale }], "bad"),
        ...(back ? [deed("rewind", `back to ${back}, with this as its feedback`, "asks")] : []),
      ];
    }
    case AuditEventType.ESCALATION:
    case AuditEventType.DISPATCH_TIMEOUT:
    case AuditEventType.RESULT_INVALID:
      return [deed("trouble", entry.rationale || entry.action, "asks")];
    default:
      return [];
  }
}

function tellAnswer({ rationale, snapshot }: AuditEntry): Beat {
  const payload = snapshot?.snapshotPayload;
  const proofs = payload?.case === "result" ? payload.value.evidenceCount : 0;
  return deed("answers", `${rationale} (${count(proofs, "proof")} attached)`);
}

function describeChoice(choice: DispatchSnapshot | undefined): string {
  const candidates = choice?.candidates.length ?? 0;
  if (candidates === 0) return "";
  return candidates === 1 ? ", the only candidate" : `, the best of ${candidates} candidates`;
}

/** `taken: healthy, 0 of 1 tasks`: that it was taken is plain already. */
function withoutVerdict(reason: string): string {
  return reason.replace(/^taken: /, "");
}

function tellCheck({ gateName, evidence, status }: GateCheck): readonly Said[] {
  if (status === GateCheckStatus.NOT_APPLICABLE) return [];
  return [
    {
      mark: status === GateCheckStatus.PASSED ? "done" : "failed",
      text: `${gateName}: ${withoutOutput(evidence)}`,
    },
  ];
}

/** `"node --test" ended with 0: …`: how it ended, without all that it printed. */
function withoutOutput(evidence: string): string {
  const ran = /^".*" ended with \d+(?=:)/.exec(evidence)?.[0];
  return ran === undefined ? (evidence.split("\n")[0] ?? "") : `${ran}, run again by the hub`;
}
