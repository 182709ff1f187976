import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { anyPipeline } from "../../testing/any-pipeline.ts";
import { anyHappening, inputFor } from "../../testing/any-run.ts";
import { brokenInvariants } from "../../testing/invariants.ts";
import { Run } from "../../testing/run.ts";
import { arrowsOf, movesOf } from "../../testing/transitions.ts";
import { testPolicy } from "../../testing/world.ts";
import { whatIf } from "../dispatch/what-if.ts";
import { descendantsOf } from "../graph/topology.ts";
import { decide } from "./decide.ts";
import { noSpending } from "./plan/spending.ts";
import { replay } from "./records/evolve.ts";
import type { PipelineRecord } from "./records/record.ts";
import { pipelineTransitions, stageTransitions } from "./state/machine.ts";
import type { PipelineState } from "./state/state.ts";

const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);
const policy = testPolicy({
  routes: {
    code: { allowedPackIds: ["dev"] },
    review: { allowedPackIds: ["qa"] },
    verify: { allowedPackIds: ["qa"] },
    dance: { allowedPackIds: ["dancer"], fallbackPackId: "dev" },
  },
});
const story = fc.tuple(anyPipeline(), fc.array(anyHappening(), { maxLength: 60, size: "max" }), fc.nat(1000));

type Story = typeof story extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Runs a story and looks after every input. */
function live([pipeline, happenings, seed]: Story, look: (run: Run) => void): Run {
  const run = new Run(pipeline, { policy, seed });
  // A pipeline that is refused would show nothing.
  expect(run.problem).toBeUndefined();
  look(run);
  for (const happening of happenings) {
    const input = inputFor(run, happening);
    if (!input) continue;
    run.give(input);
    look(run);
  }
  return run;
}

describe("generated stories of pipelines", () => {
  /** Need an exact order of inputs; the stories of `machine.test.ts` reach them. */
  const rare = ["FAILED → PENDING", "READY → PENDING", "SKIPPED → READY"];
  /** The same stories every time: what they reach does not depend on luck. */
  let runs: readonly Run[] = [];
  beforeAll(() => {
    runs = fc.sample(story, { seed: 1, numRuns: 600 }).map((one) => live(one, () => {}));
  });

  it("[PIP-02] reach every transition of the tables except the rarest", () => {
    const reached = { stages: new Set(rare), pipeline: new Set<string>() };
    for (const { records } of runs) {
      const { stages, pipeline } = movesOf(records);
      for (const move of stages) reached.stages.add(move);
      for (const move of pipeline) reached.pipeline.add(move);
    }
    expect([...arrowsOf(stageTransitions)].filter((move) => !reached.stages.has(move))).toEqual([]);
    expect([...arrowsOf(pipelineTransitions)].filter((move) => !reached.pipeline.has(move))).toEqual([]);
  });

  it("[SAC-05] [SAC-06] [SAC-07] take every kind of edge, and fill in inputs", () => {
    const seen: Record<string, number> = {};
    for (const { records, state } of runs) {
      for (const record of records)
        for (const what of edgesIn(record, state)) seen[what] = (seen[what] ?? 0) + 1;
    }
    expect(Object.keys(seen).sort()).toEqual(
      [
        "a join that a condition lets run",
        "a join that a condition leaves out",
        "a stage that takes over after a failure",
        "an edge that goes back",
        "inputs from another stage",
        "inputs that cannot be filled",
        "less than nothing spent",
      ].sort(),
    );
  });

  function edgesIn(record: PipelineRecord, state: PipelineState | undefined): readonly string[] {
    const plan =
      "stage" in record && record.stage !== undefined ? state?.plan.stages[record.stage] : undefined;
    const joins = plan?.condition !== undefined && plan.dependsOn.length > 1;
    const takesOver = state?.plan.stages.some(({ errorStage }) => errorStage === plan?.index);
    switch (record.type) {
      case "unblocked":
        return [
          ...(joins ? ["a join that a condition lets run"] : []),
          ...(takesOver ? ["a stage that takes over after a failure"] : []),
          ...(record.inputs && plan?.mapping?.nodes.length ? ["inputs from another stage"] : []),
        ];
      case "pruned":
        return [
          ...(joins && record.reason === "its condition is false"
            ? ["a join that a condition leaves out"]
            : []),
          ...(/cannot be filled/.test(record.reason) ? ["inputs that cannot be filled"] : []),
        ];
      case "rejected":
        return record.edge ? ["an edge that goes back"] : [];
      case "disregarded":
        return /usage/.test(record.reason) ? ["less than nothing spent"] : [];
      default:
        return [];
    }
  }
});

