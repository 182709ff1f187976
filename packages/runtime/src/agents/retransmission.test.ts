import { AbortPipelineRequestSchema, PipelineStatus } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  ada,
  calm,
  dispatchOf,
  eventually,
  Lives,
  reaches,
  submit,
  TestAgent,
  testHub,
  VirtualClock,
} from "../../testing/index.ts";
import { batchLimits } from "../agent-events/event-batch.ts";
import type { Hub } from "../api/hub.ts";
import { openMemoryStore } from "../stores/index.ts";
import {
  chunksOf,
  completed,
  eventsSeen,
  invoked,
  isTaken,
  printed,
  type Report,
  thought,
  thoughtsSeen,
  turn,
  wordsSeen,
  working,
} from "./testing/reports.ts";
import { durableStores, expectNoneTwice, overRestarts, silentDev } from "./testing/restarts.ts";

const token = `gh${"p_"}${"a1B2c3D4e5F6g7H8i9J0".repeat(2)}`;

describe.each(durableStores)("reports that are retransmitted after a restart (%s)", (_name, open) => {
  it("[TUR-04] publishes each event and each word once", async () => {
    const words = Array.from({ length: 30 }, (_, place) => thought(0, `word ${"abcdef"[place % 6]} `));
    const reported = [
      ...words,
      invoked("call-1"),
      printed("one line"),
      completed("call-1"),
      printed("another"),
    ];
    const { hub, agent } = await overRestarts({ store: await open() }, reported, [
      ...reported,
      thought(0, "and on", true),
    ]);
    const text = words.map((_, place) => `word ${"abcdef"[place % 6]} `).join("");
    expect(await wordsSeen(hub)).toBe(`${text}and on`);
    const others = (await eventsSeen(hub)).flatMap(({ event }) =>
      event && !["thoughtStream", "taskTransition"].includes(event.payload.case ?? "")
        ? [event.payload.case]
        : [],
    );
    expect(others).toEqual(["toolInvoked", "sandboxPulse", "toolCompleted", "sandboxPulse"]);
    expect(agent.all("refused")).toEqual([]);
    await expectNoneTwice(hub);
  });

  it("[TUR-04] publishes once when only the last ones are retransmitted", async () => {
    const reported = [thought(0, "one "), thought(0, "two "), thought(0, "three "), thought(0, "four ")];
    const { hub } = await overRestarts({ store: await open() }, reported, [
      ...reported.slice(2),
      thought(0, "five", true),
    ]);
    expect(await wordsSeen(hub)).toBe("one two three four five");
    await expectNoneTwice(hub);
  });

  it("[TUR-04] does not repeat the thought of a turn that comes after the restart", async () => {
    const whole = "first I look, then I leap";
    const { hub } = await overRestarts(
      { store: await open() },
      [thought(0, "first I look, then I leap", true)],
      [turn(0, whole)],
    );
    expect(chunksOf(await thoughtsSeen(hub))).toEqual([[0, whole, true]]);
  });

  it("[TUR-04] publishes what the turn adds to its thought", async () => {
    const reported = [thought(0, "first I look, "), thought(0, `with ${token.slice(0, 10)}`)];
    const whole = `first I look, with ${token} and leap`;
    const { hub } = await overRestarts({ store: await open() }, reported, [turn(0, whole)]);
    expect(await wordsSeen(hub)).toBe("first I look, with [redacted:github-token] and leap");
    expect(chunksOf(await thoughtsSeen(hub)).at(-1)?.[2]).toBe(true);
  });

  it("[TUR-06] masks a secret that the restart splits, and publishes the words around it once", async () => {
    const reported = [thought(0, "I use "), thought(0, token.slice(0, 10))];
    const { hub } = await overRestarts({ store: await open() }, reported, [
      ...reported,
      thought(0, `${token.slice(10)} for it`, true),
    ]);
    expect(await wordsSeen(hub)).toBe("I use [redacted:github-token] for it");
    await expectNoneTwice(hub);
  });

  it("[TUR-04] publishes once when the attempt was over and its agent did not know", async () => {
    const lives = new Lives(await open());
    const before = await lives.begin();
    const agent = new TestAgent(before.hub, silentDev);
    const pipelineId = await submit(before.hub);
    const envelope = await agent.envelope();
    const dispatchId = dispatchOf(envelope);
    const reported = [thought(0, "one "), thought(0, `two ${token.slice(0, 10)}`)];
    for (const one of reported) agent.say(one, dispatchId);
    agent.answer(envelope);
    await reaches(before.hub, pipelineId, PipelineStatus.COMPLETED);
    before.kill();
    agent.vanish();
    const { hub } = await lives.begin();
    onTestFinished(() => hub.drain(0));
    const back = new TestAgent(hub, silentDev, [dispatchId]);
    for (const one of reported) back.say(one, dispatchId);
    back.answer(envelope);
    await isTaken(back);
    expect(await wordsSeen(hub)).toBe("one two [redacted:unheard-end]");
    await expectNoneTwice(hub);
  });
});

