import { join } from "node:path";
import {
  AuditEventType,
  GetAttemptsRequestSchema,
  ListAuditEntriesRequestSchema,
  PipelineStatus,
  RewindPipelineRequestSchema,
  RiskKind,
  StageStatus,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ada,
  eventually,
  Lives,
  planOf,
  reaches,
  read,
  refusalOf,
  settles,
  submit,
  TestAgent,
  testHub,
} from "../../testing/index.ts";
import type { HubParts } from "../compose/create-hub.ts";
import type { Restored } from "../ports/outside.ts";
import { openMemoryStore } from "../stores/index.ts";
import { gitWorkspaces } from "../workspaces/git-workspaces.ts";
import { fingerprint, gitIn, repository, scratch, write } from "../workspaces/testing/repositories.ts";
import { heads, leavesAFile, preview, revisionOf, rewind, transitions } from "./testing/rewinds.ts";

const contract = { taskId: "t", title: "Add up", acceptanceCriteria: ["it adds up"] };
const plan = planOf(stages({ one: {}, two: {} }));

async function finished(parts: Partial<HubParts> = {}) {
  const shop = repository();
  const workspaces = gitWorkspaces({ folder: join(scratch(), "workspaces") });
  const hub = await testHub({ workspaces, ...parts });
  onTestFinished(() => hub.drain(0));
  const agent = new TestAgent(hub, { packId: "dev", answer: leavesAFile });
  const pipelineId = await submit(hub, { workspace: { repository: shop }, contract, plan });
  const pipeline = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  return { hub, shop, pipelineId, pipeline, agent };
}

const names = (shop: string, commit = "") => gitIn(shop, "ls-tree", "--name-only", commit).split("\n");

