import { type Ref, RefSchema, RefType } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { isRefresh } from "../../../testing/moment.ts";
import { stages } from "../../../testing/pipelines.ts";
import { Run } from "../../../testing/run.ts";
import { startMs } from "../../../testing/world.ts";
import type { RefreshOutcome } from "../../dispatch/freshness.ts";

const minute = 60_000;

interface Policy {
  readonly requireDigest?: boolean;
  readonly hardMaxMs?: number;
}

/** A stage whose references may be a minute old. */
function runWith(
  refs: readonly MessageInitShape<typeof RefSchema>[],
  { requireDigest = false, hardMaxMs }: Policy = {},
  task = {},
): Run {
  const freshness = {
    maxRefStaleness: durationFromMs(minute),
    requireDigest,
    ...(hardMaxMs !== undefined && { hardMaxRefStaleness: durationFromMs(hardMaxMs) }),
  };
  return new Run({
    stages: stages({ a: { handoffPolicy: { freshness } } }),
    task: { refs: refs.map((ref) => create(RefSchema, ref)), ...task },
  });
}

/** What is asked for is read, as the test says. */
function answer(run: Run, outcomeOf: (ref: Ref) => RefreshOutcome): readonly string[] {
  const asked = run.commands.findLast(isRefresh);
  if (!asked) throw new Error("nothing is to be read");
  const refs = asked.refs.map((ref) => ({ ref, outcome: outcomeOf(ref) }));
  return run.give({ type: "refreshed", stageId: "a", attempt: 1, refs });
}

const read = (digest: string): RefreshOutcome => ({
  ...{ ok: true, digest, versionOrSha: "v", fetchedAtMs: startMs },
});
const gone: RefreshOutcome = { ok: false, reason: "gone" };

describe("references that are too old", () => {
  it("[DIS-11] differ by version: two commits of one repository are two references", () => {
    const run = runWith([
      { uriOrLocator: "/repo", versionOrSha: "one", refType: RefType.COMMIT },
      { uriOrLocator: "/repo", versionOrSha: "two", refType: RefType.COMMIT },
    ]);
    answer(run, ({ versionOrSha }) => (versionOrSha === "one" ? read("sha256:1") : gone));
    expect(run.envelope("a").refs.map(({ digest, degraded }) => [digest, degraded])).toEqual([
      ["sha256:1", false],
      ["", true],
    ]);
  });

  it("[DIS-11] are read together with those that grew too old while others were read", () => {
    const run = runWith(
      [
        { uriOrLocator: "old" },
        { uriOrLocator: "nearly", digest: "sha256:0", fetchedAt: timestampFromMs(startMs - minute + 1) },
      ],
      { requireDigest: true },
    );
    expect(run.commands.findLast(isRefresh)?.refs.map(({ uriOrLocator }) => uriOrLocator)).toEqual(["old"]);
    run.pass(1_000);
    expect(answer(run, () => read("sha256:1"))).toEqual(["a: waits for references"]);
    expect(answer(run, () => read("sha256:2"))).toEqual(["a: attempt 1 to dev-1"]);
    expect(run.envelope("a").refs.map(({ digest }) => digest)).toEqual(["sha256:2", "sha256:2"]);
  });

  it("[DIS-11] block when they are older than the hard limit, and travel marked when they are not", () => {
    const aged = (ageMs: number) => [
      { uriOrLocator: "it", digest: "sha256:0", fetchedAt: timestampFromMs(startMs - ageMs) },
    ];
    const tooOld = runWith(aged(11 * minute), { hardMaxMs: 10 * minute });
    answer(tooOld, () => gone);
    expect(tooOld.openQuestions()).toEqual(["references are too old and cannot be read again: it: gone"]);
    const old = runWith(aged(9 * minute), { hardMaxMs: 10 * minute });
    answer(old, () => gone);
    expect(old.envelope("a").refs).toMatchObject([{ degraded: true, digest: "sha256:0" }]);
  });

  it("[DIS-11] are those too that claim to be read in the future", () => {
    const run = runWith([{ uriOrLocator: "it", fetchedAt: timestampFromMs(startMs + 2 * minute) }]);
    expect(run.commands.findLast(isRefresh)?.refs).toHaveLength(1);
  });

  it("[DIS-09] [DIS-11] are in the audit entry of the decision not to send", () => {
    const run = runWith([{ uriOrLocator: "it" }, { uriOrLocator: "that" }], { requireDigest: true });
    answer(run, ({ uriOrLocator }) => (uriOrLocator === "it" ? read("sha256:1") : gone));
    const entry = run.audit.find(({ action }) => action === "did not send");
    expect(entry?.rationale).toBe("references are too old and cannot be read again: that: gone");
    expect(entry?.snapshot?.snapshotPayload.value).toMatchObject({
      refFreshness: [
        { uriOrLocator: "it", wasStale: true, refreshSucceeded: true, dispatchedWithDegraded: false },
        { uriOrLocator: "that", wasStale: true, refreshSucceeded: false, dispatchedWithDegraded: false },
      ],
    });
  });

  it("[DIS-11] lose the mark that they came with when they can be read", () => {
    const run = runWith([{ uriOrLocator: "it", degraded: true, degradedReason: "gone" }]);
    answer(run, () => read("sha256:1"));
    expect(run.envelope("a").refs).toMatchObject([{ degraded: false, degradedReason: "" }]);
  });

  it("[DIS-11] are read in the workspace of the task", () => {
    const workspace = { repository: "/repo", path: "/repo/tree" };
    const run = runWith([{ uriOrLocator: "src/it.ts" }], {}, { workspace });
    expect(run.commands.findLast(isRefresh)?.workspace).toMatchObject(workspace);
  });
});

describe("a task that refers to nothing", () => {
  it("[DIS-11] is sent under every policy: there is nothing to be too old", () => {
    const run = runWith([], { requireDigest: true });
    expect(run.envelope("a").refs).toMatchObject([{ uriOrLocator: "task:task-1", degraded: false }]);
  });

  it("[DIS-11] but has a workspace is about the commit it starts from", () => {
    const run = runWith([], {}, { workspace: { repository: "/repo", baseCommit: "main", path: "/repo" } });
    expect(run.commands.findLast(isRefresh)?.refs).toMatchObject([
      { uriOrLocator: "/repo", versionOrSha: "main", refType: RefType.COMMIT },
    ]);
  });
});
