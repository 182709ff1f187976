import type { AlignmentReport } from "@baton/contract";
import { put, stageAt } from "../state/fold.ts";
import type { AlignmentPhase, PipelineState } from "../state/state.ts";
import type { RecordOf } from "./record.ts";

/** What is known about the alignment of the task, or of the answer of a stage (SAP V2 §4.2). */
export interface AlignmentRecord {
  readonly type: "aligned";
  /** Index of the stage; -1 is the task. */
  readonly subject: number;
  readonly phase: AlignmentPhase;
  readonly report: AlignmentReport;
  readonly atMs: number;
}

/** While it is not decided, nobody may see the answer. */
export function aligned(
  state: PipelineState,
  { subject, phase, report }: RecordOf<"aligned">,
): PipelineState {
  const alignments = new Map(state.alignments);
  alignments.set(subject, { phase, report });
  const next = { ...state, alignments };
  if (subject < 0) return next;
  const stage = stageAt(next, subject);
  if (stage.status !== "DISPATCHED" || stage.phase.kind !== "verifying") return next;
  const { aligning: _, ...rest } = stage.phase;
  const isOpen = phase !== "decided";
  return put(next, subject, { ...stage, phase: { ...rest, ...(isOpen && { aligning: true }) } });
}
