import { type Kernel, kernel, type PipelineState } from "../src/kernel.ts";

/** Takes "all stages after the target" (A §4.6) for all that come later in the list. */
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
