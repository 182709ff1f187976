import type { PipelineState, RunLabel } from "./state.ts";

/** Those of the task, until they are changed. */
export function labelsOf({ labels, task }: PipelineState): readonly RunLabel[] {
  return labels ?? task.labels;
}
