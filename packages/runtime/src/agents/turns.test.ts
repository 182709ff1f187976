import {
  AbortPipelineRequestSchema,
  EscalationKind,
  ListEscalationsRequestSchema,
  PipelineStatus,
} from "@baton/contract";
import { entropyOptions } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ada, eventually, reaches, silent, TestAgent } from "../../testing/index.ts";
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
} from "./testing/told.ts";

describe("a turn", () => {
  it("[TUR-02] is kept as SAOP writes it, before anybody is told of it", async () => {
    const { hub, store, agent, dispatchId } = await working();
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
        ...{ version: "1.0.0", task_id: "task-1", timestamp: "2023-11-14T22:13:20Z" },
        ...{ confidence: 0.75, estimated_complexity: "low" },
      },
    });
    expect(kept).toMatchObject({ packId: "dev", turnIndex: 0 });
    const [told] = await thoughtsSeen(hub);
    expect(told?.event?.eventId).toBe(kept?.eventId);
  });

  it("[TUR-02] is ordered by its index however it arrives, is stored once, and leaves a gap where one is missing", async () => {
    const { hub, store, agent, dispatchId } = await working();
    for (const one of [turn(3), turn(0), turn(3, "told again"), turn(1), turn(0)]) agent.say(one, dispatchId);
    await isTaken(agent);
    agent.say(turn(1, "told again, later"), dispatchId);
    await isTaken(agent);
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

  it("[TUR-03] has its thought verbatim in the store, and without its secrets everywhere else", async () => {
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

  it("[TUR-04] is told by the thoughts that came before it, and not a second time", async () => {
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

  it("[TUR-04] is not told a second time either when the attempt ends while the store is asked for it", async () => {
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

  it("[TUR-04] stands in the stream where it was told, also when the store is slow to say whether it has it", async () => {
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
    const told = (await eventsSeen(hub)).flatMap(({ event }) =>
      event && event.payload.case !== "taskTransition" ? [event.payload.case] : [],
    );
    expect(told).toEqual(["thoughtStream", "toolInvoked", "thoughtStream", "toolCompleted"]);
  });

  it("[TUR-09] of a version that is not known yet is refused with the way out, and nothing is kept of it", async () => {
    const { store, agent, dispatchId } = await working();
    const { metadata } = turn(0).value;
    agent.say(turn(0, "", { metadata: { ...(metadata as object), version: "2.0.0" } }), dispatchId);
    const { error } = await agent.hears("refused");
    expect(error).toMatchObject({ code: "BATON-SAOP-001", message: expect.stringContaining("2.0.0") });
    expect(error?.fix).toContain("1.0.0");
    expect(await store.turns(dispatchId, -1, 10)).toEqual([]);
  });

  it("[TUR-02] of an attempt that is over is taken from the agent that had it, and from no other", async () => {
    const { hub, store, agent, pipelineId, dispatchId, envelope } = await working();
    agent.answer(envelope);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const others = [
      new TestAgent(hub, { packId: "dev", instanceId: "dev-2", answer: silent }),
      new TestAgent(hub, { packId: "spy", answer: silent }),
    ];
    const seen = (await eventsSeen(hub)).length;
    for (const other of others) {
      await other.hears("welcome");
      for (const words of [turn(0), thought(0, "I was here"), invoked("call-1")]) {
        other.say(words, dispatchId);
        const { error } = await other.hears("refused", other.all("refused").length + 1);
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
      const { error } = await agent.hears("refused", agent.all("refused").length + 1);
      expect(error?.code).toBe("BATON-AGENT-002");
      expect(await store.turns(dispatchId, -1, 10)).toEqual([]);
    }
  });
});

it("[TUR-05] no call of a tool begins in an attempt that is over", async () => {
  const { hub, agent, pipelineId, dispatchId, envelope } = await working();
  agent.answer(envelope);
  await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  agent.say(invoked("call-1"), dispatchId);
  const { error } = await agent.hears("refused");
  expect(error).toMatchObject({ code: "BATON-AGENT-007", fix: expect.stringContaining("stop") });
  expect(await eventsSeen(hub, 'type = "TOOL_LIFECYCLE_INVOKED"')).toEqual([]);
});

it("[TUR-04] what is told of a pipeline has one session, whatever its agents call theirs", async () => {
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

it("[TUR-07] a turn that is told again moves nothing of the pipeline", async () => {
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

it("[TUR-07] confidence that falls from turn to turn brings a person, and the question tells the trend", async () => {
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
