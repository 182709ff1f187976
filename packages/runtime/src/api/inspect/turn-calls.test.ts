import { GetTurnsRequestSchema, PipelineStatus, type TurnGap, type TurnRecord } from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ada,
  dispatchOf,
  planOf,
  reaches,
  refusalOf,
  silent,
  submit,
  TestAgent,
  TestStore,
  testHub,
} from "../../../testing/index.ts";
import { isTaken, turn, working } from "../../agents/testing/reports.ts";
import { pageLimits } from "../../query/page.ts";
import { openMemoryStore } from "../../stores/index.ts";
import { openForTest, scratchForTest } from "../../stores/sqlite/testing/scratch.ts";
import type { Hub } from "../hub.ts";

type Asked = Exclude<MessageInitShape<typeof GetTurnsRequestSchema>, { readonly $typeName: string }>;

function list(hub: Hub, asked: Asked) {
  return hub.getTurns(ada, create(GetTurnsRequestSchema, asked));
}

function placesOf(turns: readonly TurnRecord[]): readonly string[] {
  return turns.map(
    ({ stageId, attemptNumber, turn: reported }) => `${stageId} ${attemptNumber} ${reported?.turnIndex}`,
  );
}

/** Two stages, the first of which takes two attempts; two turns in each attempt. */
async function reported() {
  const store = new TestStore(openMemoryStore());
  const hub = await testHub({ store });
  const agent = new TestAgent(hub, { packId: "dev", answer: silent });
  const soon = { handoffPolicy: { retry: { maxAttempts: 3, initialBackoff: { nanos: 1_000_000 } } } };
  const plan = planOf(stages({ first: soon, second: soon }));
  const pipelineId = await submit(hub, { plan });
  for (const [place, init] of [
    [1, { attemptNumber: 9 }],
    [2, {}],
    [3, {}],
  ] as const) {
    const envelope = await agent.envelope(place);
    agent.say(turn(1), dispatchOf(envelope));
    agent.say(turn(0), dispatchOf(envelope));
    await isTaken(agent);
    agent.answer(envelope, init);
  }
  await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  return { hub, store, pipelineId };
}