it("[TUR-04] reports retransmitted over another connection are published once", async () => {
  const { hub } = await new Lives(openMemoryStore(), { attach: { resumeGraceMs: 60_000 } }).begin();
  const agent = new TestAgent(hub, silentDev);
  await submit(hub);
  const dispatchId = dispatchOf(await agent.envelope());
  const reported = [thought(0, "one "), thought(0, "two "), invoked("a"), completed("a")];
  for (const one of reported) agent.say(one, dispatchId);
  await isTaken(agent);
  agent.vanish();
  await eventually("it is gone", () => agent.ended.then(() => true));
  const back = new TestAgent(hub, silentDev, [dispatchId]);
  for (const one of [...reported, thought(0, "three", true)]) back.say(one, dispatchId);
  await isTaken(back);
  expect(await wordsSeen(hub)).toBe("one two three");
  await expectNoneTwice(hub);
});

it("[TUR-04] reports retransmitted before the first ones are durable are published once", async () => {
  const { hub, store, agent, dispatchId } = await working({ attach: { resumeGraceMs: 60_000 } });
  store.shut();
  const reported = [thought(0, "one "), thought(0, "two ")];
  for (const one of reported) agent.say(one, dispatchId);
  await eventually("a commit", () => store.committing > 0);
  agent.vanish();
  await agent.ended.catch(() => {});
  const back = new TestAgent(hub, silentDev, [dispatchId]);
  for (const one of [...reported, thought(0, "three", true)]) back.say(one, dispatchId);
  store.open();
  await isTaken(back);
  expect(await wordsSeen(hub)).toBe("one two three");
  await expectNoneTwice(hub);
});

describe("reports that are retransmitted in another session of the same process", () => {
  it("[TUR-04] are published once when the previous session had looked up the stored ones", async () => {
    const { hub, store, agent, dispatchId } = await working({ attach: { resumeGraceMs: 60_000 } });
    const opened = Promise.withResolvers<void>();
    const looking = vi.spyOn(store, "events").mockImplementationOnce(async () => {
      await opened.promise;
      return [];
    });
    const reported = [thought(0, "one "), thought(0, "two ", true)];
    agent.vanish();
    const second = new TestAgent(hub, silentDev, [dispatchId]);
    for (const one of reported) second.say(one, dispatchId);
    await eventually("the look into the store", () => looking.mock.calls.length > 0);
    second.vanish();
    const third = new TestAgent(hub, silentDev, [dispatchId]);
    for (const one of reported) third.say(one, dispatchId);
    await third.receive("welcome");
    await calm();
    opened.resolve();
    await isTaken(third);
    expect(await wordsSeen(hub)).toBe("one two ");
    await expectNoneTwice(hub);
  });

  it("[TUR-04] are published once when the previous stream delivers them as well", async () => {
    const { hub, agent, dispatchId } = await working();
    const newer = new TestAgent(hub, silentDev, [dispatchId]);
    await newer.receive("welcome");
    const reported = thought(0, "once", true);
    newer.say(reported, dispatchId);
    await isTaken(newer);
    agent.say(reported, dispatchId);
    await calm();
    newer.say(thought(1, " and on", true), dispatchId);
    await isTaken(newer);
    expect(await wordsSeen(hub)).toBe("once and on");
    await expectNoneTwice(hub);
  });
});

