import { Outcome } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { isPrepare, prepared, rewinding, verifiedAs } from "../../../testing/moment.ts";
import { stages } from "../../../testing/pipelines.ts";
import { Run } from "../../../testing/run.ts";
import { branchesAt } from "../rewind/branches-at.ts";

const retryable = { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "try later" } };

function make(run: Run): void {
  const asked = run.commands.findLast(isPrepare);
  if (asked) run.give(prepared(asked, true));
}

/** The first attempt has failed with work at which nobody looked, and the second one is under way. */
function failedOnce(): Run {
  const run = new Run({ stages: stages({ a: {}, b: {} }), task: { workspace: { repository: "/r" } } });
  make(run);
  run.answer("a", retryable);
  run.fireTimer("retry");
  make(run);
  return run;
}

const left = (run: Run, attempt: number, commit = "work") =>
  run.give({ type: "work-left", dispatchId: `p/a/${attempt}`, commit });
const headOf = (run: Run, branch: string, version = run.records.length) =>
  run.state && branchesAt(run.state, run.records, version).get(branch)?.commit;

describe("what an attempt left that is over", () => {
  it("[TUR-08] is on record as where its branch stands; nothing moves, and nothing is built on it", () => {
    const run = failedOnce();
    const { stages: before } = run.state ?? {};
    const version = run.records.length;
    expect(left(run, 1)).toEqual(["a: attempt 1 left work"]);
    expect([headOf(run, "baton/p/a/1", version), headOf(run, "baton/p/a/1")]).toEqual(["head", "work"]);
    expect(run.state?.stages).toBe(before);
    run.answer("a");
    run.give(verifiedAs("p/a/2", true));
    expect(run.commands.findLast(isPrepare)).toMatchObject({ stageId: "b", base: ["commit of p/a/2"] });
  });

  it("[TUR-08] is recorded once, and not where it was kept, is still worked on, or was never begun", () => {
    const run = failedOnce();
    left(run, 1);
    expect([left(run, 1), left(run, 2), left(run, 3), left(run, 0)]).toEqual([[], [], [], []]);
    for (const dispatchId of ["p/a/x", "p/c/1", "q/a/1", ""])
      expect(run.give({ type: "work-left", dispatchId, commit: "work" })).toEqual([]);
    run.answer("a");
    run.give(verifiedAs("p/a/2", true));
    expect(left(run, 2, "commit of p/a/2")).toEqual([]);
  });

  it("[TUR-08] is recorded after the end, too", () => {
    const run = failedOnce();
    run.give({ type: "abort", reason: "enough", by: { kind: "human", id: "ada" } });
    expect(left(run, 2)).toEqual(["a: attempt 2 left work"]);
    expect(run.state?.life.status).toBe("ABORTED");
  });

  it("[TUR-08] says nothing of a branch that a rewind has set since", () => {
    const run = failedOnce();
    run.give(rewinding(run, 2));
    expect(left(run, 2)).toEqual([]);
    expect(headOf(run, "baton/p/a/2")).toBeUndefined();
  });
});
