import { AgentResultSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { type Kernel, kernel, type PipelineRecord, type PipelineState, type Sent } from "../src/kernel.ts";
import { foldAll } from "./altered-state.ts";

/** Alters the records of the kernel's decisions. State and records still agree; only the effects differ. */
function altersRecords(alter: (record: PipelineRecord) => PipelineRecord): Kernel {
  return {
    ...kernel,
    decide: (state, input, world) => {
      const decision = kernel.decide(state, input, world);
      if (!decision.accepted) return decision;
      const records = decision.records.map(alter);
      if (records.every((record, index) => record === decision.records[index])) return decision;
      return { ...decision, records, state: foldAll(kernel.evolve, state, records) ?? decision.state };
    },
  };
}

export const losesRejections = altersRecords((record) =>
  record.type === "rejected" && record.counts ? { ...record, counts: false } : record,
);

/** Drops the gate's findings from the record of a retry. */
export const losesFindings = altersRecords((record) =>
  record.type === "retried" && record.feedback ? { ...record, feedback: undefined } : record,
);

/** Compares only the stage of a result, not the attempt. */
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

/** Interprets "all stages after the target" (A §4.6) as all later ones in the list. */
export const resetAllAfterTarget: Kernel["decide"] = (state, input, world) => {
  const decision = kernel.decide(state, input, world);
  if (!decision.accepted) return decision;
  const { records, ...rest } = decision;
  let before: PipelineState | undefined = state;
  const widened = records.map((record) => {
    const now = before;
    before = kernel.evolve(before, record);
    if (record.type !== "rejected" || !now) return record;
    const reset = now.stages.flatMap(({ status }, place) =>
      place > record.target && status !== "PENDING" ? [place] : [],
    );
    return { ...record, reset };
  });
  const after = widened.reduce<PipelineState | undefined>(kernel.evolve, state);
  return after ? { ...rest, records: widened, state: after } : decision;
};
