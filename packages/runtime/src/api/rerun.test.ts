import { join } from "node:path";
import {
  AuditEventType,
  GetPipelineRequestSchema,
  GetTransitionsRequestSchema,
  ListAuditEntriesRequestSchema,
  PipelineStatus,
  RerunPipelineRequestSchema,
  RewindPipelineRequestSchema,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ada,
  Lives,
  planOf,
  reaches,
  read,
  refusalOf,
  submit,
  TestAgent,
  testHub,
  VirtualClock,
} from "../../testing/index.ts";
import { openMemoryStore, openSqliteStore } from "../stores/index.ts";
import { gitWorkspaces } from "../workspaces/git-workspaces.ts";
import { gitIn, repository, scratch, write } from "../workspaces/testing/repositories.ts";
import type { Hub } from "./hub.ts";

const contract = { taskId: "t", title: "Add up", acceptanceCriteria: ["it adds up"] };
const plan = planOf(stages({ one: {}, two: {} }));

type Asked = Extract<MessageInitShape<typeof RerunPipelineRequestSchema>, { readonly $typeName?: never }>;

function rerun(hub: Hub, pipelineId: string, more: Asked = {}, caller = ada) {
  const asked = { pipelineId, stageId: "two", idempotencyKey: "again", reason: "another size" };
  return hub.rerunPipeline(caller, create(RerunPipelineRequestSchema, { ...asked, ...more }));
}

