import { type Kernel, kernel, type PipelineRecord, type PipelineState } from "../src/kernel.ts";

type Evolve = Kernel["evolve"];

/** Replaces `evolve`, also for the resulting state of a decision. */
export function withEvolve(evolve: Evolve): Kernel {
  return {
    ...kernel,
    evolve,
    decide: (state, input, world) => {
      const decision = kernel.decide(state, input, world);
      if (!decision.accepted || decision.records.length === 0) return decision;
      return { ...decision, state: foldAll(evolve, state, decision.records) ?? decision.state };
    },
  };
}

export function foldAll(
  evolve: Evolve,
  state: PipelineState | undefined,
  records: readonly PipelineRecord[],
): PipelineState | undefined {
  return records.reduce<PipelineState | undefined>(evolve, state);
}

/** Drops the feedback with every retry. */
export const forgetsFeedback = withEvolve((state, record) => {
  const next = kernel.evolve(state, record);
  if (record.type !== "retried") return next;
  const stages = next.stages.map((stage, place) =>
    place === record.stage ? { ...stage, feedback: undefined } : stage,
  );
  return { ...next, stages };
});

/** A rewind to a version forgets later attempt numbers. */
export const forgetsNumbers = withEvolve((state, record) => {
  const next = kernel.evolve(state, record);
  if (record.type !== "restored") return next;
  return { ...next, stages: next.stages.map((stage) => ({ ...stage, usedUpTo: 0 })) };
});

/** A retry forgets the steps of the attempts before it. */
export const forgetsSteps = withEvolve((state, record) => {
  const { steps, ...rest } = kernel.evolve(state, record);
  return record.type === "retried" || !steps ? rest : { ...rest, steps };
});

export function keepsLedgerAt(type: "received" | "dispatched"): Kernel {
  return withEvolve((state, record) => {
    const next = kernel.evolve(state, record);
    return state && record.type === type ? { ...next, spending: state.spending } : next;
  });
}
