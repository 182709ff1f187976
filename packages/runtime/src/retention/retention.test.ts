import {
  GetTurnsRequestSchema,
  ListAuditEntriesRequestSchema,
  WatchEventsRequestSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, calm, noRoom, refusalOf, TestStore, VirtualClock } from "../../testing/index.ts";
import { eventsSeen, isTaken, turn, working } from "../agents/testing/reports.ts";
import { openMemoryStore } from "../stores/index.ts";
import { openForTest, scratchForTest } from "../stores/sqlite/testing/scratch.ts";
import { type RetentionOptions, retentionRhythm } from "./retainer.ts";

const hour = 60 * 60 * 1000;
const forever: RetentionOptions = {
  ...{ eventsMs: undefined, eventsBytes: undefined },
  ...{ turnsMs: undefined, turnsBytes: undefined },
};

async function hubWith(retention: Partial<RetentionOptions>, store = openMemoryStore()) {
  const clock = new VirtualClock();
  const problems: Error[] = [];
  const onProblem = (problem: Error) => problems.push(problem);
  const parts = { clock, store: new TestStore(store), retention: { ...forever, ...retention }, onProblem };
  const work = await working(parts);
  onTestFinished(() => work.hub.drain(0));
  return { ...work, clock, problems };
}

describe.each([
  ["memory", () => Promise.resolve(openMemoryStore())],
  ["SQLite", () => openForTest(scratchForTest())],
])("what is old, in a store in %s", (_, open) => {
  it("[TUR-04] [TUR-02] goes by age: a watcher receives the first remaining event, turns show a gap", async () => {
    const { hub, agent, clock, pipelineId, dispatchId } = await hubWith(
      { eventsMs: hour, turnsMs: hour },
      await open(),
    );
    agent.say(turn(0), dispatchId);
    await isTaken(agent);
    const before = (await eventsSeen(hub)).length;
    const { entries } = await hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema));
    agent.beat();
    await clock.pass(hour);
    agent.say(turn(1), dispatchId);
    await clock.during(isTaken(agent));
    await clock.pass(2 * retentionRhythm.roundMs);
    await expect
      .poll(async () => (await eventsSeen(hub))[0]?.sequence, { timeout: 10_000 })
      .toBeGreaterThan(BigInt(before));
    const watch = hub.watchEvents(
      ada,
      create(WatchEventsRequestSchema, { afterSequence: 1n }),
      new AbortController().signal,
    );
    const error = await refusalOf(watch[Symbol.asyncIterator]().next());
    expect(error).toMatchObject({
      code: "BATON-QUERY-003",
      message: expect.stringContaining("the oldest event is"),
    });
    const { turns, gaps } = await hub.getTurns(ada, create(GetTurnsRequestSchema, { pipelineId }));
    expect(turns.map(({ turn: reported }) => reported?.turnIndex)).toEqual([1]);
    expect(gaps).toMatchObject([{ firstIndex: 0, lastIndex: 0 }]);
    const after = await hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema));
    expect(after.entries.slice(0, entries.length)).toEqual(entries);
  });
});

it("[TUR-04] goes by size, and what is written meanwhile goes on from there", async () => {
  const { hub, agent, clock, dispatchId } = await hubWith({ eventsBytes: 2_000, turnsBytes: 2_000 });
  for (let index = 0; index < 30; index++) {
    agent.say(turn(index, "a thought of some length ".repeat(10)), dispatchId);
    await isTaken(agent);
  }
  await clock.pass(2 * retentionRhythm.roundMs);
  const seen = await eventsSeen(hub);
  expect(seen.length).toBeLessThan(15);
  agent.say(turn(30), dispatchId);
  await isTaken(agent);
  const sequences = (await eventsSeen(hub)).map(({ sequence }) => sequence);
  const [first = 0n] = sequences;
  expect(sequences).toEqual(sequences.map((_, place) => first + BigInt(place)));
});

it("[TUR-04] a store that cannot prune is reported once and retried", async () => {
  const { store, clock, problems } = await hubWith({ eventsMs: hour });
  store.prune = () => Promise.reject(noRoom());
  await clock.pass(3 * retentionRhythm.roundMs);
  await calm();
  expect(problems.map(({ message }) => message)).toEqual([noRoom().message]);
});
