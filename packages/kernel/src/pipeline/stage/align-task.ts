import { AlignmentVerdict } from "@baton/contract";
import { beginAlignment } from "../alignment/begin.ts";
import { alignmentOf, governanceOf, theTask } from "../alignment/subject.ts";
import type { Draft } from "../decision/draft.ts";
import { waitOf } from "../state/stage-state.ts";
import { failPipeline } from "./fail-stage.ts";
import { setWait } from "./hold-stage.ts";

/** Whether a governed task may be sent. Begins to decide about it; the stage waits until that is done. */
export function holdForAlignment(draft: Draft, index: number): boolean {
  const governance = governanceOf(draft);
  if (!governance) return false;
  if (!alignmentOf(draft, theTask)) beginAlignment(draft, theTask, governance, true);
  const alignment = alignmentOf(draft, theTask);
  if (alignment?.phase !== "decided") {
    setWait(draft, index, { kind: "alignment" });
    return true;
  }
  if (alignment.report.verdict === AlignmentVerdict.VALID) return false;
  failPipeline(draft, "the task does not follow the constitution");
  return true;
}

/** The decision about the task is there: its stages go on, or the run fails. */
export function releaseAligned(draft: Draft, start: (draft: Draft, index: number) => void): void {
  for (const index of draft.state.stages.keys()) {
    if (draft.state.life.status === "FAILED") return;
    if (waitOf(draft.stage(index))?.kind !== "alignment") continue;
    draft.record({ type: "waited", stage: index, wait: { kind: "turn" }, atMs: draft.nowMs });
    start(draft, index);
  }
}
