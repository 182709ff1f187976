import {
  ActorType,
  type AuditEntry,
  AuditEventType,
  type DispatchSnapshot,
  type EscalationSnapshot,
  type GateSnapshot,
  Outcome,
} from "@baton/contract/forms";
import { defaultInvocation, withInvocation } from "../invocation.ts";
import { count } from "../terminal/format.ts";
import { describeChecks } from "./describe-checks.ts";
import { eventLine, heading, type Statement, type StoryLine } from "./story-line.ts";

/** Decisions of the hub and answers of agents, from audit entries. */
export class EntryPrinter {
  /** By stage. An answer is printed with its outcome: a rejecting review repeats its text. */
  readonly #answers = new Map<string, AuditEntry>();
  /** A reason is repeated from entry to entry; it is printed once. */
  #lastReason = "";

  /** The story lines of an entry; none for an entry that repeats another one. */
  print(entry: AuditEntry): readonly StoryLine[] {
    if (entry.eventType === AuditEventType.RESULT_RECEIVED) {
      this.#answers.set(entry.stageId, entry);
      return [];
    }
    const described = this.#describeDecision(entry);
    if (described.length === 0) return [];
    this.#lastReason = entry.rationale;
    const answers = this.#takeAnswers(entry.stageId);
    // A rejecting review and a question of an agent repeat the answer.
    const isRepeated = (answer: AuditEntry) =>
      entry.eventType === AuditEventType.GATE_REJECTED ||
      (entry.eventType === AuditEventType.ESCALATION && answer.rationale === entry.rationale);
    return [...answers.filter((answer) => !isRepeated(answer)).map(describeAnswer), ...described];
  }

  /** The answers of a stage, or all for the run as a whole. */
  #takeAnswers(stageId: string): readonly AuditEntry[] {
    const stages = stageId === "" ? [...this.#answers.keys()] : [stageId];
    const taken = stages.flatMap((stage) => this.#answers.get(stage) ?? []);
    for (const stage of stages) this.#answers.delete(stage);
    return taken;
  }

  #describeDecision(entry: AuditEntry): readonly StoryLine[] {
    const payload = entry.snapshot?.snapshotPayload;
    switch (entry.eventType) {
      case AuditEventType.DISPATCH_DECISION:
        return describeDispatch(entry, payload?.case === "dispatch" ? payload.value : undefined);
      case AuditEventType.GATE_PASSED:
      case AuditEventType.GATE_FAILED:
        return payload?.case === "gate" ? describeGate(entry, payload.value) : [];
      case AuditEventType.GATE_REJECTED: {
        const back = payload?.case === "gate" ? payload.value.rewindTargetStage : "";
        return [
          eventLine("rejects", [{ mark: "failed", text: entry.rationale }], "bad"),
          ...(back ? [eventLine("rewind", `back to ${back}, with this as its feedback`, "asks")] : []),
        ];
      }
      case AuditEventType.ESCALATION:
        return this.#describeQuestion(entry, payload?.case === "escalation" ? payload.value : undefined);
      case AuditEventType.GUARDRAILS_CHECKED:
        return entry.rationale === "" ? [] : [eventLine("blocked", entry.rationale, "bad")];
      case AuditEventType.DISPATCH_TIMEOUT:
      case AuditEventType.RESULT_INVALID:
        return [eventLine("trouble", entry.rationale || entry.action, "asks")];
      case AuditEventType.AGENT_QUARANTINED:
        return [describeQuarantine(entry, payload?.case === "agent" ? payload.value.instanceId : "")];
      case AuditEventType.AGENT_RESTORED: {
        const name = `${entry.packId}/${payload?.case === "agent" ? payload.value.instanceId : ""}`;
        return [eventLine("let in", `${name} again, by ${entry.actor?.id}: ${entry.rationale}`, "good")];
      }
      case AuditEventType.PIPELINE_PAUSED:
      case AuditEventType.PIPELINE_FAILED:
        return this.#lastReason === entry.rationale ? [] : [eventLine(entry.action, entry.rationale, "asks")];
      case AuditEventType.PIPELINE_REWOUND: {
        const to = payload?.case === "pipeline" ? payload.value.rewoundTo : 0n;
        return [eventLine("rewind", `to revision ${to}, by ${entry.actor?.id}: ${entry.rationale}`, "asks")];
      }
      case AuditEventType.PIPELINE_RESUMED:
      case AuditEventType.PIPELINE_ABORTED:
        return [eventLine(entry.action, `by ${entry.actor?.id}: ${entry.rationale}`, "asks")];
      case AuditEventType.LABELS_CHANGED:
        return [eventLine("labels", `${entry.rationale} (${entry.actor?.id})`, "plain")];
      case AuditEventType.LIMITS_CHANGED:
      case AuditEventType.STAGE_SKIPPED:
      case AuditEventType.STAGE_OVERRIDDEN:
        return [eventLine("person", `${entry.action} (${entry.actor?.id}): ${entry.rationale}`, "asks")];
      case AuditEventType.ESCALATION_RESOLVED:
        return isPerson(entry) ? [eventLine("person", `${entry.action} (${entry.actor?.id})`, "asks")] : [];
      default:
        return [];
    }
  }