describe("a rerun from a stage", () => {
  it("[TUR-08] is a new pipeline on the commits of the first, with edited inputs, and keeps its origin", async () => {
    const shop = repository();
    const hub = await testHub({ workspaces: gitWorkspaces({ folder: join(scratch(), "workspaces") }) });
    onTestFinished(() => hub.drain(0));
    const agent = new TestAgent(hub, {
      packId: "dev",
      answer: ({ execution, workspace, inputs }) => {
        const [, stage = ""] = execution?.dispatchId.split("/") ?? [];
        write(workspace?.path ?? "", { [`${stage}.txt`]: `${String(inputs?.size)}\n` });
        return {};
      },
    });
    const inputs = { size: "small" };
    const first = await submit(hub, { workspace: { repository: shop }, contract, plan, inputs });
    const before = await reaches(hub, first, PipelineStatus.COMPLETED);
    const answer = await rerun(hub, first, { inputs: { size: "large" } });
    const second = answer.pipeline?.pipelineId ?? "";
    expect([answer.existing, second === first]).toEqual([false, false]);
    const after = await reaches(hub, second, PipelineStatus.COMPLETED);
    expect(after.origin).toMatchObject({
      ...{ pipelineId: first, stageId: "two", revision: before.revision },
      ...{ reason: "another size", takenStages: ["one"] },
    });
    expect(agent.envelopes.map(({ execution }) => execution?.dispatchId)).toEqual([
      `${first}/one/1`,
      `${first}/two/1`,
      `${second}/two/1`,
    ]);
    const commit = after.stages[1]?.commit ?? "";
    expect(gitIn(shop, "show", `${commit}:one.txt`)).toBe("small");
    expect(gitIn(shop, "show", `${commit}:two.txt`)).toBe("large");
    expect(gitIn(shop, "rev-parse", `${commit}^`)).toBe(before.stages[0]?.commit);
    expect(await read(hub, first)).toEqual(before);
    const filter = `pipeline_id = "${second}" AND event_type = AUDIT_EVENT_TYPE_PIPELINE_CREATED`;
    const { entries } = await hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema, { filter }));
    expect(entries).toMatchObject([
      {
        eventType: AuditEventType.PIPELINE_CREATED,
        actor: { id: "ada" },
        rationale: "another size",
        snapshot: { snapshotPayload: { value: { origin: { pipelineId: first, stageId: "two" } } } },
      },
    ]);
  });

  it("[TUR-08] [DIS-15] under the same key is the same pipeline; another tenant's pipeline does not exist", async () => {
    const hub = await testHub();
    onTestFinished(() => hub.drain(0));
    new TestAgent(hub, { packId: "dev" });
    const first = await submit(hub, { contract, plan });
    await reaches(hub, first, PipelineStatus.COMPLETED);
    const one = await rerun(hub, first);
    const other = await rerun(hub, first);
    expect([other.existing, other.pipeline?.pipelineId]).toEqual([true, one.pipeline?.pipelineId]);
    expect((await refusalOf(rerun(hub, first, { stageId: "one" }))).code).toBe("BATON-PIPELINE-005");
    expect((await refusalOf(rerun(hub, first, { idempotencyKey: "k", stageId: "nine" }))).kind).toBe(
      "not-found",
    );
    const eve = { ...ada, tenantId: "evil" };
    expect((await refusalOf(rerun(hub, first, { idempotencyKey: "k" }, eve))).kind).toBe("not-found");
  });

  it("[TUR-08] rewound, leaves the branches of the first pipeline where they are", async () => {
    const shop = repository();
    const hub = await testHub({ workspaces: gitWorkspaces({ folder: join(scratch(), "workspaces") }) });
    onTestFinished(() => hub.drain(0));
    new TestAgent(hub, {
      packId: "dev",
      answer: ({ execution, workspace }) => {
        const [, stage = ""] = execution?.dispatchId.split("/") ?? [];
        write(workspace?.path ?? "", { [`${stage}.txt`]: `${execution?.dispatchId}\n` });
        return {};
      },
    });
    const first = await submit(hub, { workspace: { repository: shop }, contract, plan });
    await reaches(hub, first, PipelineStatus.COMPLETED);
    const refs = (under: string) =>
      gitIn(shop, "for-each-ref", "--format=%(refname) %(objectname)", `${under}/${first}/`);
    const before = refs("refs/heads/baton");
    expect(before).toContain("one/1");
    const { pipeline } = await rerun(hub, first);
    const pipelineId = pipeline?.pipelineId ?? "";
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const request = { pipelineId, toRevision: 3n, reason: "a wrong turn" };
    await hub.rewindPipeline(ada, create(RewindPipelineRequestSchema, request));
    expect([refs("refs/heads/baton"), refs("refs/baton/abandoned")]).toEqual([before, ""]);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  });

  it("[TUR-08] [DIS-15] repeated after the deadline of the task is still the same call", async () => {
    const clock = new VirtualClock();
    const hub = await testHub({ clock });
    onTestFinished(() => hub.drain(0));
    new TestAgent(hub, { packId: "dev" });
    const deadline = timestampFromMs(clock.nowMs() + 60_000);
    const first = await submit(hub, { contract, plan, deadline });
    await reaches(hub, first, PipelineStatus.COMPLETED);
    const one = await rerun(hub, first);
    await clock.pass(120_000);
    const other = await rerun(hub, first);
    expect([other.existing, other.pipeline?.pipelineId]).toEqual([true, one.pipeline?.pipelineId]);
  });

  it.each([
    ["memory", () => openMemoryStore()],
    ["SQLite", () => openSqliteStore({ directory: scratch() })],
  ])(
    "[TUR-08] [PIP-11] what was rewound and run again is the same after a restart, in %s",
    async (_, open) => {
      const store = await open();
      const lives = new Lives(store, { onProblem: () => {} });
      const first = await lives.begin();
      const agent = new TestAgent(first.hub, { packId: "dev" });
      const inputs = { size: "small", $message: ["nothing of ours"] };
      const pipelineId = await submit(first.hub, { contract, plan, inputs });
      const pipeline = await reaches(first.hub, pipelineId, PipelineStatus.COMPLETED);
      const listed = await first.hub.getTransitions(ada, create(GetTransitionsRequestSchema, { pipelineId }));
      const toRevision = listed.transitions.find(({ toStatus }) => toStatus === "COMPLETED")?.revision ?? 0n;
      const request = { pipelineId, toRevision, reason: "a wrong turn" };
      await first.hub.rewindPipeline(ada, create(RewindPipelineRequestSchema, request));
      const again = await rerun(first.hub, pipelineId, { inputs: { $message: ["mine"] } });
      const second = again.pipeline?.pipelineId ?? "";
      const [one, two] = [
        await reaches(first.hub, pipelineId, PipelineStatus.COMPLETED),
        await reaches(first.hub, second, PipelineStatus.COMPLETED),
      ];
      expect(one.revision).toBeGreaterThan(pipeline.revision);
      expect(agent.envelopes.at(-1)?.inputs).toEqual({ $message: ["mine"] });
      first.kill();
      const { hub } = await lives.begin();
      onTestFinished(() => hub.drain(0));
      expect(await read(hub, pipelineId)).toEqual(one);
      expect(await read(hub, second)).toEqual(two);
      const { pipelines } = await hub.listPipelines(ada, {
        ...{ $typeName: "vasini.agent.v1.ListPipelinesRequest", pageSize: 0, pageToken: "" },
        ...{ filter: "", orderBy: "" },
      });
      expect(pipelines.map(({ status }) => status)).toEqual([
        PipelineStatus.COMPLETED,
        PipelineStatus.COMPLETED,
      ]);
      await hub.rewindPipeline(ada, create(RewindPipelineRequestSchema, { ...request, reason: "once more" }));
      const { pipeline: back } = await hub.getPipeline(ada, create(GetPipelineRequestSchema, { pipelineId }));
      expect(back?.status).toBe(PipelineStatus.RUNNING);
    },
  );
});
