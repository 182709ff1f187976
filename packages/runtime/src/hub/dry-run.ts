import type { Pipeline } from "@baton/contract";
import { type PipelineInput, replay } from "@baton/kernel";
import { pipelineView } from "../views/pipeline-view.ts";

/** The pipeline that a submission would make, before anything happens to it. */
export function dryRun(input: Extract<PipelineInput, { type: "submit" }>, nowMs: number): Pipeline {
  const { type: _, by: _by, ...content } = input;
  const state = replay([{ type: "created", ...content, atMs: nowMs }]);
  if (!state) throw new Error("a planned submission makes a pipeline");
  return pipelineView(state, { withResults: false });
}