describe("a rewind to a transition", () => {
  it("[TUR-08] is to one that is listed: of any other revision it names those that are nearest", async () => {
    const { hub, pipelineId, pipeline } = await finished();
    const listed = new Set((await transitions(hub, pipelineId)).map(({ revision }) => revision));
    const all = Array.from({ length: Number(pipeline.revision) - 1 }, (_, place) => BigInt(place + 1));
    const others = all.filter((revision) => !listed.has(revision));
    expect(others).not.toEqual([]);
    for (const revision of others) {
      const below = [...listed].findLast((one) => one < revision);
      const refused = { code: "BATON-PIPELINE-003", fix: expect.stringContaining(`such as ${below}`) };
      expect(await refusalOf(preview(hub, pipelineId, revision))).toMatchObject(refused);
      expect(await refusalOf(rewind(hub, pipelineId, revision))).toMatchObject(refused);
    }
    expect((await read(hub, pipelineId)).revision).toBe(pipeline.revision);
    for (const revision of all) if (listed.has(revision)) await preview(hub, pipelineId, revision);
  });

  it("[TUR-08] previews stages, commits and files, and changes nothing", async () => {
    const { hub, shop, pipelineId, pipeline } = await finished();
    const before = [heads(shop, pipelineId), fingerprint(shop)];
    const revision = await revisionOf(hub, pipelineId, "one", "COMPLETED");
    const seen = await preview(hub, pipelineId, revision);
    expect(seen).toMatchObject({
      fromRevision: pipeline.revision,
      toRevision: revision,
      statusNow: PipelineStatus.COMPLETED,
      statusThen: PipelineStatus.RUNNING,
      atRisk: [],
    });
    expect(seen.stages.map(({ stageId, statusNow, statusThen }) => [stageId, statusNow, statusThen])).toEqual(
      [["two", StageStatus.COMPLETED, StageStatus.PENDING]],
    );
    expect(
      seen.branches.map(({ branch, commitThen, files }) => [branch, commitThen, files[0]?.path]),
    ).toEqual([[`baton/${pipelineId}/two/1`, "", "two.txt"]]);
    expect(seen.branches[0]?.givenUp).toHaveLength(1);
    expect(seen.branches[0]?.keptAs).toBe(`refs/baton/abandoned/${pipelineId}/${pipeline.revision}/two/1`);
    expect([heads(shop, pipelineId), fingerprint(shop)]).toEqual(before);
    expect((await read(hub, pipelineId)).revision).toBe(pipeline.revision);
  });

  it("[TUR-08] reports that an abandoned commit is already in another branch", async () => {
    const { hub, shop, pipelineId, pipeline } = await finished();
    const revision = await revisionOf(hub, pipelineId, "one", "COMPLETED");
    expect((await preview(hub, pipelineId, revision)).note).toBe("");
    const commit = pipeline.stages[1]?.commit ?? "";
    gitIn(shop, "branch", "release", commit);
    expect((await preview(hub, pipelineId, revision)).note).toContain(
      `commit ${commit.slice(0, 12)} of baton/${pipelineId}/two/1 is already in "release"`,
    );
  });

  it("[TUR-08] restores branches and state in one step, and the pipeline continues from there", async () => {
    const { hub, shop, pipelineId, pipeline, agent } = await finished();
    const [checkout, old] = [fingerprint(shop), heads(shop, pipelineId)];
    const kept = pipeline.stages[0]?.commit ?? "";
    const done = await rewind(hub, pipelineId, await revisionOf(hub, pipelineId, "one", "COMPLETED"));
    expect(done.branchProblem).toBe("");
    expect(await transitions(hub, pipelineId)).toContainEqual(
      expect.objectContaining({
        stageId: "two",
        fromStatus: "COMPLETED",
        toStatus: "PENDING",
        commit: kept,
      }),
    );
    expect(done.pipeline?.status).toBe(PipelineStatus.RUNNING);
    const again = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(again.stages.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2]);
    expect(again.stages[0]?.commit).toBe(kept);
    expect(
      agent.envelopes.map(({ execution }) => execution?.dispatchId.split("/").slice(1).join("/")),
    ).toEqual(["one/1", "two/1", "two/2"]);
    const now = heads(shop, pipelineId);
    expect(Object.keys(now).sort()).toEqual(["one/1", "two/2"]);
    expect(names(shop, now["two/2"])).toEqual(["one.txt", "src", "total.js", "two.txt"]);
    expect(gitIn(shop, "show", `${now["two/2"]}:two.txt`)).toBe("attempt 2");
    const under = `refs/baton/abandoned/${pipelineId}/${pipeline.revision}/`;
    expect(heads(shop, pipelineId, under)).toEqual({ "two/1": old["two/1"] });
    const { ".git/packed-refs": _, ...rest } = fingerprint(shop);
    expect(Object.keys(rest).filter((path) => !(path in checkout) && !/refs\/baton\//.test(path))).toEqual(
      [],
    );
    expect(gitIn(shop, "status", "--porcelain")).toBe("");
  });

  it("[TUR-08] leaves an abandoned branch of the history that is listed and can be restored", async () => {
    const { hub, shop, pipelineId, pipeline } = await finished();
    const old = heads(shop, pipelineId);
    await rewind(hub, pipelineId, await revisionOf(hub, pipelineId, "one", "COMPLETED"));
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const listed = await transitions(hub, pipelineId);
    expect(
      listed.filter(({ revision, abandoned }) => revision === pipeline.revision && abandoned),
    ).toHaveLength(1);
    expect(listed.find(({ rewoundTo }) => rewoundTo > 0n)).toMatchObject({
      by: "ada",
      reason: "a wrong turn",
    });
    await rewind(hub, pipelineId, pipeline.revision);
    const back = await read(hub, pipelineId);
    expect(back.status).toBe(PipelineStatus.COMPLETED);
    expect(back.stages.map(({ commit }) => commit)).toEqual(pipeline.stages.map(({ commit }) => commit));
    expect(heads(shop, pipelineId)).toEqual(old);
  });

  it("[TUR-08] is audited once, with actor, reason and revisions; attempts are listed as cancelled", async () => {
    const { hub, pipelineId, pipeline } = await finished();
    const revision = await revisionOf(hub, pipelineId, "one", "COMPLETED");
    await rewind(hub, pipelineId, revision);
    const filter = `pipeline_id = "${pipelineId}" AND event_type = AUDIT_EVENT_TYPE_PIPELINE_REWOUND`;
    const { entries } = await hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema, { filter }));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      eventType: AuditEventType.PIPELINE_REWOUND,
      actor: { id: "ada" },
      rationale: "a wrong turn",
      snapshot: {
        snapshotPayload: { value: { rewoundFrom: pipeline.revision, rewoundTo: revision, discarded: [] } },
      },
    });
    const { attempts } = await hub.getAttempts(ada, create(GetAttemptsRequestSchema, { pipelineId }));
    expect(attempts.length).toBeGreaterThanOrEqual(2);
  });

  it("[TUR-08] applies to the previewed state: refused after changes, and done once when repeated", async () => {
    const { hub, shop, pipelineId } = await finished();
    const toRevision = await revisionOf(hub, pipelineId, "one", "COMPLETED");
    const { fromRevision } = await preview(hub, pipelineId, toRevision);
    const request = { pipelineId, toRevision, fromRevision, reason: "a wrong turn" };
    const agreed = () => hub.rewindPipeline(ada, create(RewindPipelineRequestSchema, request));
    expect((await agreed()).done?.fromRevision).toBe(fromRevision);
    const running = await refusalOf(agreed());
    expect(running).toMatchObject({
      ...{ kind: "precondition", code: "BATON-PIPELINE-009" },
      violations: [{ field: "from_revision" }],
    });
    const again = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const before = heads(shop, pipelineId);
    expect((await refusalOf(agreed())).code).toBe("BATON-PIPELINE-009");
    expect(await read(hub, pipelineId)).toEqual(again);
    expect(heads(shop, pipelineId)).toEqual(before);
    const never = { ...request, fromRevision: again.revision + 1n };
    const future = hub.rewindPipeline(ada, create(RewindPipelineRequestSchema, never));
    expect((await refusalOf(future)).code).toBe("BATON-PIPELINE-009");
    expect(again.stages.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2]);
  });

  it("[TUR-08] refuses when a branch has foreign commits; with discard, it retains them under another ref", async () => {
    const { hub, shop, pipelineId, pipeline } = await finished();
    const branch = `baton/${pipelineId}/two/1`;
    gitIn(shop, "worktree", "add", "-q", "../mine", branch);
    write(join(shop, "../mine"), { "mine.txt": "mine\n" });
    gitIn(join(shop, "../mine"), "add", ".");
    gitIn(join(shop, "../mine"), "commit", "-qm", "my own work");
    const mine = gitIn(shop, "rev-parse", branch);
    const revision = await revisionOf(hub, pipelineId, "one", "COMPLETED");
    expect((await preview(hub, pipelineId, revision)).atRisk.map(({ kind }) => kind)).toEqual([
      RiskKind.CHECKED_OUT,
      RiskKind.FOREIGN,
    ]);
    const looked = await refusalOf(rewind(hub, pipelineId, revision, true));
    expect(looked).toMatchObject({ kind: "precondition", code: "BATON-PIPELINE-008" });
    expect(looked.message).toContain("is checked out in");
    gitIn(join(shop, "../mine"), "checkout", "-q", "--detach");
    const foreign = await refusalOf(rewind(hub, pipelineId, revision));
    expect(foreign).toMatchObject({ kind: "precondition", code: "BATON-PIPELINE-008" });
    expect(foreign.message).toContain("my own work");
    expect((await read(hub, pipelineId)).revision).toBe(pipeline.revision);
    expect(gitIn(shop, "rev-parse", branch)).toBe(mine);
    await rewind(hub, pipelineId, revision, true);
    const under = `refs/baton/abandoned/${pipelineId}/${pipeline.revision}/`;
    expect(heads(shop, pipelineId, under)["two/1"]).toBe(mine);
    expect(gitIn(join(shop, "../mine"), "show", "HEAD:mine.txt")).toBe("mine");
  });

  it("[TUR-08] refuses while an agent has uncommitted work; with discard, the agent is stopped and its work retained", async () => {
    const shop = repository();
    const hub = await testHub({ workspaces: gitWorkspaces({ folder: join(scratch(), "workspaces") }) });
    onTestFinished(() => hub.drain(0));
    const agent = new TestAgent(hub, {
      packId: "dev",
      answer: (envelope) => {
        const result = leavesAFile(envelope);
        return envelope.execution?.dispatchId.endsWith("two/1") ? undefined : result;
      },
    });
    const pipelineId = await submit(hub, { workspace: { repository: shop }, contract, plan });
    await agent.envelope(2);
    const revision = await revisionOf(hub, pipelineId, "one", "COMPLETED");
    const refused = await refusalOf(rewind(hub, pipelineId, revision));
    expect(refused.code).toBe("BATON-PIPELINE-008");
    expect(refused.message).toContain("two.txt");
    await rewind(hub, pipelineId, revision, true);
    expect((await agent.receive("cancel")).dispatchId).toBe(`${pipelineId}/two/1`);
    const pipeline = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(pipeline.stages.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2]);
    const kept = gitIn(shop, "for-each-ref", "--format=%(objectname)", "refs/baton/abandoned");
    expect(gitIn(shop, "show", `${kept}:two.txt`)).toBe("attempt 1");
  });

  it("[TUR-08] refuses a revision that does not exist", async () => {
    const hub = await testHub();
    onTestFinished(() => hub.drain(0));
    const pipelineId = await submit(hub, { contract, plan });
    const pipeline = await read(hub, pipelineId);
    for (const revision of [pipeline.revision, 10_000n]) {
      const refused = await refusalOf(rewind(hub, pipelineId, revision));
      expect(refused).toMatchObject({ kind: "not-found", code: "BATON-PIPELINE-003" });
    }
  });

  it("[TUR-08] of a task without a repository takes the state alone back", async () => {
    const hub = await testHub();
    onTestFinished(() => hub.drain(0));
    new TestAgent(hub, { packId: "dev" });
    const pipelineId = await submit(hub, { contract, plan });
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    await rewind(hub, pipelineId, 1n);
    const again = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(again.stages.map(({ attemptNumber }) => attemptNumber)).toEqual([2, 2]);
  });
});

