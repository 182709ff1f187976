import type { PipelineState } from "../../kernel.ts";
import { invariant } from "../../violation.ts";
import type { Step } from "./step.ts";

export function hasEnded(state: PipelineState | undefined): boolean {
  const status = state?.life.status;
  return status === "COMPLETED" || status === "FAILED" || status === "ABORTED";
}

/** COMPLETED, FAILED and ABORTED are final (A §4.5) except for a rewind: later inputs are recorded without effect. */
export function checkEnded({ before, records, commands, input }: Step, after: PipelineState): void {
  if (hasEnded(before) && input.type !== "rewind") {
    const still = ["disregarded", "left", "resolved"];
    const moved = records.find(({ type }) => !still.includes(type));
    invariant(
      moved === undefined,
      "nothing happens in a pipeline that has ended",
      () => `"${input.type}" led to "${moved?.type}"`,
    );
    invariant(
      after.stages === before?.stages,
      "nothing happens in a pipeline that has ended",
      () => `"${input.type}" changed a stage`,
    );
    const sent = commands.find(({ type }) => type !== "notify-fleet");
    invariant(
      sent === undefined,
      "nothing happens in a pipeline that has ended",
      () => `"${input.type}" led to "${sent?.type}"`,
    );
  }
  const end = records.findIndex(({ type }) =>
    ["pipeline-completed", "pipeline-failed", "aborted"].includes(type),
  );
  const later = end === -1 ? undefined : records[end + 1];
  invariant(
    later === undefined || later.type === "resolved",
    "nothing happens in a pipeline that has ended",
    () => `"${later?.type}" came after its end`,
  );
}