  #describeQuestion(
    { rationale }: AuditEntry,
    question: EscalationSnapshot | undefined,
  ): readonly StoryLine[] {
    return [describeQuestion(rationale === this.#lastReason ? undefined : rationale, question)];
  }
}

function describeQuarantine({ packId, rationale }: AuditEntry, instanceId: string): StoryLine {
  const name = `${packId}/${instanceId}`;
  const invocation = {
    text: `after the fix: ${defaultInvocation()} agent restore ${name} --reason "..."`,
  };
  return eventLine("shut out", [{ mark: "failed", text: `${name}: ${rationale}` }, invocation], "bad");
}

function describeDispatch(entry: AuditEntry, choice: DispatchSnapshot | undefined): readonly StoryLine[] {
  const { stageId, attemptNumber, packId, rationale } = entry;
  if (packId === "") {
    const reasons = (choice?.candidates ?? []).map(
      (candidate): Statement => ({ mark: "failed", text: `${candidate.packId}: ${candidate.reason}` }),
    );
    return [heading(stageId), eventLine("waits", [{ text: rationale }, ...reasons], "asks")];
  }
  return [
    heading(stageId, `attempt ${attemptNumber}`),
    eventLine("routed", `to ${packId}${describeChoice(choice)}: ${withoutVerdict(rationale)}`),
  ];
}

function describeGate(entry: AuditEntry, { checks }: GateSnapshot): readonly StoryLine[] {
  const reviewer = describeReviewer(entry);
  return [...describeChecks(checks, reviewer.length > 0), ...reviewer];
}

function describeReviewer({ actor, rationale, eventType }: AuditEntry): readonly StoryLine[] {
  if (actor === undefined || actor.type === ActorType.ORCHESTRATOR) return [];
  const label = eventType === AuditEventType.GATE_PASSED ? "approved" : "refused";
  return [
    eventLine(
      label,
      `by ${actor.id}: ${rationale}`,
      eventType === AuditEventType.GATE_PASSED ? "good" : "bad",
    ),
  ];
}

function isPerson({ actor }: AuditEntry): boolean {
  return actor?.type === ActorType.HUMAN;
}

function describeAnswer({ rationale, snapshot }: AuditEntry): StoryLine {
  const payload = snapshot?.snapshotPayload;
  const result = payload?.case === "result" ? payload.value : undefined;
  const text = `${rationale} (${count(result?.evidenceCount ?? 0, "proof")} attached)`;
  return eventLine("answers", result?.outcome === Outcome.SUCCESS ? text : [{ mark: "failed", text }]);
}

function describeChoice(choice: DispatchSnapshot | undefined): string {
  const candidates = choice?.candidates.filter(({ eligible }) => eligible).length ?? 0;
  if (candidates === 0) return "";
  return candidates === 1 ? ", the only candidate" : `, the best of ${candidates} candidates`;
}

/** `taken: healthy, 0 of 1 tasks` without its first word. */
function withoutVerdict(reason: string): string {
  return reason.replace(/^taken: /, "");
}

/** A question to a person. A problem that is printed already is left out. */
export function describeQuestion(
  problem: string | undefined,
  question: EscalationSnapshot | undefined,
  invocation?: string,
): StoryLine {
  // "answer" as advice says nothing.
  const isPlain = question?.recommended === "answer";
  const advice =
    question?.recommended && !isPlain
      ? [{ text: `advice: ${withInvocation(question.recommended, invocation)}` }]
      : [];
  return eventLine("asks", [...(problem === undefined ? [] : [{ text: problem }]), ...advice], "asks");
}
