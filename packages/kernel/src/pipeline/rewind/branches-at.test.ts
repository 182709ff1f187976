import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyHappening, anyPipeline, inputFor, rewinding } from "../../../testing/index.ts";
import { Run } from "../../../testing/run.ts";
import type { BranchPlan } from "../decision/command.ts";
import type { PipelineInput } from "../decision/input.ts";
import { branchOf } from "../state/workspace.ts";
import { branchesAt, planBranches, type RecordedBranch } from "./branches-at.ts";

const branch = "baton/p/a/2";
const at = (commit: string) => new Map([[branch, { branch, startCommit: "start", commit }]]);

describe("the branches of a rewind", () => {
  it("[TUR-08] are made again where there was work on them, also when the present way knows only their place", () => {
    const none = new Map<string, RecordedBranch>();
    const made = (now: ReadonlyMap<string, RecordedBranch>, then: ReadonlyMap<string, RecordedBranch>) =>
      planBranches(now, then).set.map(({ create }) => create);
    expect(made(none, at("work"))).toEqual([true]);
    expect(made(at("start"), at("work"))).toEqual([true]);
    expect(made(at("work"), at("work"))).toEqual([false]); // A person removed it on purpose.
    expect(made(at("work"), at("start"))).toEqual([false]);
    // All that is known of it is what somebody left there: an earlier rewind did not make it again.
    const left = new Map([[branch, { branch, startCommit: "work", commit: "work" }]]);
    expect(made(left, at("work"))).toEqual([true]);
  });
});

/** The branches of a repository, as the hub sets them when it makes a place, keeps work, and rewinds. */
class Branches {
  readonly heads = new Map<string, string>();
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
    this.#follow(0, 0);
  }

  give(input: PipelineInput): void {
    const [records, commands] = [this.#run.records.length, this.#run.commands.length];
    this.#run.give(input);
    this.#follow(records, commands);
  }

  #follow(record: number, command: number): void {
    const { records, commands, state } = this.#run;
    if (!state) return;
    for (const one of records.slice(record)) {
      if (one.type === "prepared") this.heads.set(one.place.branch, one.place.startCommit);
      if (one.type === "kept" || one.type === "left")
        this.heads.set(branchOf(state, one.stage, one.attempt), one.commit);
    }
    for (const one of commands.slice(command))
      if (one.type === "restore-branches") this.#restore(one.branches);
  }

  #restore({ set, drop }: BranchPlan): void {
    for (const { branch: name, commit, create } of set)
      if (create || this.heads.has(name)) this.heads.set(name, commit);
    for (const name of drop) this.heads.delete(name);
  }
}

describe("whatever happened to a pipeline, and however often it was rewound", () => {
  const story = fc.tuple(
    anyPipeline(),
    fc.array(anyHappening(), { maxLength: 50, size: "max" }),
    fc.array(fc.nat(1_000), { minLength: 1, maxLength: 8 }),
  );
  const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 300);

  it("[TUR-08] every rewind leaves the branches that there were, with the work that was on them", () => {
    fc.assert(
      fc.property(story, ([pipeline, happenings, picks]) => {
        const run = new Run({ ...pipeline, task: { ...pipeline.task, workspace: { repository: "/r" } } });
        const repository = new Branches(run);
        for (const happening of happenings) {
          const input = inputFor(run, happening);
          if (input) repository.give(input);
        }
        for (const pick of picks) {
          const version = 1 + (pick % run.records.length);
          if (version === run.records.length || !run.state) continue;
          const then = branchesAt(run.state, run.records, version);
          repository.give(rewinding(run, version));
          const worked = [...then.values()].filter(({ commit, startCommit }) => commit !== startCommit);
          const idle = new Set([...then.keys()].filter((name) => !worked.some((one) => one.branch === name)));
          const left = [...repository.heads].filter(([name]) => !idle.has(name)).sort();
          expect(left).toEqual(worked.map((one) => [one.branch, one.commit]).sort());
        }
      }),
      { numRuns },
    );
  });
});
