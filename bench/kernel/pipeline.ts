import { decide, evolve, type PipelineInput, type PipelineState } from "@baton/kernel";
import { resultFor, stages, submission, testWorld } from "@baton/kernel/testing";
import { bound, median, printTable } from "../measure.ts";

/** Inputs per second through decide and evolve: does an input cost more when the pipeline has more stages? */
const world = testWorld();

function chain(length: number) {
  const ids = Array.from({ length }, (_, index) => [`s${index}`, {}] as const);
  return submission({ stages: stages(Object.fromEntries(ids)) });
}

/** Runs one pipeline to its end, and returns the nanoseconds per input without the first, which plans. */
function runThrough(length: number): number {
  let state = give(undefined, chain(length));
  const start = process.hrtime.bigint();
  for (let index = 0; index < length; index++) {
    const stage = state.stages[index];
    if (stage?.status !== "DISPATCHED" || stage.phase.kind !== "sent")
      throw new Error("the stage was not sent");
    const { dispatchId, envelope } = stage.phase.sent;
    state = give(state, {
      type: "result",
      dispatchId,
      answer: { kind: "result", result: resultFor(envelope) },
    });
  }
  const ns = Number(process.hrtime.bigint() - start);
  if (state.life.status !== "COMPLETED") throw new Error("the pipeline did not complete");
  return ns / length;
}

function give(state: PipelineState | undefined, input: PipelineInput): PipelineState {
  const decision = decide(state, input, world);
  if (!decision.accepted) throw new Error(decision.problem.message);
  const next = decision.records.reduce<PipelineState | undefined>(evolve, state);
  if (!next) throw new Error("nothing was decided");
  return next;
}

export function benchPipeline(): void {
  for (let warm = 0; warm < 300; warm++) runThrough(3);
  for (let warm = 0; warm < 10; warm++) runThrough(200);
  // The same number of inputs each, by turns: what the collector of garbage takes is counted for both.
  const samples = Array.from({ length: 60 }, () => ({
    few: mean(repeat(67, () => runThrough(3))),
    many: runThrough(200),
  }));
  const few = median(samples.map((sample) => sample.few));
  const many = median(samples.map((sample) => sample.many));
  console.log(
    "pipeline inputs through decide and evolve: a result comes in, the stage completes, the next one is sent\n",
  );
  printTable(
    [
      [3, few],
      [200, many],
    ].map(([count = 0, ns = 0]) => ({
      stages: count,
      "us per input": (ns / 1000).toFixed(1),
      "inputs per second": Math.round(1e9 / ns),
      "ratio to 3 stages": (ns / few).toFixed(2),
    })),
  );
  bound("an input with 200 stages, times one with 3", many / few, 2);
}

function repeat(times: number, work: () => number): number[] {
  return Array.from({ length: times }, work);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
