import { type Kernel, kernel, type PipelineRecord } from "../src/kernel.ts";
import { foldAll } from "./altered-state.ts";

/** Decides as the kernel does, and alters what is recorded. State and records still agree: only the effects differ. */
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

/** The gate's findings do not reach the record of the retry. */
export const losesFindings = altersRecords((record) =>
  record.type === "retried" && record.feedback ? { ...record, feedback: undefined } : record,
);
