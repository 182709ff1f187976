import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyPipeline } from "../../../testing/any-pipeline.ts";
import { anyHappening, inputFor } from "../../../testing/any-run.ts";
import { isPrepare, prepared, verifiedAs } from "../../../testing/moment.ts";
import { stages } from "../../../testing/pipelines.ts";
import { Run } from "../../../testing/run.ts";
import { heldWorkspaces } from "../state/workspace.ts";

const workspace = { repository: "/work/shop" };

/** The last place that was asked for is made, or cannot be. */
function make(run: Run, ok = true): readonly string[] {
  const asked = run.commands.findLast(isPrepare);
  if (!asked) throw new Error("no place was asked for");
  return run.give(prepared(asked, ok));
}

function finish(run: Run, stageId: string, commit: string): readonly string[] {
  const dispatchId = run.envelope(stageId).execution?.dispatchId ?? "";
  run.answer(stageId);
  const verification = { commands: [], changes: undefined, commit, artifacts: [] };
  return run.give({ type: "verified", dispatchId, verification });
}

describe("an attempt at a task that names a repository", () => {
  it("[PIP-06] is sent when its workspace is prepared, with its path", () => {
    const run = new Run({ stages: stages({ a: {} }), task: { workspace } });
    expect(run.status("a")).toBe("READY");
    const asked = run.commands.findLast(isPrepare);
    expect(asked).toMatchObject({
      repository: "/work/shop",
      branch: "baton/p/a/1",
      base: [],
      start: undefined,
    });
    expect(make(run)).toEqual([
      "a: workspace for attempt 1 from head",
      "a: waits for its turn",
      "a: attempt 1 to dev-1",
    ]);
    const reported = {
      repository: "/work/shop",
      branch: "baton/p/a/1",
      path: "/places/baton/p/a/1",
      baseCommit: "head",
    };
    expect(run.envelope("a").workspace).toMatchObject(reported);
    expect(make(run)).toEqual([]);
  });

  it("[PIP-06] begins with the commit that the task names, and finds out only once where the repository stands", () => {
    const named = new Run({
      stages: stages({ a: {} }),
      task: { workspace: { ...workspace, baseCommit: "v1" } },
    });
    expect(named.commands.findLast(isPrepare)).toMatchObject({ base: ["v1"] });
    const run = new Run({ stages: stages({ a: {}, b: { dependsOnStages: [] } }), task: { workspace } });
    expect(run.commands.filter(isPrepare).map(({ stageId, base }) => [stageId, base])).toEqual([["a", []]]);
    make(run);
    expect(run.commands.filter(isPrepare).map(({ stageId, base }) => [stageId, base])).toEqual([
      ["a", []],
      ["b", ["head"]],
    ]);
  });

  it("[PIP-04] begins with what was kept of all stages that it waits for", () => {
    const run = new Run({
      stages: stages({
        a: {},
        b: { dependsOnStages: ["a"] },
        c: { dependsOnStages: ["a"] },
        d: { dependsOnStages: ["b", "c"] },
      }),
      task: { workspace },
    });
    const basesOf = (id: string) =>
      run.commands.filter(isPrepare).flatMap(({ stageId, base }) => (stageId === id ? [base] : []));
    make(run);
    finish(run, "a", "A");
    for (const asked of run.commands.filter(isPrepare)) run.give(prepared(asked, true));
    finish(run, "b", "B");
    finish(run, "c", "C");
    expect(["b", "c", "d"].map(basesOf)).toEqual([[["A"]], [["A"]], [["B", "C"]]]);
  });

  it("[PIP-08] goes on from what was kept of the attempt that was sent back, compared with the same base", () => {
    const run = new Run({ stages: stages({ a: {} }), task: { workspace, contract: limited } });
    make(run);
    const dispatchId = run.envelope("a").execution?.dispatchId ?? "";
    run.answer("a");
    const changes = { files: [{ path: "stray", action: 1 }], lines: 1 };
    run.give({ type: "verified", dispatchId, verification: { commands: [], changes, commit: "one" } });
    run.fireTimer("retry");
    expect(run.commands.findLast(isPrepare)).toMatchObject({ attempt: 2, base: ["head"], start: "one" });
  });

  it("[PIP-08] begins at the base when the earlier attempt was not checked", () => {
    const run = new Run({ stages: stages({ a: {} }), task: { workspace } });
    make(run);
    run.give({ type: "agent-lost", dispatchId: "p/a/1", reason: "gone" });
    run.fireTimer("retry");
    expect(run.commands.findLast(isPrepare)).toMatchObject({ attempt: 2, base: ["head"], start: undefined });
  });

  it("[PIP-06] is not sent without a place: a person is asked, and may have it tried again", () => {
    const run = new Run({ stages: stages({ a: {} }), task: { workspace } });
    expect(make(run, false)).toEqual([
      'asks a person about WORKSPACE: stage "a" has no workspace: the disk is full',
      "a: waits for a workspace that can be prepared",
    ]);
    expect(run.commands.some(({ type }) => type === "send")).toBe(false);
    const [question] = [...(run.state?.escalations.keys() ?? [])];
    const by = { kind: "human", id: "ada" } as const;
    run.give({
      type: "resolve",
      escalationId: question ?? "",
      resolution: "retry",
      reason: "there is room",
      by,
    } as never);
    expect(run.commands.filter(isPrepare)).toHaveLength(2);
    make(run);
    expect(run.status("a")).toBe("DISPATCHED");
  });

  it("[PIP-06] has not passed when its work could not be kept", () => {
    const run = new Run({ stages: stages({ a: {} }), task: { workspace } });
    make(run);
    run.answer("a");
    expect(run.give(verifiedAs("p/a/1", false)).at(0)).toMatch(/^a: tried again/);
  });

  it("[PIP-11] gives its place back once, whatever ends it, and never while somebody works there", () => {
    fc.assert(
      fc.property(
        anyPipeline(),
        fc.array(anyHappening(), { maxLength: 60, size: "max" }),
        (pipeline, happenings) => {
          const run = new Run({ ...pipeline, task: { ...pipeline.task, workspace } });
          for (const happening of happenings) {
            const input = inputFor(run, happening);
            if (input) run.give(input);
            const open = new Map<string, number>();
            for (const command of run.commands) {
              if (command.type === "prepare-workspace")
                open.set(command.branch, (open.get(command.branch) ?? 0) + 1);
              if (command.type === "release-workspace")
                open.set(command.branch, (open.get(command.branch) ?? 0) - 1);
            }
            const held = [...open].filter(([, count]) => count !== 0);
            expect(held.map(([branch, count]) => `${branch} ${count}`).toSorted()).toEqual(
              [...(run.state ? heldWorkspaces(run.state).keys() : [])]
                .map((branch) => `${branch} 1`)
                .toSorted(),
            );
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

const limited = { taskId: "t", title: "t", acceptanceCriteria: ["c"], expectedFiles: { modify: ["a"] } };
