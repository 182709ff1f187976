import { Outcome } from "@baton/contract";
import { durationMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { afterEach, describe, expect, it, vi } from "vitest";
import { envelope, runAgent } from "../../testing/index.ts";
import { until } from "../../testing/until.ts";
import type { Task } from "../api/task.ts";
import { endAll, gate, start, startHub } from "./testing/attached.ts";

afterEach(async () => {
  vi.useRealTimers();
  await endAll();
});

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const shifts: readonly [string, number][] = [
  ["ahead", hourMs],
  ["behind", -hourMs],
];

/** Shifts the wall clock; timers are not affected. */
function setClock(byMs: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + byMs });
}

/** As a hub sends it: the timeout is the deadline minus the time of sending, by the clock of the hub. */
function sentWith(timeoutMs: number, dispatchId: string) {
  return envelope({ dispatchId, timeoutMs, deadlineMs: Date.now() + timeoutMs });
}

const untilStopped = (task: Task) =>
  new Promise<void>((resolve) => task.signal.addEventListener("abort", () => resolve(), { once: true }));

describe.each(shifts)("an agent whose clock is an hour %s", (_, shiftMs) => {
  it("[DIS-13] uses the whole timeout", async () => {
    const hub = await startHub();
    const { stream } = await start(hub);
    const sent = sentWith(minuteMs, "d");
    setClock(shiftMs);
    stream.dispatch(sent);
    expect((await stream.next("result")).value.status?.outcome).toBe(Outcome.SUCCESS);
  });

  it("[DIS-13] does not exceed the timeout", async () => {
    const hub = await startHub();
    const { stream } = await start(hub, {
      run: async (task) => {
        await untilStopped(task);
        return task.success("too late");
      },
    });
    const sent = sentWith(20, "d");
    setClock(shiftMs);
    stream.dispatch(sent);
    expect((await stream.next("result")).value.status?.failureCode).toBe("DEADLINE_EXCEEDED");
  });
});

it("[DIS-03] heartbeats stay in order when the clock is set back", async () => {
  const hub = await startHub({ heartbeatMs: 50 });
  const { stream } = await start(hub);
  const first = (await stream.next("heartbeat")).value.heartbeatAt;
  setClock(-hourMs);
  const second = (await stream.next("heartbeat")).value.heartbeatAt;
  expect(second && timestampMs(second)).toBeGreaterThan(first ? timestampMs(first) : Number.NaN);
});

describe("the timeout of an attempt", () => {
  it("[DIS-13] starts at arrival, so that time in the queue counts", async () => {
    const hub = await startHub();
    const work = gate();
    const { agent, stream } = await start(hub, { run: (task) => work.run(task) });
    stream.dispatch(sentWith(minuteMs, "first"));
    stream.dispatch(sentWith(20, "waits"));
    await until(() => agent.queuedTasks === 1);
    const waitsSinceMs = performance.now();
    await until(() => performance.now() - waitsSinceMs > 20);
    work.release("first");
    expect((await stream.next("result")).dispatchId).toBe("first");
    const { dispatchId, value } = await stream.next("result");
    expect([dispatchId, value.status?.failureCode]).toEqual(["waits", "DEADLINE_EXCEEDED"]);
    expect(work.runs).toEqual(["first"]);
  });

  it.each(shifts)(
    "[CON-04] starts before it ends when the clock is set an hour %s meanwhile",
    async (_, shiftMs) => {
      const definition = {
        pack: "qa",
        version: "1.0.0",
        taskTypes: ["write-tests"],
        run: (task: Task) => {
          setClock(shiftMs);
          return task.success("done");
        },
      };
      const { result } = await runAgent(definition, envelope());
      const { startedAt, finishedAt, duration } = result?.timing ?? {};
      const [startedMs, finishedMs] = [startedAt, finishedAt].map((at) =>
        at ? timestampMs(at) : Number.NaN,
      );
      const tookMs = duration ? durationMs(duration) : Number.NaN;
      expect(finishedMs).toBeGreaterThanOrEqual(startedMs ?? Number.NaN);
      expect((finishedMs ?? 0) - (startedMs ?? 0)).toBe(tookMs);
      expect(tookMs).toBeLessThan(minuteMs);
    },
  );
});
