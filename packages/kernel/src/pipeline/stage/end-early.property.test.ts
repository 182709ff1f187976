import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyHappening, anyPipeline, inputFor } from "../../../testing/index.ts";
import { Run } from "../../../testing/run.ts";
import { descendantsOf } from "../../graph/topology.ts";

const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 300);

/** Stages that began although another had ended the workflow, and nothing required needs them. */
function begunAfterTheEnd({ records, state }: Run): readonly string[] {
  const plans = state?.plan.stages ?? [];
  const wanted = plans.map(({ index }) =>
    [index, ...descendantsOf(index, (node) => plans[node]?.dependents ?? [])].some(
      (place) => plans[place]?.required,
    ),
  );
  const ends = new Set<number>();
  return records.flatMap((record) => {
    if (record.type === "ended-early") ends.add(record.stage);
    if (record.type === "restored") {
      ends.clear();
      for (const place of record.ends) ends.add(place);
    }
    if (record.type === "rejected") for (const place of [record.target, ...record.reset]) ends.delete(place);
    if (record.type !== "unblocked" && record.type !== "dispatched") return [];
    return ends.size > 0 && !wanted[record.stage] ? [`${record.type} ${record.stage}`] : [];
  });
}

describe("whatever happens after an answer that completes the workflow", () => {
  it("[SAC-01] nothing begins that is not required, until the end is taken back", () => {
    const story = fc.tuple(anyPipeline(), fc.array(anyHappening(), { maxLength: 60, size: "max" }));
    fc.assert(
      fc.property(story, ([pipeline, happenings]) => {
        const run = new Run(pipeline);
        for (const happening of happenings) {
          const input = inputFor(run, happening);
          if (input) run.give(input);
        }
        expect(begunAfterTheEnd(run)).toEqual([]);
      }),
      { numRuns },
    );
  });
});
