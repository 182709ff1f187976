import { type AuditEntry, AuditEventType, EscalationKind } from "@baton/contract";
import type { PipelineRecord, RecordOf } from "../../kernel.ts";
import { invariant } from "../../violation.ts";
import type { Model, Step } from "./step.ts";

/** The entries of A §5.4 that a record requires, and the snapshot of each. */
const demanded: Partial<
  Record<PipelineRecord["type"], readonly (readonly [AuditEventType, string | undefined])[]>
> = {
  created: [[AuditEventType.PIPELINE_CREATED, "pipeline"]],
  dispatched: [
    [AuditEventType.DISPATCH_DECISION, "dispatch"],
    [AuditEventType.DISPATCH_SENT, "dispatch"],
  ],
  received: [[AuditEventType.RESULT_RECEIVED, "result"]],
  completed: [[AuditEventType.GATE_PASSED, "gate"]],
  escalated: [[AuditEventType.ESCALATION, "escalation"]],
  resolved: [[AuditEventType.ESCALATION_RESOLVED, "escalation"]],
  paused: [[AuditEventType.PIPELINE_PAUSED, undefined]],
  resumed: [[AuditEventType.PIPELINE_RESUMED, undefined]],
  aborted: [[AuditEventType.PIPELINE_ABORTED, undefined]],
  "pipeline-failed": [[AuditEventType.PIPELINE_FAILED, undefined]],
  restored: [[AuditEventType.PIPELINE_REWOUND, "pipeline"]],
  "pipeline-completed": [[AuditEventType.PIPELINE_COMPLETED, "pipeline"]],
};

/** Each record that requires entries has them; audit ids are unique. */
export function checkAudit({ records, audit, input, before }: Step, model: Model): void {
  for (const { auditId } of audit) {
    invariant(!model.auditIds.has(auditId), "audit ids are unique", () => auditId);
    model.auditIds.add(auditId);
  }
  const entries = (event: AuditEventType) => audit.filter(({ eventType }) => eventType === event);
  for (const [type, needs] of Object.entries(demanded)) {
    const made = records.filter((record) => record.type === type).length;
    if (made === 0) continue;
    for (const [event, snapshot] of needs) {
      const found = entries(event).filter((entry) => snapshot === undefined || carries(entry, snapshot));
      invariant(
        found.length >= made,
        "every decision is audited (A §5.4)",
        () => `${made} "${type}" and ${found.length} ${AuditEventType[event]}`,
      );
    }
  }
  for (const entry of entries(AuditEventType.GATE_PASSED)) checkSixChecks(entry);
  for (const record of records) if (record.type === "escalated") checkQuestion(record);
  for (const record of records) checkEndOfAttempt(record, input, audit);
  if (input.type === "review" && records.length > 0) {
    const judged = audit.find(
      ({ eventType, actor }) => gateEvents.includes(eventType) && actor?.id === input.by.id,
    );
    invariant(
      judged !== undefined,
      "every decision is audited (A §5.4)",
      () => `no gate entry names ${input.by.id}, who decided "${input.verdict.kind}"`,
    );
  }
  invariant(
    before !== undefined || records.length === 0 || audit.length > 0,
    "every decision is audited (A §5.4)",
    () => "a pipeline without an entry",
  );
}

const gateEvents = [AuditEventType.GATE_PASSED, AuditEventType.GATE_FAILED, AuditEventType.GATE_REJECTED];

function checkEndOfAttempt(record: PipelineRecord, input: Step["input"], audit: readonly AuditEntry[]): void {
  const has = (event: AuditEventType) => audit.some(({ eventType }) => eventType === event);
  const demandEntry = (event: AuditEventType) =>
    invariant(
      has(event),
      "every decision is audited (A §5.4)",
      () => `"${record.type}" on "${input.type}" without ${AuditEventType[event]}`,
    );
  if (record.type === "rejected" && record.counts) demandEntry(AuditEventType.GATE_REJECTED);
  if (record.type !== "retried" && record.type !== "failed" && record.type !== "skipped") return;
  if (input.type === "agent-lost" || (input.type === "timer" && input.timerId.startsWith("timeout"))) {
    demandEntry(AuditEventType.DISPATCH_TIMEOUT);
  }
  if (input.type === "verified") demandEntry(AuditEventType.GATE_FAILED);
  const invalid =
    input.type === "result" && !audit.some(({ eventType }) => eventType === AuditEventType.RESULT_RECEIVED);
  if (invalid) demandEntry(AuditEventType.RESULT_INVALID);
}

/** An escalation states problem, impact, options and the recommendation (A §5.2); one about admission also its findings. */
function checkQuestion({ kind, snapshot }: RecordOf<"escalated">): void {
  const { problem, impact, options, recommended, admission } = snapshot;
  const complete = problem !== "" && impact !== "" && options.length > 0 && recommended !== "";
  const named = `${EscalationKind[kind]}: ${problem}`;
  invariant(complete, "an escalation has every field of A §5.2", () => named);
  invariant(
    (kind === EscalationKind.ADMISSION) === (admission !== undefined),
    "an escalation about admission includes its findings",
    () => named,
  );
}

function carries({ snapshot }: AuditEntry, kind: string): boolean {
  return snapshot?.snapshotPayload.case === kind;
}

function checkSixChecks({ snapshot }: AuditEntry): void {
  const gate = snapshot?.snapshotPayload.case === "gate" ? snapshot.snapshotPayload.value : undefined;
  invariant(
    gate?.checks.length === 6,
    "a gate entry lists its six checks",
    () => `${gate?.checks.length ?? 0} checks`,
  );
}
