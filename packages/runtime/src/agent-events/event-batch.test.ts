import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calm, TestStore, VirtualClock } from "../../testing/index.ts";
import {
  chunksOf,
  eventsSeen,
  invoked,
  isTaken,
  printed,
  thought,
  thoughtsSeen,
  working,
} from "../agents/testing/reports.ts";
import { openMemoryStore } from "../stores/index.ts";
import { batchLimits } from "./event-batch.ts";

async function stillWorking() {
  const clock = new VirtualClock();
  return { clock, ...(await working({ clock, store: new TestStore(openMemoryStore()) })) };
}

/** What might be a number of something is held back for longer than a word. */
function wordOf(place: number): string {
  return `${"abcdefghij"[Math.floor(place / 10)]}${"klmnopqrst"[place % 10]} `;
}

describe("chunks of a thought", () => {
  it("[TUR-04] go at once after a silence, and are then stored together, one event and one row", async () => {
    const { hub, store, agent, clock, dispatchId } = await stillWorking();
    agent.say(thought(0, "first "), dispatchId);
    await calm();
    expect(chunksOf(await thoughtsSeen(hub))).toEqual([[0, "first ", false]]);
    const rows = () => store.batches.flatMap(({ events }) => events).length;
    const before = rows();
    for (let piece = 0; piece < 20; piece++) agent.say(thought(0, wordOf(piece)), dispatchId);
    await calm();
    expect(rows()).toBe(before);
    await clock.pass(batchLimits.windowMs);
    expect(rows()).toBe(before + 1);
    const [, gathered] = chunksOf(await thoughtsSeen(hub));
    expect(gathered?.[1]).toBe(Array.from({ length: 20 }, (_, piece) => wordOf(piece)).join(""));
    await isTaken(agent);
  });

  it("[TUR-04] do not wait when there are many of them", async () => {
    const { hub, agent, dispatchId } = await stillWorking();
    for (let piece = 0; piece <= batchLimits.pieces; piece++) agent.say(thought(0, "x "), dispatchId);
    await isTaken(agent);
    expect(chunksOf(await thoughtsSeen(hub)).map(([, chunk]) => chunk)).toEqual([
      "x ",
      "x ".repeat(batchLimits.pieces),
    ]);
  });

  it("[TUR-04] come before what came after them, and lines stay lines", async () => {
    const { hub, agent, dispatchId } = await stillWorking();
    const reported = [
      thought(0, "a "),
      thought(0, "b "),
      printed("line 1"),
      printed("line 2"),
      thought(1, "c "),
      invoked("x"),
    ];
    for (const one of reported) agent.say(one, dispatchId);
    await isTaken(agent);
    const seen = (await eventsSeen(hub)).flatMap(({ event }) => {
      const payload = event?.payload;
      if (payload?.case === "thoughtStream") return [payload.value.chunk];
      if (payload?.case === "sandboxPulse") return [payload.value.line];
      return payload?.case === "toolInvoked" ? [payload.value.callId] : [];
    });
    expect(seen).toEqual(["a ", "b ", "line 1", "line 2", "c ", "x"]);
  });

  it("[TUR-04] are all published, once and in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2), fc.nat(60)), { minLength: 1, maxLength: 30 }),
        async (steps) => {
          const { hub, agent, clock, dispatchId } = await stillWorking();
          for (const [place, [turnIndex, waitMs]] of steps.entries()) {
            agent.say(thought(turnIndex, wordOf(place)), dispatchId);
            await clock.pass(waitMs);
          }
          await clock.pass(batchLimits.windowMs);
          await isTaken(agent);
          const whole = await thoughtsSeen(hub);
          expect(
            chunksOf(whole)
              .map(([, chunk]) => chunk)
              .join(""),
          ).toBe(steps.map((_, place) => wordOf(place)).join(""));
          const all = await eventsSeen(hub);
          expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, place) => BigInt(place + 1)));
        },
      ),
      { numRuns: 20 },
    );
  });
});
