import { DatabaseSync } from "node:sqlite";
import {
  AbortPipelineRequestSchema,
  ActorType,
  EscalationKind,
  GetTurnsRequestSchema,
  ListAuditEntriesRequestSchema,
  ListEscalationsRequestSchema,
  PipelineStatus,
} from "@baton/contract";
import { entropyOptions } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, eventually, reaches, silent, TestAgent, TestStore } from "../../testing/index.ts";
import type { Hub } from "../api/hub.ts";
import { storeFiles } from "../stores/sqlite/files.ts";
import { openForTest, scratchForTest } from "../stores/sqlite/testing/scratch.ts";
import {
  chunksOf,
  completed,
  eventsSeen,
  invoked,
  isTaken,
  printed,
  thought,
  thoughtsSeen,
  turn,
  working,
} from "./testing/reports.ts";
import { durableStores, overRestarts } from "./testing/restarts.ts";

async function refusalsOnRecord(hub: Hub) {
  const filter = "event_type = AUDIT_EVENT_TYPE_TURN_REFUSED";
  const { entries } = await hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema, { filter }));
  return entries;
}

describe.each(durableStores)("a turn that contradicts a stored one (%s)", (_name, open) => {
  it("[TUR-02] is refused with its code, on record, and the stored turn stays", async () => {
    const store = new TestStore(await open());
    const { hub, agent, pipelineId, dispatchId } = await working({ store });
    agent.say(turn(0), dispatchId);
    agent.say(turn(0, "while the first is on its way"), dispatchId);
    await isTaken(agent);
    const later = { ...(turn(0).value.metadata as object), timestamp: timestampFromMs(1_700_000_001_000) };
    agent.say(turn(0, "thought 0", { metadata: later }), dispatchId);
    agent.say(turn(0, "thought 0", { metadata: { ...later, taskId: "another name" } }), dispatchId);
    await isTaken(agent);
    expect(agent.all("refused")).toHaveLength(1);
    const others = [
      turn(0, "other words"),
      turn(0, "thought 0", { metadata: { ...later, confidence: 0.5 } }),
      turn(0, "thought 0", { content: { thought: "thought 0", action: "edit", observation: "red" } }),
    ];
    for (const other of others) agent.say(other, dispatchId);
    await isTaken(agent);
    const refused = agent.all("refused");
    expect(refused.map(({ error }) => error?.code)).toEqual(Array(4).fill("BATON-AGENT-009"));
    expect(refused[0]?.error?.message).toContain(`turn 0 of the attempt "${dispatchId}"`);
    expect(refused[0]?.error?.fix).toContain("index");
    const [kept, ...more] = await store.turns(dispatchId, -1, 10);
    expect(JSON.parse(kept?.envelope ?? "").content.thought).toBe("thought 0");
    expect(more).toEqual([]);
    expect(chunksOf(await thoughtsSeen(hub))).toEqual([[0, "thought 0", true]]);
    expect(await refusalsOnRecord(hub)).toMatchObject([
      { pipelineId, stageId: "code", dispatchId, actor: { type: ActorType.AGENT, id: "dev" } },
    ]);
    agent.say(turn(1), dispatchId);
    await isTaken(agent);
    expect(await store.turns(dispatchId, 0, 10)).toHaveLength(1);
    expect(await store.check()).toEqual([]);
  });

  it("[TUR-02] is refused after a restart as well", async () => {
    const store = await open();
    const { hub, agent, pipelineId } = await overRestarts(
      { store },
      [turn(0), turn(1)],
      [turn(0), turn(1, "something else"), turn(2)],
    );
    expect(agent.all("refused").map(({ error }) => error?.code)).toEqual(["BATON-AGENT-009"]);
    const { turns } = await hub.getTurns(ada, create(GetTurnsRequestSchema, { pipelineId }));
    expect(turns.map((kept) => kept.turn?.content?.thought)).toEqual(["thought 0", "thought 1", "thought 2"]);
    expect(await refusalsOnRecord(hub)).toHaveLength(1);
  });

  it("[TUR-02] is refused once the store is back", async () => {
    const store = new TestStore(await open());
    const { agent, dispatchId } = await working({ store });
    agent.say(turn(0), dispatchId);
    await isTaken(agent);
    const hasTurn = store.hasTurn.bind(store);
    store.hasTurn = () => {
      store.hasTurn = hasTurn;
      return Promise.reject(new Error("the store is away"));
    };
    agent.say(turn(0, "something else"), dispatchId);
    const { error } = await agent.receive("refused");
    expect(error?.code).toBe("BATON-AGENT-009");
    const [kept] = await store.turns(dispatchId, -1, 10);
    expect(JSON.parse(kept?.envelope ?? "").content.thought).toBe("thought 0");
  });
});

