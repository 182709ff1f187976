/** Callers may change their arrays, so that the store never shares one with them. */
import type {
  AuditRow,
  CheckpointRow,
  EscalationRow,
  EventRow,
  KnowledgeRow,
  PipelineRow,
  StepRow,
  StoredJournal,
} from "../../ports/store.ts";
import type { PipelineTables } from "./tables.ts";

export function copyPipeline<Row extends PipelineRow>(row: Row): Row {
  return { ...row, view: row.view && copy(row.view) };
}

export function copyEscalation(row: EscalationRow): EscalationRow {
  return { ...row, escalation: copy(row.escalation) };
}

export function copyAudit(row: AuditRow): AuditRow {
  return { ...row, hash: copy(row.hash), entry: copy(row.entry) };
}

export function copyCheckpoint(row: CheckpointRow): CheckpointRow {
  const { checkpoint, publicKey, peaks } = row;
  return { ...row, checkpoint: copy(checkpoint), publicKey: copy(publicKey), peaks: copy(peaks) };
}

export function copyEvents(row: EventRow): EventRow {
  return { ...row, events: copy(row.events) };
}

export function copyStep(row: StepRow): StepRow {
  return { ...row, info: copy(row.info), value: copy(row.value) };
}

export function copyKnowledge(row: KnowledgeRow): KnowledgeRow {
  return { ...row, content: copy(row.content) };
}

export function copyJournal({ row, texts, version, contents }: PipelineTables): StoredJournal {
  return {
    pipelineId: row.pipelineId,
    texts: [...texts],
    version,
    contents: new Map([...contents].map(([digest, bytes]) => [digest, copy(bytes)])),
  };
}

/** Not `slice`, which is a view in a Buffer. */
export function copy(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