describe("retransmissions for an attempt that the agent does not name any more", () => {
  /** An agent whose attempt was aborted, and which does not know what was received. */
  async function stopped() {
    const lives = new Lives(openMemoryStore());
    const life = await lives.begin();
    const agent = new TestAgent(life.hub, silentDev);
    const pipelineId = await submit(life.hub);
    const dispatchId = dispatchOf(await agent.envelope());
    const reported = [thought(0, "one "), thought(0, "two ", true)];
    for (const one of reported) agent.say(one, dispatchId);
    await isTaken(agent);
    const request = create(AbortPipelineRequestSchema, { pipelineId, reason: "so" });
    await life.hub.abortPipeline(ada, request);
    await agent.receive("cancel");
    return { lives, life, agent, dispatchId, reported };
  }

  async function retransmit(hub: Hub, dispatchId: string, reported: readonly Report[], words: string) {
    const back = new TestAgent(hub, silentDev);
    for (const one of reported) back.say(one, dispatchId);
    await isTaken(back);
    expect(await wordsSeen(hub)).toBe(words);
    await expectNoneTwice(hub);
  }

  it("[TUR-04] are published once after a restart", async () => {
    const { lives, life, agent, dispatchId, reported } = await stopped();
    life.kill();
    agent.vanish();
    const { hub } = await lives.begin();
    await retransmit(hub, dispatchId, reported, "one two ");
  });

  it("[TUR-04] are published once in another session of the same process; new reports need no look-up", async () => {
    const { life, agent, dispatchId, reported } = await stopped();
    const looking = vi.spyOn(life.store, "events");
    const late = thought(1, "late", true);
    agent.say(late, dispatchId);
    await isTaken(agent);
    expect(looking).not.toHaveBeenCalled();
    agent.vanish();
    await retransmit(life.hub, dispatchId, [...reported, late], "one two late");
  });

  it("[TUR-04] are published once though the hub expects the agent to have it", async () => {
    const { hub, agent, dispatchId } = await working();
    const reported = [thought(0, "one "), thought(0, "two ", true)];
    for (const one of reported) agent.say(one, dispatchId);
    await isTaken(agent);
    agent.vanish();
    await retransmit(hub, dispatchId, reported, "one two ");
  });
});

describe("a message retransmitted under its number while an earlier one waits", () => {
  /** An agent with two tasks: a thought of one waits in a batch, an event of the other is stored. */
  async function withOneWaiting() {
    const clock = new VirtualClock();
    const hub = await testHub({ clock, attach: { resumeGraceMs: 60_000 } });
    const options = { ...silentDev, maxTasks: 2 };
    const agent = new TestAgent(hub, options);
    const { sessionId } = await agent.receive("welcome");
    for (const idempotencyKey of ["one", "two"]) await submit(hub, { idempotencyKey });
    const [first, second] = [dispatchOf(await agent.envelope(1)), dispatchOf(await agent.envelope(2))];
    for (const one of [thought(0, "one "), thought(0, "two ")]) agent.say(one, first);
    const event = thought(0, "stored", true);
    const sequence = agent.say(event, second);
    await eventually("it to be stored", async () => (await wordsSeen(hub)).includes("stored"));
    expect(agent.all("acknowledged").some((one) => one.sequence >= sequence - 1n)).toBe(false);
    const endMoment = async () => {
      await calm();
      await clock.pass(batchLimits.windowMs);
    };
    return { hub, options, agent, sessionId, held: [first, second], second, event, sequence, endMoment };
  }

  it("[TUR-04] is published once when it comes twice on a stream", async () => {
    const { hub, agent, second, event, sequence, endMoment } = await withOneWaiting();
    agent.sayAs(sequence, event, second);
    await endMoment();
    await isTaken(agent);
    await expectNoneTwice(hub);
  });

  it("[TUR-04] is published once when it comes again on the next stream of the session", async () => {
    const { hub, options, agent, sessionId, held, second, event, sequence, endMoment } =
      await withOneWaiting();
    agent.vanish();
    await agent.ended.catch(() => {});
    const resume = { sessionId, lastSequence: sequence };
    const back = new TestAgent(hub, { ...options, resume }, held);
    expect((await back.receive("welcome")).acknowledgedSequence).toBeLessThan(sequence - 1n);
    back.sayAs(sequence, event, second);
    await endMoment();
    await eventually("its acknowledgement", () =>
      back.all("acknowledged").some((one) => one.sequence === sequence),
    );
    await expectNoneTwice(hub);
  });
});