it("[TUR-02] the task of a turn is that of TASK_TRANSITION, and joins the table of tasks", async () => {
  const directory = scratchForTest();
  const store = new TestStore(await openForTest(directory));
  const { hub, agent, pipelineId, dispatchId, envelope } = await working({ store });
  agent.say(turn(0), dispatchId);
  await isTaken(agent);
  agent.answer(envelope);
  await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  const { turns } = await hub.getTurns(ada, create(GetTurnsRequestSchema, { pipelineId }));
  const moved = (await eventsSeen(hub)).flatMap(({ event }) =>
    event?.payload.case === "taskTransition" ? [event.payload.value.taskId] : [],
  );
  const taskId = `${pipelineId}/code`;
  expect(turns.map((kept) => kept.turn?.metadata?.taskId)).toEqual([taskId]);
  expect(moved).toContain(taskId);
  const raw = new DatabaseSync(storeFiles(directory).database, { readOnly: true });
  onTestFinished(() => raw.close());
  const joined = raw.prepare(
    `SELECT t.id, t.state, l.turn_index FROM agent_logs l
      JOIN tasks t ON t.id = json_extract(l.envelope_json, '$.metadata.task_id')`,
  );
  const byColumn = raw.prepare(
    "SELECT t.id, t.state, l.turn_index FROM agent_logs l JOIN tasks t ON t.id = l.task_id",
  );
  const row = { id: taskId, state: "COMPLETED", turn_index: 0 };
  expect(joined.all().map((found) => ({ ...found }))).toEqual([row]);
  expect(byColumn.all().map((found) => ({ ...found }))).toEqual([row]);
});

