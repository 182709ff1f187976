import {
  AbortPipelineRequestSchema,
  AgentRole,
  EventSchema,
  ExplainDispatchRequestSchema,
  GetAttemptChangesRequestSchema,
  GetAttemptRequestSchema,
  GetAttemptsRequestSchema,
  GetPipelineChangesRequestSchema,
  GetPipelineRequestSchema,
  GetTransitionsRequestSchema,
  GetTurnsRequestSchema,
  ListAgentsRequestSchema,
  ListAuditEntriesRequestSchema,
  ListEscalationsRequestSchema,
  ListPipelinesRequestSchema,
  PausePipelineRequestSchema,
  PipelineStatus,
  PreviewRewindRequestSchema,
  RerunPipelineRequestSchema,
  ResolveEscalationRequestSchema,
  RestoreAgentRequestSchema,
  ResumePipelineRequestSchema,
  ReviewStageRequestSchema,
  RewindPipelineRequestSchema,
  SendHeartbeatRequestSchema,
  WatchEventsRequestSchema,
} from "@baton/contract";
import { testPolicy } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { beforeAll, describe, expect, it } from "vitest";
import {
  ada,
  calm,
  dispatchOf,
  reaches,
  refusalOf,
  silent,
  submit,
  TestAgent,
  testHub,
} from "../../testing/index.ts";
import type { Caller } from "../ports/caller.ts";
import type { Hub } from "./hub.ts";

const bob: Caller = { tenantId: "globex", id: "bob", kind: "human" };

/** Ids that are of Ada's tenant, or of nobody. */
interface Ids {
  readonly pipelineId: string;
  readonly dispatchId: string;
  readonly escalationId: string;
  readonly packId: string;
  readonly instanceId: string;
}

let hub: Hub;
let hers: Ids;
let dev: TestAgent;
const nobodys: Ids = {
  pipelineId: "p-00000000000000000000",
  dispatchId: "p-00000000000000000000/code/1",
  escalationId: "p-00000000000000000000/e1",
  packId: "absent",
  instanceId: "absent-1",
};

beforeAll(async () => {
  hub = await testHub();
  dev = new TestAgent(hub, { packId: "dev", answer: silent });
  const pipelineId = await submit(hub);
  const dispatchId = dispatchOf(await dev.envelope());
  await submit(hub, { idempotencyKey: "asks", plan: { case: "taskType", value: "dance" } });
  const { escalations } = await hub.listEscalations(ada, create(ListEscalationsRequestSchema));
  const escalationId = escalations[0]?.escalationId ?? "";
  hers = { pipelineId, dispatchId, escalationId, packId: "dev", instanceId: "dev-1" };
});

const reason = "so";
const calls: Readonly<Record<string, (ids: Ids, caller: Caller) => Promise<unknown>>> = {
  getPipeline: ({ pipelineId }, caller) =>
    hub.getPipeline(caller, create(GetPipelineRequestSchema, { pipelineId })),
  pausePipeline: ({ pipelineId }, caller) =>
    hub.pausePipeline(caller, create(PausePipelineRequestSchema, { pipelineId, reason })),
  resumePipeline: ({ pipelineId }, caller) =>
    hub.resumePipeline(caller, create(ResumePipelineRequestSchema, { pipelineId, reason })),
  abortPipeline: ({ pipelineId }, caller) =>
    hub.abortPipeline(caller, create(AbortPipelineRequestSchema, { pipelineId, reason })),
  reviewStage: ({ pipelineId, dispatchId }, caller) =>
    hub.reviewStage(
      caller,
      create(ReviewStageRequestSchema, {
        pipelineId,
        dispatchId,
        stageId: "code",
        reason,
        verdict: { case: "approval", value: {} },
      }),
    ),
  resolveEscalation: ({ escalationId }, caller) =>
    hub.resolveEscalation(
      caller,
      create(ResolveEscalationRequestSchema, { escalationId, resolution: "abort" }),
    ),
  explainDispatch: ({ dispatchId }, caller) =>
    hub.explainDispatch(caller, create(ExplainDispatchRequestSchema, { dispatchId })),
  getTransitions: ({ pipelineId }, caller) =>
    hub.getTransitions(caller, create(GetTransitionsRequestSchema, { pipelineId })),
  previewRewind: ({ pipelineId }, caller) =>
    hub.previewRewind(caller, create(PreviewRewindRequestSchema, { pipelineId, toRevision: 1n })),
  rewindPipeline: ({ pipelineId }, caller) =>
    hub.rewindPipeline(caller, create(RewindPipelineRequestSchema, { pipelineId, toRevision: 1n, reason })),
  rerunPipeline: ({ pipelineId }, caller) =>
    hub.rerunPipeline(
      caller,
      create(RerunPipelineRequestSchema, { pipelineId, stageId: "code", idempotencyKey: "again", reason }),
    ),
  getTurns: ({ pipelineId }, caller) => hub.getTurns(caller, create(GetTurnsRequestSchema, { pipelineId })),
  getAttempts: ({ pipelineId }, caller) =>
    hub.getAttempts(caller, create(GetAttemptsRequestSchema, { pipelineId })),
  getAttempt: ({ dispatchId }, caller) =>
    hub.getAttempt(caller, create(GetAttemptRequestSchema, { dispatchId })),
  getAttemptChanges: ({ dispatchId }, caller) =>
    hub.getAttemptChanges(caller, create(GetAttemptChangesRequestSchema, { dispatchId })),
  getPipelineChanges: ({ dispatchId }, caller) =>
    hub.getPipelineChanges(caller, create(GetPipelineChangesRequestSchema, { dispatchId })),
  restoreAgent: ({ packId, instanceId }, caller) =>
    hub.restoreAgent(caller, create(RestoreAgentRequestSchema, { packId, instanceId, reason })),
  sendHeartbeat: ({ packId, instanceId }, caller) =>
    hub.sendHeartbeat(
      caller,
      create(SendHeartbeatRequestSchema, {
        heartbeat: { packId, instanceId, packVersion: "1.0.0", leaseTtl: { seconds: 30n } },
      }),
    ),
};

