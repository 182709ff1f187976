import { setTimeout as pause } from "node:timers/promises";
import {
  AbortPipelineRequestSchema,
  CancelReason,
  type Event,
  WatchEventsRequestSchema,
} from "@baton/contract";
import { ada } from "@baton/runtime/testing";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { accountOf } from "./account.ts";
import type { Behaviour, Connector } from "./connector.ts";
import { LeapingClock } from "./leaping-clock.ts";
import { passed, polling, result, Setting, thought, turn } from "./setting.ts";

/** Long enough for an agent that answers at once, also on a busy machine. */
const timeoutMs = 4_000;

/** More than may be on its way at once, by any connector. */
const flood = 3_000;

/** Agents that are slow, silent, late or much too fast, and hubs that go and come back (A §3.2 step 6). */
export function timeCases(connector: Connector): void {
  const { endsWithHub = false, givesNoReason = false } = connector.traits ?? {};
  const stated = (reason: CancelReason) => (givesNoReason ? CancelReason.UNSPECIFIED : reason);

  it("[TRN-01] waits for an agent that is slow", async () => {
    const setting = await Setting.of(connector, async ({ envelope, say }) => {
      for (let index = 0; index < 5; index++) {
        say(turn(index));
        await pause(20);
      }
      say(result(envelope));
    });
    await setting.shows(await setting.submit(), { status: "COMPLETED", attempts: 1, record: passed(1) });
  });

  it("[TRN-01] [DIS-13] cancels an agent that is silent, and tries again", async () => {
    const clock = new LeapingClock();
    const begun = Promise.withResolvers<void>();
    const why = Promise.withResolvers<CancelReason>();
    const silent: Behaviour = async ({ envelope, number, say, cancelled }) => {
      if (number > 1) return say(result(envelope));
      begun.resolve();
      why.resolve((await cancelled).reason);
    };
    const setting = await Setting.of(connector, silent, { clock });
    const record = ["1: the attempt ran out of time", ...passed(2)];
    const pipelineId = await setting.submit({ timeoutMs });
    await begun.promise;
    clock.leap(timeoutMs);
    await setting.shows(pipelineId, { status: "COMPLETED", attempts: 2, record });
    expect(await why.promise).toBe(stated(CancelReason.TIMEOUT));
  });

  it("[TRN-01] [DIS-13] puts a late result on record, and counts that of the next attempt", async () => {
    const clock = new LeapingClock();
    const begun = Promise.withResolvers<void>();
    const late: Behaviour = async ({ envelope, number, say, cancelled }) => {
      begun.resolve();
      if (number === 1) await cancelled;
      say(result(envelope));
    };
    const setting = await Setting.of(connector, late, { clock });
    const pipelineId = await setting.submit({ timeoutMs });
    await begun.promise;
    clock.leap(timeoutMs);
    // The late result and that of the next attempt may come in either order.
    const record = ["1: the attempt ran out of time", "1: disregarded a result", ...passed(2)].sort();
    const sorted = async () => {
      const account = await accountOf(setting.hub, pipelineId);
      return { ...account, record: account.record.toSorted() };
    };
    await expect.poll(sorted, polling).toEqual({ status: "COMPLETED", attempts: 2, record });
  });

  it("[TRN-01] [PIP-10] cancels at the agent when a person ends the pipeline, and expects no result", async () => {
    const begun = Promise.withResolvers<void>();
    const why = Promise.withResolvers<CancelReason>();
    const setting = await Setting.of(connector, async ({ say, cancelled }) => {
      say(turn(0));
      begun.resolve();
      why.resolve((await cancelled).reason);
    });
    const pipelineId = await setting.submit();
    await begun.promise;
    const request = create(AbortPipelineRequestSchema, { pipelineId, reason: "not needed any more" });
    await setting.hub.abortPipeline(ada, request);
    expect(await why.promise).toBe(stated(CancelReason.ABORTED));
    const record = ["1: cancelled the attempt"];
    await setting.shows(pipelineId, { status: "ABORTED", attempts: 1, record });
  });

  it("[TRN-01] [TUR-04] takes a flood of events whole and in order, and the result after it", async () => {
    const setting = await Setting.of(connector, async ({ envelope, say }) => {
      for (let index = 0; index < flood; index++) say(thought(index));
      say(result(envelope));
    });
    const pipelineId = await setting.submit();
    await setting.shows(pipelineId, { status: "COMPLETED", attempts: 1, record: passed(1) });
    expect(await thoughts(setting, pipelineId, isTheEnd)).toEqual(Array.from({ length: flood }, (_, i) => i));
  });

  it.each([
    ["nothing", false],
    ["something", true],
  ])(
    `[TRN-01] [PIP-11] ${endsWithHub ? "tries again the attempt of" : "takes the answer of"} an agent that had reported %s when the hub was restarted`,
    async (_what, speaks) => {
      const before = [0, 1, 2, 3, 4, 5, 6, 7];
      const restarted = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      let runs = 0;
      const setting = await Setting.of(connector, async ({ envelope, say }) => {
        runs++;
        if (speaks) for (const index of before) say(thought(index));
        begun.resolve();
        await restarted.promise;
        if (speaks) say(thought(before.length));
        say(result(envelope));
      });
      const pipelineId = await setting.submit();
      await begun.promise;
      const isLast = ({ case: kind, value }: Payload) =>
        kind === "thoughtStream" && value.turnIndex === before.length - 1;
      if (speaks) await thoughts(setting, pipelineId, isLast);
      await setting.hub.drain(0);
      await setting.start();
      await setting.agent.returnTo(setting.hub);
      restarted.resolve();
      const record = endsWithHub ? ["1: the agent was lost", ...passed(2)] : passed(1);
      const attempts = endsWithHub ? 2 : 1;
      await setting.shows(pipelineId, { status: "COMPLETED", attempts, record });
      expect(runs).toBe(attempts);
      // An agent that is called again sends everything again; watchers receive it once.
      const expected = [...(endsWithHub ? before : []), ...before, before.length];
      expect(await thoughts(setting, pipelineId, isTheEnd)).toEqual(speaks ? expected : []);
    },
  );
}

type Payload = Event["payload"];

const isTheEnd = (payload: Payload) =>
  payload.case === "taskTransition" && payload.value.toState === "COMPLETED";

/** The thoughts that the hub shows, by number, up to an event. */
async function thoughts(
  { hub }: Setting,
  pipelineId: string,
  isLast: (payload: Payload) => boolean,
): Promise<readonly number[]> {
  const enough = new AbortController();
  const request = create(WatchEventsRequestSchema, {
    filter: `pipeline_id = "${pipelineId}"`,
    afterSequence: 0n,
  });
  const seen: number[] = [];
  const ids = new Set<string>();
  for await (const { message } of hub.watchEvents(ada, request, enough.signal)) {
    const event = message.case === "record" ? message.value.event : undefined;
    const payload = event?.payload;
    if (event && ids.size === ids.add(event.eventId).size) throw new Error(`${event.eventId} came twice`);
    // One may come in pieces: what might be the beginning of a secret is held back.
    if (payload?.case === "thoughtStream" && seen.at(-1) !== payload.value.turnIndex)
      seen.push(payload.value.turnIndex);
    if (payload && isLast(payload)) enough.abort();
  }
  return seen;
}