describe("the turns of a pipeline", () => {
  it("[TUR-02] are listed by attempt in order of dispatch, and by index, also after the end", async () => {
    const { hub, pipelineId } = await reported();
    const { turns, gaps, nextPageToken } = await list(hub, { pipelineId });
    expect(placesOf(turns)).toEqual([
      ...["first 1 0", "first 1 1", "first 2 0", "first 2 1"],
      ...["second 1 0", "second 1 1"],
    ]);
    expect(turns[0]).toMatchObject({
      dispatchId: `${pipelineId}/first/1`,
      turn: { packId: "dev", content: { thought: "thought 0", action: "edit", observation: "green" } },
    });
    expect(turns[0]?.eventId).not.toBe("");
    expect(gaps).toEqual([]);
    expect(nextPageToken).toBe("");
  });

  it("[TUR-02] are found by stage and attempt, page by page, without duplicates or omissions", async () => {
    const { hub, pipelineId } = await reported();
    const second = await list(hub, { pipelineId, stageId: "second" });
    expect(placesOf(second.turns)).toEqual(["second 1 0", "second 1 1"]);
    const again = await list(hub, { pipelineId, stageId: "first", attemptNumber: 2 });
    expect(placesOf(again.turns)).toEqual(["first 2 0", "first 2 1"]);
    const whole = await list(hub, { pipelineId });
    for (const pageSize of [1, 2, 4, 5]) {
      const seen: TurnRecord[] = [];
      for (let pageToken = ""; ; ) {
        const page = await list(hub, { pipelineId, pageSize, pageToken });
        expect(page.turns.length).toBeLessThanOrEqual(pageSize);
        seen.push(...page.turns);
        pageToken = page.nextPageToken;
        if (pageToken === "") break;
      }
      expect(placesOf(seen)).toEqual(placesOf(whole.turns));
    }
  });

  it("[TUR-02] show a gap as a gap, once, wherever the page is cut", async () => {
    const { hub, agent, pipelineId, dispatchId } = await working();
    for (const index of [2, 3, 7]) agent.say(turn(index), dispatchId);
    await isTaken(agent);
    const missing = [
      { dispatchId, firstIndex: 0, lastIndex: 1 },
      { dispatchId, firstIndex: 4, lastIndex: 6 },
    ];
    expect((await list(hub, { pipelineId })).gaps).toMatchObject(missing);
    const first = await list(hub, { pipelineId, pageSize: 2 });
    const rest = await list(hub, { pipelineId, pageSize: 2, pageToken: first.nextPageToken });
    expect([...first.gaps, ...rest.gaps]).toMatchObject(missing);
  });

  it.each([
    ["memory", async () => openMemoryStore()],
    ["SQLite", () => openForTest(scratchForTest())],
  ])(
    "[TUR-02] show a gap at the end when the last of them are gone, also when all are (%s)",
    async (_name, open) => {
      const store = new TestStore(await open());
      const { hub, agent, pipelineId, envelope, dispatchId } = await working({ store });
      onTestFinished(() => hub.drain(0));
      expect((await list(hub, { pipelineId })).gaps).toEqual([]);
      for (const index of [0, 2, 1]) agent.say(turn(index), dispatchId);
      await isTaken(agent);
      agent.answer(envelope);
      await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
      const all = { fromMs: undefined, bytes: undefined };
      await store.prune({ events: all, turns: { fromMs: Date.now() + 1_000_000, bytes: undefined } });
      const { turns, gaps, nextPageToken } = await list(hub, { pipelineId });
      expect({ turns, nextPageToken }).toEqual({ turns: [], nextPageToken: "" });
      expect(gaps).toMatchObject([{ dispatchId, firstIndex: 0, lastIndex: 2 }]);
      const page = await list(hub, {
        pipelineId,
        stageId: dispatchId.split("/")[1] ?? "",
        attemptNumber: 1,
        pageSize: 1,
      });
      expect(page.gaps).toMatchObject([{ dispatchId, firstIndex: 0, lastIndex: 2 }]);
    },
  );

  it("[TUR-02] show the gap at the end of each attempt once, wherever the page is cut", async () => {
    const { hub, store, pipelineId } = await reported();
    // What is gone first is what was stored first: the second turn of each attempt.
    const kept = store.turns.bind(store);
    store.turns = async (...which) => (await kept(...which)).filter(({ turnIndex }) => turnIndex === 0);
    const missing = ["first/1", "first/2", "second/1"].map((attempt) => ({
      ...{ dispatchId: `${pipelineId}/${attempt}`, firstIndex: 1, lastIndex: 1 },
    }));
    for (const pageSize of [1, 2, 3, 50]) {
      const gaps: TurnGap[] = [];
      for (let pageToken = ""; ; ) {
        const page = await list(hub, { pipelineId, pageSize, pageToken });
        gaps.push(...page.gaps);
        pageToken = page.nextPageToken;
        if (pageToken === "") break;
      }
      expect(gaps).toMatchObject(missing);
    }
  });

  it("[TUR-03] are redacted, and complete at any length", async () => {
    const { hub, agent, pipelineId, dispatchId } = await working();
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const long = "a thought without end ".repeat(Math.ceil(pageLimits.bytes / 20));
    agent.say(turn(0, `with ${secret}`), dispatchId);
    agent.say(turn(1, long), dispatchId);
    agent.say(turn(2), dispatchId);
    await isTaken(agent);
    const first = await list(hub, { pipelineId });
    expect(first.turns[0]?.turn?.content?.thought).toMatch(/^with /);
    expect(JSON.stringify(first.turns[0]?.turn?.content).includes(secret)).toBe(false);
    expect(first.turns).toHaveLength(1);
    const second = await list(hub, { pipelineId, pageToken: first.nextPageToken });
    expect(second.turns.map(({ turn: reported }) => reported?.content?.thought === long)).toEqual([true]);
    const third = await list(hub, { pipelineId, pageToken: second.nextPageToken });
    expect(placesOf(third.turns)).toMatchObject([expect.stringContaining(" 2")]);
  });

  it("[TUR-02] refuse a token of another list", async () => {
    const { hub, pipelineId } = await reported();
    const { nextPageToken } = await list(hub, { pipelineId, pageSize: 1 });
    for (const pageToken of ["nonsense", "bnVsbA", nextPageToken]) {
      const error = await refusalOf(list(hub, { pipelineId, stageId: "second", pageToken }));
      expect(error).toMatchObject({ kind: "invalid", code: "BATON-QUERY-001" });
    }
  });
});