/** What a caller could learn from a refusal, but for the ids it has named itself. */
async function answerTo(call: Promise<unknown>, ids: Ids) {
  const { kind, code, message, fix, violations, retryAfterMs } = await refusalOf(call);
  const text = JSON.stringify({ kind, code, message, fix, violations, retryAfterMs });
  return Object.entries(ids).reduce((rest, [name, id]) => rest.replaceAll(id, `<${name}>`), text);
}

describe("another tenant's", () => {
  it.each(Object.keys(calls))("%s is answered exactly as one that does not exist", async (name) => {
    const call = calls[name];
    if (!call) throw new Error("there is such a call");
    const foreign = await answerTo(call(hers, bob), hers);
    const absent = await answerTo(call(nobodys, bob), nobodys);
    expect(foreign).toBe(absent);
  });

  it("pipelines, questions, entries, agents and events are in nobody else's lists", async () => {
    const theirs = new TestAgent(hub, { packId: "dev", tenantId: bob.tenantId, instanceId: "theirs" });
    await theirs.receive("welcome");
    const own = await submit(hub, { idempotencyKey: "own" }, bob);
    const request = create(GetPipelineRequestSchema, { pipelineId: own });
    await expect
      .poll(async () => (await hub.getPipeline(bob, request)).pipeline?.status)
      .toBe(PipelineStatus.COMPLETED);
    const { pipelines } = await hub.listPipelines(bob, create(ListPipelinesRequestSchema));
    expect(pipelines.map(({ pipelineId }) => pipelineId)).toEqual([own]);
    expect((await hub.listEscalations(bob, create(ListEscalationsRequestSchema))).escalations).toEqual([]);
    const { entries } = await hub.listAuditEntries(bob, create(ListAuditEntriesRequestSchema));
    expect(new Set(entries.map(({ tenantId }) => tenantId))).toEqual(new Set([bob.tenantId]));
    expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, place) => BigInt(place + 1)));
    const { agents } = await hub.listAgents(bob, create(ListAgentsRequestSchema));
    expect(agents.map(({ heartbeat }) => heartbeat?.instanceId)).toEqual(["theirs"]);
    const filters = [`pipeline_id = "${hers.pipelineId}"`, 'instance_id = "dev-1"'];
    const [byPipeline = "", byInstance = ""] = filters;
    const found = [
      (await hub.listPipelines(bob, create(ListPipelinesRequestSchema, { filter: byPipeline }))).pipelines,
      (await hub.listAuditEntries(bob, create(ListAuditEntriesRequestSchema, { filter: byPipeline })))
        .entries,
      (await hub.listAgents(bob, create(ListAgentsRequestSchema, { filter: byInstance }))).agents,
    ];
    expect(found).toEqual([[], [], []]);
    const stop = new AbortController();
    const seen: string[] = [];
    const watch = hub.watchEvents(bob, create(WatchEventsRequestSchema, { afterSequence: 0n }), stop.signal);
    for await (const { message } of watch) {
      if (message.case === "record") seen.push(message.value.pipelineId);
      if (message.case === "caughtUp") stop.abort();
    }
    expect(new Set(seen)).toEqual(new Set([own]));
    theirs.vanish();
  });

  it("tasks are given to no agent but its own, though the other waits and is free", async () => {
    const theirs = new TestAgent(hub, { packId: "qa", tenantId: bob.tenantId, maxTasks: 9 });
    await theirs.receive("welcome");
    const plan = { case: "taskType", value: "review" } as const;
    const waits = await submit(hub, { idempotencyKey: "review", plan });
    await calm();
    theirs.beat();
    await theirs.receive("acknowledged");
    expect(theirs.envelopes).toEqual([]);
    const own = new TestAgent(hub, { packId: "qa" });
    await reaches(hub, waits, PipelineStatus.COMPLETED);
    expect(own.envelopes).toHaveLength(1);
    expect(theirs.envelopes).toEqual([]);
  });

  it("attempts are not an agent's to speak of: turns, events and results are refused as of nobody", async () => {
    const theirs = new TestAgent(hub, { packId: "dev", tenantId: bob.tenantId, answer: silent });
    await theirs.receive("welcome");
    const event = create(EventSchema, {
      eventId: "0d1f7f4e-35c4-4a2f-9b0c-0d5f3f6f8a03",
      sessionId: "s",
      payload: { case: "thoughtStream", value: { agentId: AgentRole.DEVELOPER, chunk: "hm" } },
    });
    for (const { dispatchId } of [hers, nobodys]) {
      theirs.say({ case: "event", value: event }, dispatchId);
      theirs.say({ case: "result", value: { dispatchId } }, dispatchId);
    }
    await theirs.receive("refused", 4);
    const refused = theirs.all("refused").map(({ error }) => ({
      code: error?.code,
      message: error?.message.replace(hers.dispatchId, "<id>").replace(nobodys.dispatchId, "<id>"),
    }));
    expect(new Set(refused.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await hub.getPipeline(ada, create(GetPipelineRequestSchema, hers))).toMatchObject({
      pipeline: { status: PipelineStatus.RUNNING },
    });
  });

  it("page token opens nothing of the other's", async () => {
    for (let n = 0; n < 3; n++) await submit(hub, { idempotencyKey: `page-${n}` });
    const page = { pageSize: 1, orderBy: "pipeline_id" };
    const { nextPageToken } = await hub.listPipelines(ada, create(ListPipelinesRequestSchema, page));
    const { pipelines } = await hub.listPipelines(
      bob,
      create(ListPipelinesRequestSchema, { ...page, pageToken: nextPageToken }),
    );
    const known = await hub.listPipelines(bob, create(ListPipelinesRequestSchema));
    const ids = known.pipelines.map(({ pipelineId }) => pipelineId);
    for (const { pipelineId } of pipelines) expect(ids).toContain(pipelineId);
  });
});

describe("the queue of a tenant", () => {
  it("[DIS-05] has its own depth: waiting tasks of others neither delay it nor are visible", async () => {
    const crowded = await testHub({ policy: testPolicy({ maxGlobalQueueDepth: 1 }) });
    const questions = async (caller: Caller) => {
      const { escalations } = await crowded.listEscalations(caller, create(ListEscalationsRequestSchema));
      return escalations.map(({ snapshot }) => snapshot?.problem ?? "");
    };
    for (const { tenantId } of [ada, bob]) {
      const busy = new TestAgent(crowded, { packId: "dev", tenantId, answer: silent });
      await busy.receive("welcome");
    }
    for (const key of ["runs", "waits", "is one too many"])
      await submit(crowded, { idempotencyKey: key }, ada);
    for (const key of ["runs", "waits"]) await submit(crowded, { idempotencyKey: key }, bob);
    expect(await questions(ada)).toEqual([expect.stringContaining("1 tasks wait already, and 1 may")]);
    expect(await questions(bob)).toEqual([]);
    await submit(crowded, { idempotencyKey: "is one too many" }, bob);
    expect(await questions(bob)).toEqual([expect.stringContaining("1 tasks wait already, and 1 may")]);
  });
});
