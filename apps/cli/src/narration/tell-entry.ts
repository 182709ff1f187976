import {
  ActorType,
  type AuditEntry,
  AuditEventType,
  type DispatchSnapshot,
  type EscalationSnapshot,
  type GateSnapshot,
  Outcome,
} from "@baton/contract/forms";
import { calledAs } from "../called-as.ts";
import { type Beat, deed, heading, type Said } from "./beat.ts";
import { count } from "./count.ts";
import { tellAsked } from "./tell-asked.ts";
import { tellChecks } from "./tell-checks.ts";

/** What the hub decided and an agent answered, as the record has it. */
export class EntryTeller {
  /** By stage. An answer is told with what became of it: a review that rejects says it in the same words. */
  readonly #answers = new Map<string, AuditEntry>();
  /** A reason goes from entry to entry; it is told once. */
  #lastReason = "";

  /** What an entry says to a watcher. Those that repeat what another one says say nothing. */
  tell(entry: AuditEntry): readonly Beat[] {
    if (entry.eventType === AuditEventType.RESULT_RECEIVED) {
      this.#answers.set(entry.stageId, entry);
      return [];
    }
    const told = this.#tellDecision(entry);
    if (told.length === 0) return [];
    this.#lastReason = entry.rationale;
    const answers = this.#takeAnswers(entry.stageId);
    // A review that rejects, and an agent that asks, say it in the same words.
    const isSaidAgain = (answer: AuditEntry) =>
      entry.eventType === AuditEventType.GATE_REJECTED ||
      (entry.eventType === AuditEventType.ESCALATION && answer.rationale === entry.rationale);
    return [...answers.filter((answer) => !isSaidAgain(answer)).map(tellAnswer), ...told];
  }

  /** Those of a stage; all of them for the pipeline as a whole. */
  #takeAnswers(stageId: string): readonly AuditEntry[] {
    const stages = stageId === "" ? [...this.#answers.keys()] : [stageId];
    const taken = stages.flatMap((stage) => this.#answers.get(stage) ?? []);
    for (const stage of stages) this.#answers.delete(stage);
    return taken;
  }

  #tellDecision(entry: AuditEntry): readonly Beat[] {
    const payload = entry.snapshot?.snapshotPayload;
    switch (entry.eventType) {
      case AuditEventType.DISPATCH_DECISION:
        return tellChoice(entry, payload?.case === "dispatch" ? payload.value : undefined);
      case AuditEventType.GATE_PASSED:
      case AuditEventType.GATE_FAILED:
        return payload?.case === "gate" ? tellGate(entry, payload.value) : [];
      case AuditEventType.GATE_REJECTED: {
        const back = payload?.case === "gate" ? payload.value.rewindTargetStage : "";
        return [
          deed("rejects", [{ mark: "failed", text: entry.rationale }], "bad"),
          ...(back ? [deed("rewind", `back to ${back}, with this as its feedback`, "asks")] : []),
        ];
      }
      case AuditEventType.ESCALATION:
        return this.#tellQuestion(entry, payload?.case === "escalation" ? payload.value : undefined);
      case AuditEventType.DISPATCH_TIMEOUT:
      case AuditEventType.RESULT_INVALID:
        return [deed("trouble", entry.rationale || entry.action, "asks")];
      case AuditEventType.AGENT_QUARANTINED:
        return [tellShutOut(entry, payload?.case === "agent" ? payload.value.instanceId : "")];
      case AuditEventType.AGENT_RESTORED: {
        const name = `${entry.packId}/${payload?.case === "agent" ? payload.value.instanceId : ""}`;
        return [deed("let in", `${name} again, by ${entry.actor?.id}: ${entry.rationale}`, "good")];
      }
      case AuditEventType.PIPELINE_PAUSED:
      case AuditEventType.PIPELINE_FAILED:
        return this.#lastReason === entry.rationale ? [] : [deed(entry.action, entry.rationale, "asks")];
      case AuditEventType.PIPELINE_REWOUND: {
        const to = payload?.case === "pipeline" ? payload.value.rewoundTo : 0n;
        return [deed("rewind", `to revision ${to}, by ${entry.actor?.id}: ${entry.rationale}`, "asks")];
      }
      case AuditEventType.PIPELINE_RESUMED:
      case AuditEventType.PIPELINE_ABORTED:
        return [deed(entry.action, `by ${entry.actor?.id}: ${entry.rationale}`, "asks")];
      case AuditEventType.ESCALATION_RESOLVED:
        return isPerson(entry) ? [deed("person", `${entry.action} (${entry.actor?.id})`, "asks")] : [];
      default:
        return [];
    }
  }

  #tellQuestion({ rationale }: AuditEntry, question: EscalationSnapshot | undefined): readonly Beat[] {
    return [tellAsked(rationale === this.#lastReason ? undefined : rationale, question)];
  }
}

function tellShutOut({ packId, rationale }: AuditEntry, instanceId: string): Beat {
  const name = `${packId}/${instanceId}`;
  const way = { text: `when it is mended: ${calledAs()} agent restore ${name} --reason "..."` };
  return deed("shut out", [{ mark: "failed", text: `${name}: ${rationale}` }, way], "bad");
}

function tellChoice(entry: AuditEntry, choice: DispatchSnapshot | undefined): readonly Beat[] {
  const { stageId, attemptNumber, packId, rationale } = entry;
  if (packId === "") {
    const reasons = (choice?.candidates ?? []).map(
      (candidate): Said => ({ mark: "failed", text: `${candidate.packId}: ${candidate.reason}` }),
    );
    return [heading(stageId), deed("waits", [{ text: rationale }, ...reasons], "asks")];
  }
  return [
    heading(stageId, `attempt ${attemptNumber}`),
    deed("routed", `to ${packId}${describeChoice(choice)}: ${withoutVerdict(rationale)}`),
  ];
}

function tellGate(entry: AuditEntry, { checks }: GateSnapshot): readonly Beat[] {
  const reviewer = tellReviewer(entry);
  return [...tellChecks(checks, reviewer.length > 0), ...reviewer];
}

function tellReviewer({ actor, rationale, eventType }: AuditEntry): readonly Beat[] {
  if (actor === undefined || actor.type === ActorType.ORCHESTRATOR) return [];
  const label = eventType === AuditEventType.GATE_PASSED ? "approved" : "refused";
  return [
    deed(label, `by ${actor.id}: ${rationale}`, eventType === AuditEventType.GATE_PASSED ? "good" : "bad"),
  ];
}

function isPerson({ actor }: AuditEntry): boolean {
  return actor?.type === ActorType.HUMAN;
}

function tellAnswer({ rationale, snapshot }: AuditEntry): Beat {
  const payload = snapshot?.snapshotPayload;
  const result = payload?.case === "result" ? payload.value : undefined;
  const text = `${rationale} (${count(result?.evidenceCount ?? 0, "proof")} attached)`;
  return deed("answers", result?.outcome === Outcome.SUCCESS ? text : [{ mark: "failed", text }]);
}

function describeChoice(choice: DispatchSnapshot | undefined): string {
  const candidates = choice?.candidates.filter(({ eligible }) => eligible).length ?? 0;
  if (candidates === 0) return "";
  return candidates === 1 ? ", the only candidate" : `, the best of ${candidates} candidates`;
}

/** `taken: healthy, 0 of 1 tasks`: that it was taken is plain already. */
function withoutVerdict(reason: string): string {
  return reason.replace(/^taken: /, "");
}
