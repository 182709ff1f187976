import { AgentResultSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { type Kernel, kernel, type PipelineState, type Sent } from "../src/kernel.ts";

/** Looks only at the stage a result comes from, and not at the attempt. */
export const acceptOldAttempts: Kernel["decide"] = (state, input, world) => {
  if (input.type !== "result" || input.answer.kind !== "result") return kernel.decide(state, input, world);
  const current = state && attemptOfSameStage(state, input.dispatchId);
  if (!current) return kernel.decide(state, input, world);
  const { dispatchId, attempt } = current;
  const result = create(AgentResultSchema, { ...input.answer.result, dispatchId, attemptNumber: attempt });
  return kernel.decide(state, { ...input, dispatchId, answer: { kind: "result", result } }, world);
};

function attemptOfSameStage({ stages }: PipelineState, dispatchId: string): Sent | undefined {
  const stagePart = dispatchId.slice(0, dispatchId.lastIndexOf("/"));
  for (const stage of stages) {
    if (stage.status !== "DISPATCHED" || stage.phase.kind !== "sent") continue;
    const { sent } = stage.phase;
    if (sent.dispatchId.slice(0, sent.dispatchId.lastIndexOf("/")) === stagePart) return sent;
  }
  return undefined;
}