describe("a turn", () => {
  it("[TUR-02] is stored in the form of SAOP before it is published", async () => {
    const { hub, store, agent, pipelineId, dispatchId, envelope } = await working();
    store.shut();
    agent.say(turn(0), dispatchId);
    await eventually("a commit", () => store.committing > 0);
    expect(await thoughtsSeen(hub)).toEqual([]);
    store.open();
    await isTaken(agent);
    const [kept] = await store.turns(dispatchId, -1, 10);
    expect(JSON.parse(kept?.envelope ?? "")).toEqual({
      ...{ turn_index: 0, agent_id: "developer", role: "developer" },
      content: { thought: "thought 0", action: "edit", observation: "green" },
      metadata: {
        ...{ version: "1.0.0", task_id: `${pipelineId}/code`, timestamp: "2023-11-14T22:13:20Z" },
        ...{ confidence: 0.75, estimated_complexity: "low" },
      },
    });
    expect(kept).toMatchObject({ packId: "dev", turnIndex: 0 });
    expect(envelope.contract?.taskId).not.toContain(pipelineId);
    const [published] = await thoughtsSeen(hub);
    expect(published?.event?.eventId).toBe(kept?.eventId);
  });

  it("[TUR-02] is ordered by its index however it arrives, is stored once, and leaves a gap where one is missing", async () => {
    const { hub, store, agent, dispatchId } = await working();
    for (const one of [turn(3), turn(0), turn(3), turn(1), turn(0)]) agent.say(one, dispatchId);
    await isTaken(agent);
    agent.say(turn(1), dispatchId);
    await isTaken(agent);
    expect(agent.all("refused")).toEqual([]);
    const kept = await store.turns(dispatchId, -1, 10);
    expect(kept.map(({ turnIndex }) => turnIndex)).toEqual([0, 1, 3]);
    expect(kept.map(({ envelope }) => JSON.parse(envelope).content.thought)).toEqual([
      "thought 0",
      "thought 1",
      "thought 3",
    ]);
    expect(chunksOf(await thoughtsSeen(hub)).toSorted((a, b) => a[0] - b[0])).toEqual([
      [0, "thought 0", true],
      [1, "thought 1", true],
      [3, "thought 3", true],
    ]);
  });

  it("[TUR-03] is stored verbatim, and published without secrets", async () => {
    const { hub, store, agent, dispatchId } = await working();
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const long = `the token is ${secret}, ${"and so on ".repeat(50_000)}`;
    agent.say(turn(0, long), dispatchId);
    await isTaken(agent);
    const [kept] = await store.turns(dispatchId, -1, 10);
    expect(JSON.parse(kept?.envelope ?? "").content.thought === long).toBe(true);
    const [chunk] = chunksOf(await thoughtsSeen(hub));
    expect(chunk?.[1]).toContain("the token is ");
    expect(chunk?.[1].includes(secret)).toBe(false);
  });

  it("[TUR-04] is published by the thoughts before it, and not again", async () => {
    const { hub, store, agent, dispatchId } = await working();
    agent.say(thought(0, "first I look, "), dispatchId);
    agent.say(thought(0, "then I leap"), dispatchId);
    agent.say(turn(0, "first I look, then I leap"), dispatchId);
    await isTaken(agent);
    const seen = await thoughtsSeen(hub);
    expect(
      chunksOf(seen)
        .map(([, chunk]) => chunk)
        .join(""),
    ).toBe("first I look, then I leap");
    expect(chunksOf(seen).at(-1)?.[2]).toBe(true);
    expect((await store.turns(dispatchId, -1, 1))[0]?.eventId).toBe(seen.at(-1)?.event?.eventId);
  });

  it("[TUR-04] is not published again when the attempt ends while the store is read", async () => {
    const { hub, store, agent, pipelineId, dispatchId } = await working();
    const asked = Promise.withResolvers<void>();
    const hasTurn = store.hasTurn.bind(store);
    store.hasTurn = async (...which) => {
      await asked.promise;
      return hasTurn(...which);
    };
    agent.say(thought(0, "first I look, then I leap", true), dispatchId);
    agent.say(turn(0, "first I look, then I leap"), dispatchId);
    await hub.abortPipeline(ada, create(AbortPipelineRequestSchema, { pipelineId, reason: "enough" }));
    await reaches(hub, pipelineId, PipelineStatus.ABORTED);
    asked.resolve();
    await eventually("the turn is kept", async () => (await store.turns(dispatchId, -1, 1)).length > 0);
    expect(chunksOf(await thoughtsSeen(hub))).toEqual([[0, "first I look, then I leap", true]]);
  });

  it("[TUR-04] keeps its position in the stream when the store answers slowly", async () => {
    const { hub, store, agent, dispatchId } = await working();
    const hasTurn = store.hasTurn.bind(store);
    store.hasTurn = async (...which) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return hasTurn(...which);
    };
    agent.say(turn(0), dispatchId);
    agent.say(invoked("call-1"), dispatchId);
    agent.say(turn(1), dispatchId);
    agent.say(completed("call-1"), dispatchId);
    await isTaken(agent);
    const published = (await eventsSeen(hub)).flatMap(({ event }) =>
      event && event.payload.case !== "taskTransition" ? [event.payload.case] : [],
    );
    expect(published).toEqual(["thoughtStream", "toolInvoked", "thoughtStream", "toolCompleted"]);
  });

  it("[TUR-09] of an unknown version is refused with the fix, and not stored", async () => {
    const { store, agent, dispatchId } = await working();
    const { metadata } = turn(0).value;
    agent.say(turn(0, "", { metadata: { ...(metadata as object), version: "2.0.0" } }), dispatchId);
    const { error } = await agent.receive("refused");
    expect(error).toMatchObject({ code: "BATON-SAOP-001", message: expect.stringContaining("2.0.0") });
    expect(error?.fix).toContain("1.0.0");
    expect(await store.turns(dispatchId, -1, 10)).toEqual([]);
  });

  it("[TUR-02] of an attempt that is over is taken from its agent only", async () => {
    const { hub, store, agent, pipelineId, dispatchId, envelope } = await working();
    agent.answer(envelope);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const others = [
      new TestAgent(hub, { packId: "dev", instanceId: "dev-2", answer: silent }),
      new TestAgent(hub, { packId: "spy", answer: silent }),
    ];
    const seen = (await eventsSeen(hub)).length;
    for (const other of others) {
      await other.receive("welcome");
      for (const words of [turn(0), thought(0, "I was here"), invoked("call-1")]) {
        other.say(words, dispatchId);
        const { error } = await other.receive("refused", other.all("refused").length + 1);
        expect(error?.code).toBe("BATON-AGENT-002");
      }
    }
    expect(await store.turns(dispatchId, -1, 10)).toEqual([]);
    expect(await eventsSeen(hub)).toHaveLength(seen);
    agent.say(turn(0, "that was it", { packId: "spy" }), dispatchId);
    await isTaken(agent);
    expect(await store.turns(dispatchId, -1, 10)).toMatchObject([{ turnIndex: 0, packId: "dev" }]);
    expect(agent.all("refused")).toEqual([]);
  });

  it("[TUR-02] of an attempt that was never sent is refused", async () => {
    const { store, agent, pipelineId } = await working();
    for (const dispatchId of [`${pipelineId}/task/7`, `${pipelineId}/other/1`, `${pipelineId}/task/x`]) {
      agent.say(turn(0), dispatchId);
      const { error } = await agent.receive("refused", agent.all("refused").length + 1);
      expect(error?.code).toBe("BATON-AGENT-002");
      expect(await store.turns(dispatchId, -1, 10)).toEqual([]);
    }
  });
});

