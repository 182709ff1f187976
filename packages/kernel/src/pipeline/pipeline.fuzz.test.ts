import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyHappening, anyPipeline, inputFor } from "../../testing/any-run.ts";
import { brokenInvariants } from "../../testing/invariants.ts";
import { Run } from "../../testing/run.ts";
import { arrowsOf, movesOf } from "../../testing/transitions.ts";
import { testPolicy } from "../../testing/world.ts";
import { whatIf } from "../dispatch/what-if.ts";
import { decide } from "./decide.ts";
import { replay } from "./evolve.ts";
import { pipelineTransitions, stageTransitions } from "./machine.ts";
import type { PipelineRecord } from "./record.ts";
import { descendantsOf } from "./topology.ts";

const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);
const policy = testPolicy({
  routes: {
    code: { allowedPackIds: ["dev"] },
    review: { allowedPackIds: ["qa"] },
    verify: { allowedPackIds: ["qa"] },
    dance: { allowedPackIds: ["dancer"], fallbackPackId: "dev" },
  },
});
const story = fc.tuple(anyPipeline(), fc.array(anyHappening(), { maxLength: 60 }), fc.nat(1000));

/** Runs a story and looks after every input. */
function live(
  [pipeline, happenings, seed]: typeof story extends fc.Arbitrary<infer Story> ? Story : never,
  look: (run: Run) => void,
): Run {
  const run = new Run(pipeline, { policy, seed });
  look(run);
  for (const happening of happenings) {
    const input = inputFor(run, happening);
    if (!input) continue;
    run.give(input);
    look(run);
  }
  return run;
}

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

  it("[PIP-09] what agents keep to is never overspent, however many run side by side", () => {
    fc.assert(
      fc.property(story, (given) => {
        live(given, ({ state }) => {
          if (!state) return;
          const limit = state.plan.limits.budget.tokens ?? Number.POSITIVE_INFINITY;
          expect(state.ledger.spent.tokens + state.ledger.heldTotal.tokens).toBeLessThanOrEqual(limit);
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