describe("a hub that is killed during a rewind", () => {
  it("[TUR-08] [PIP-11] between the record and the branches sets them after the restart", async () => {
    const shop = repository();
    const folder = join(scratch(), "workspaces");
    const lives = new Lives(openMemoryStore(), { onProblem: () => {} });
    const real = gitWorkspaces({ folder });
    let struck = () => {};
    const cut = new Promise<void>((resolve) => {
      struck = resolve;
    });
    /** The power goes before git is called. */
    const cutShort = () => {
      struck();
      return new Promise<Restored>(() => {});
    };
    const withCut = new Proxy(real, {
      get: (target, name) => (name === "restore" ? cutShort : Reflect.get(target, name).bind(target)),
    });
    const first = await lives.begin({ workspaces: withCut });
    const agent = new TestAgent(first.hub, { packId: "dev", answer: leavesAFile });
    const pipelineId = await submit(first.hub, { workspace: { repository: shop }, contract, plan });
    const pipeline = await reaches(first.hub, pipelineId, PipelineStatus.COMPLETED);
    const old = heads(shop, pipelineId);
    const revision = await revisionOf(first.hub, pipelineId, "one", "COMPLETED");
    void rewind(first.hub, pipelineId, revision).catch(() => {});
    await settles(cut, "the power cut");
    first.kill();
    expect(heads(shop, pipelineId)["two/1"]).toBe(old["two/1"]);
    const { hub } = await lives.begin({ workspaces: gitWorkspaces({ folder }) });
    onTestFinished(() => hub.drain(0));
    agent.moveTo(hub);
    const again = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(again.stages.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2]);
    await eventually("the branches", () => heads(shop, pipelineId)["two/1"] === undefined);
    const under = `refs/baton/abandoned/${pipelineId}/${pipeline.revision}/`;
    expect(heads(shop, pipelineId, under)).toEqual({ "two/1": old["two/1"] });
  });
});