describe("whatever happens to a pipeline", () => {
  it("[PIP-02] the invariants hold after every input", () => {
    fc.assert(
      fc.property(story, (given) => {
        live(given, ({ state }) => expect(state && brokenInvariants(state)).toEqual([]));
      }),
      { numRuns },
    );
  });

  it("[PIP-02] only the moves of the tables are made", () => {
    const [stageArrows, pipelineArrows] = [arrowsOf(stageTransitions), arrowsOf(pipelineTransitions)];
    fc.assert(
      fc.property(story, (given) => {
        const moves = movesOf(live(given, () => {}).records);
        expect([...moves.stages].filter((move) => !stageArrows.has(move))).toEqual([]);
        expect([...moves.pipeline].filter((move) => !pipelineArrows.has(move))).toEqual([]);
      }),
      { numRuns },
    );
  });

  it("[PIP-11] replaying the records alone gives the state again", () => {
    fc.assert(
      fc.property(story, (given) => {
        const run = live(given, () => {});
        // The plan is worked out from the first record and holds functions, which are equal to nothing.
        expect({ ...replay(run.records), plan: undefined }).toEqual({ ...run.state, plan: undefined });
      }),
      { numRuns: Math.ceil(numRuns / 2) },
    );
  });

  it("[DIS-13] [PIP-11] an answer counts at most once: each dispatch has one result, each round one completion", () => {
    fc.assert(
      fc.property(story, (given) => {
        const { records } = live(given, () => {});
        const sentBy = new Map<number, string>();
        const counted: string[] = [];
        const completions: string[] = [];
        for (const record of records) {
          if (record.type === "dispatched") sentBy.set(record.stage, record.dispatchId);
          if (record.type === "received") counted.push(sentBy.get(record.stage) ?? "");
          if (record.type === "completed") completions.push(sentBy.get(record.stage) ?? "");
        }
        expect(counted).toEqual([...new Set(counted)]);
        expect(completions).toEqual([...new Set(completions)]);
      }),
      { numRuns },
    );
  });

  it("[PIP-11] an input that comes a second time at once changes nothing that counts", () => {
    fc.assert(
      fc.property(story, ([pipeline, happenings, seed]) => {
        const run = new Run(pipeline, { policy, seed });
        for (const happening of happenings) {
          const input = inputFor(run, happening);
          if (!input) continue;
          run.give(input);
          if (input.type !== "result" && input.type !== "timer" && input.type !== "refreshed") continue;
          const again = run.state ? decide(run.state, input, run.world) : undefined;
          const records = again?.accepted ? again.records : [];
          expect(records.map(({ type }) => type).filter((type) => type !== "disregarded")).toEqual([]);
        }
      }),
      { numRuns },
    );
  });

  it("[PIP-09] what agents keep to is never describeOverspend, however many run side by side", () => {
    fc.assert(
      fc.property(story, (given) => {
        live(given, ({ state }) => {
          if (!state) return;
          const limit = state.plan.limits.budget.tokens ?? Number.POSITIVE_INFINITY;
          expect(state.spending.spent.tokens + state.spending.heldTotal.tokens).toBeLessThanOrEqual(limit);
        });
      }),
      { numRuns },
    );
  });

  it("[PIP-09] what is spent never grows less, whatever a result says it spent", () => {
    fc.assert(
      fc.property(story, (given) => {
        let before = noSpending.spent;
        live(given, ({ state }) => {
          if (!state) return;
          const { spent, heldTotal } = state.spending;
          for (const kind of ["tokens", "costMicroUsd", "steps"] as const) {
            expect(spent[kind]).toBeGreaterThanOrEqual(before[kind]);
            expect(heldTotal[kind]).toBeGreaterThanOrEqual(0);
          }
          before = spent;
        });
      }),
      { numRuns },
    );
  });

  it("[PIP-08] a rewind touches the target and what depends on it, and nothing else", () => {
    fc.assert(
      fc.property(story, (given) => {
        const { records, state } = live(given, () => {});
        const rejections = records.filter(
          (record): record is Extract<PipelineRecord, { type: "rejected" }> => record.type === "rejected",
        );
        for (const { target, reset } of rejections) {
          const below = descendantsOf(target, (node) => state?.plan.stages[node]?.dependents ?? []);
          expect(reset.filter((index) => !below.includes(index))).toEqual([]);
        }
      }),
      { numRuns },
    );
  });

  it("[DIS-09] under the policy that chose, every dispatch would have gone where it went", () => {
    fc.assert(
      fc.property(story, (given) => {
        const { records } = live(given, () => {});
        const past = records.flatMap((record) =>
          record.type === "dispatched"
            ? [{ ...record, packId: record.choice.packId, instanceId: record.choice.instanceId }]
            : [],
        );
        expect(whatIf(past, policy)).toEqual([]);
      }),
      { numRuns },
    );
  });

  it("the same state, input and world give the same decision", () => {
    fc.assert(
      fc.property(story, ([pipeline, happenings, seed]) => {
        const run = new Run(pipeline, { policy, seed });
        for (const happening of happenings) {
          const input = inputFor(run, happening);
          if (!input) continue;
          expect(decide(run.state, input, run.world)).toEqual(decide(run.state, input, run.world));
          run.give(input);
        }
      }),
      { numRuns: Math.ceil(numRuns / 10) },
    );
  });
});