it("[TUR-05] no tool call begins in an attempt that is over", async () => {
  const { hub, agent, pipelineId, dispatchId, envelope } = await working();
  agent.answer(envelope);
  await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  agent.say(invoked("call-1"), dispatchId);
  const { error } = await agent.receive("refused");
  expect(error).toMatchObject({ code: "BATON-AGENT-007", fix: expect.stringContaining("stop") });
  expect(await eventsSeen(hub, 'type = "TOOL_LIFECYCLE_INVOKED"')).toEqual([]);
});

it("[TUR-04] all events of a pipeline have one session, whatever its agents call theirs", async () => {
  const { hub, agent, pipelineId, dispatchId, envelope } = await working();
  agent.say(thought(0, "hm", true), dispatchId);
  agent.say(turn(0, "hm"), dispatchId);
  agent.say(turn(1), dispatchId);
  agent.say(printed("green"), dispatchId);
  agent.say(invoked("call-1"), dispatchId);
  agent.answer(envelope);
  await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  const sessions = (await eventsSeen(hub)).map(({ event }) => [event?.payload.case, event?.sessionId]);
  expect(new Set(sessions.map(([kind]) => kind))).toEqual(
    new Set(["taskTransition", "thoughtStream", "sandboxPulse", "toolInvoked", "toolCompleted"]),
  );
  expect(new Set(sessions.map(([, session]) => session))).toEqual(new Set([pipelineId]));
});

it("[TUR-07] a retransmitted turn does not change the pipeline", async () => {
  const { hub, agent, pipelineId, dispatchId } = await working();
  agent.say(turn(0), dispatchId);
  await isTaken(agent);
  const { revision } = await reaches(hub, pipelineId, PipelineStatus.RUNNING);
  for (let n = 0; n < 200; n++) agent.say(turn(0), dispatchId);
  await isTaken(agent);
  expect((await reaches(hub, pipelineId, PipelineStatus.RUNNING)).revision).toBe(revision);
});

it("[TUR-02] a task carries its state, as its stages move", async () => {
  const { hub, store, agent, pipelineId, envelope } = await working();
  const [dispatched] = await store.tasks(pipelineId);
  expect(dispatched).toMatchObject({ state: "DISPATCHED", headHash: undefined });
  agent.answer(envelope);
  await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  expect(await store.tasks(pipelineId)).toEqual([{ ...dispatched, state: "COMPLETED" }]);
});

it("[TUR-07] falling confidence escalates, and the question states the trend", async () => {
  const { hub, agent, dispatchId } = await working({
    entropy: entropyOptions({ minTurns: 6, fallPerTurn: 0.1 }),
  });
  const sure = (turnIndex: number, confidence: number) => {
    const { metadata } = turn(turnIndex).value;
    return turn(turnIndex, "hm", { metadata: { ...(metadata as object), confidence } });
  };
  for (let index = 0; index < 5; index++) agent.say(sure(index, 0.9 - index * 0.1), dispatchId);
  await isTaken(agent);
  const asked = async () =>
    (await hub.listEscalations(ada, create(ListEscalationsRequestSchema, { filter: "resolved = false" })))
      .escalations;
  expect(await asked()).toEqual([]);
  agent.say(sure(5, 0.4), dispatchId);
  await isTaken(agent);
  expect(await asked()).toMatchObject([
    {
      kind: EscalationKind.ENTROPY,
      dispatchId,
      snapshot: {
        problem: "confidence fell from about 0.90 to 0.40 over 6 turns (0 to 5), about 0.10 a turn",
      },
    },
  ]);
});
