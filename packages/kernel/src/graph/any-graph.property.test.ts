import { ResponseStatus } from "@baton/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyWorkflow } from "../../testing/any-workflow.ts";
import { testFleet } from "../../testing/fleet.ts";
import { brokenInvariants } from "../../testing/invariants.ts";
import { ada, Run } from "../../testing/run.ts";
import { testPolicy } from "../../testing/world.ts";
import { replay } from "../pipeline/records/evolve.ts";
import { hasEnded, type PipelineState } from "../pipeline/state/state.ts";
import { compileGraph } from "./graph.ts";
import type { WorkflowGraph } from "./workflow-graph.ts";

const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 200);
const policy = testPolicy({
  routes: {
    code: { allowedPackIds: ["dev"] },
    review: { allowedPackIds: ["qa"] },
    verify: { allowedPackIds: ["qa"] },
  },
});

/** What an agent answers: most of it is plain, and questions are rare, since people may be asked without end. */
const answers: readonly ResponseStatus[] = [
  ResponseStatus.SUCCESS,
  ResponseStatus.SUCCESS,
  ResponseStatus.SUCCESS,
  ResponseStatus.FAILURE,
  ResponseStatus.RETRY_WITH_INSTRUCTION,
  ResponseStatus.RETRY_WITH_INSTRUCTION,
  ResponseStatus.COMPLETED,
];
const datas = [{ score: 0.9 }, { score: 0.1 }, {}, { score: 0.4, missing: 2 }];
const story = fc.tuple(anyWorkflow(), fc.array(fc.nat(27), { minLength: 1, maxLength: 60 }));

/** Runs a graph with these answers, again and again; a person aborts what has stopped. */
function runToEnd(graph: WorkflowGraph, moves: readonly number[], look: (run: Run) => void): Run | undefined {
  const compiled = compileGraph(graph);
  if (!compiled.ok) return undefined;
  const fleet = testFleet([
    { packId: "dev", maxTasks: 99 },
    { packId: "qa", maxTasks: 99 },
  ]);
  const run = new Run({ stages: compiled.stages, task: { inputs: { company: "Acme" } } }, { policy, fleet });
  expect(run.problem).toBeUndefined();
  for (let step = 0; run.state && !hasEnded(run.state); step++) {
    if (step > 5_000) throw new Error("it does not end");
    const move = moves[step % moves.length] ?? 0;
    const next = compiled.order.filter((id) => run.status(id) === "DISPATCHED");
    const id = next[move % Math.max(1, next.length)];
    if (run.state.life.status === "PAUSED") run.give({ type: "abort", reason: "so", by: ada });
    else if (id === undefined) throw new Error(`nothing happens: ${run.openQuestions().join("; ")}`);
    else
      run.answer(id, {
        response: {
          ...{ status: answers[move % answers.length] ?? ResponseStatus.SUCCESS, message: "so" },
          data: datas[move % datas.length] ?? {},
        },
      });
    look(run);
  }
  return run;
}

describe("any graph that loads", () => {
  it("[SAC-05] [SAC-07] [SAC-11] runs to an end within its bounds", () => {
    fc.assert(
      fc.property(story, ([graph, moves]) => {
        const run = runToEnd(graph, moves, ({ state }) =>
          expect(state && brokenInvariants(state)).toEqual([]),
        );
        if (!run?.state) return;
        const { plan, rejectionsUsed, retriesUsed } = run.state;
        const taken = run.records.filter((record) => record.type === "rejected" && record.edge).length;
        const bound = plan.stages.reduce(
          (sum, { rewindEdges }) => sum + rewindEdges.reduce((all, { maxTimes }) => all + maxTimes, 0),
          0,
        );
        expect(taken).toBeLessThanOrEqual(bound);
        expect(rejectionsUsed).toBeLessThanOrEqual(plan.limits.maxRejections);
        const sent = run.records.filter(({ type }) => type === "dispatched").length;
        const rounds = 1 + taken + rejectionsUsed;
        expect(sent).toBeLessThanOrEqual(plan.stages.length * rounds + retriesUsed);
      }),
      { numRuns },
    );
  });

  it("[SAC-05] [PIP-11] records each decision about its edges, and a replay restores them", () => {
    fc.assert(
      fc.property(story, ([graph, moves]) => {
        const run = runToEnd(graph, moves, () => {});
        if (!run?.state) return;
        const edgesOf = (state: PipelineState | undefined) => state?.stages.map(({ edges }) => edges);
        expect(edgesOf(replay(run.records))).toEqual(edgesOf(run.state));
        for (const [index, stage] of run.state.stages.entries()) {
          const plan = run.state.plan.stages[index];
          if (!plan || plan.edges.length === 0 || stage.status === "PENDING") continue;
          const taken = (stage.edges ?? []).filter(({ kind }) => kind !== 3).map((edge) => edge.taken);
          const runs = plan.join === "all" ? taken.every(Boolean) : taken.includes(true);
          // A stage whose edges were taken may be pruned for its inputs, or because the workflow has ended.
          if (taken.length > 0 && stage.status !== "SKIPPED") expect(runs).toBe(true);
        }
      }),
      { numRuns },
    );
  });

  it("[SAC-05] is drawn with every kind of edge, taken and not", () => {
    const seen = new Set<string>();
    let loaded = 0;
    for (const [graph, moves] of fc.sample(story, { seed: 1, numRuns: 300 })) {
      const run = runToEnd(graph, moves, () => {});
      if (run) loaded++;
      for (const record of run?.records ?? [])
        if (record.type === "edges-decided")
          for (const { kind, taken } of record.edges) seen.add(`${kind} ${taken}`);
    }
    expect(loaded).toBeGreaterThan(150);
    expect([...seen].sort()).toEqual(["1 false", "1 true", "2 false", "2 true", "3 false", "3 true"]);
  });
});
