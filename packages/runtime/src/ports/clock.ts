import { uptime } from "node:os";

/** The time of the hub; virtual in a simulation. */
export interface Clock {
  /** Never decreases within a process, even when the clock of the machine is set. */
  nowMs(): number;
  /** Calls back once, not before the time. Returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
  /** Calls back after pending I/O. */
  soon(callback: () => void): void;
}

export function pause(clock: Pick<Clock, "after">, delayMs: number): Promise<void> {
  return new Promise((done) => clock.after(delayMs, done));
}

/** The clocks of a machine. */
interface TimeSources {
  /** May be set at any time. */
  wallMs(): number;
  /** Stands still while the machine sleeps. */
  awakeMs(): number;
  /** Since the machine started, including sleep. */
  uptimeMs(): number;
}

const machine: TimeSources = {
  wallMs: () => Date.now(),
  awakeMs: () => performance.now(),
  uptimeMs: () => uptime() * 1_000,
};

/** Reading the uptime is expensive. */
const lookMs = 1_000;
/** A smaller difference is the resolution of the uptime, not sleep. */
const leastSleepMs = 2_000;
/** Longest timer, so that after a sleep callbacks are late by no more than this. */
const longestWaitMs = 60_000;

/**
 * Reads the wall clock once and then follows the monotonic one, so that setting the wall clock has no effect. It never
 * begins before `floorMs`, the newest recorded time: when that is ahead, time passes at half speed until the wall clock
 * has caught up. After a sleep of the machine it moves forward by the time slept.
 */
export function systemClock(floorMs = 0, sources: TimeSources = machine): Clock {
  const startMs = sources.awakeMs();
  const wallMs = sources.wallMs();
  const aheadMs = Math.max(0, floorMs - wallMs);
  const missed = countSleep(sources);
  const nowMs = () => {
    const awakeMs = sources.awakeMs();
    const passedMs = awakeMs - startMs + missed(awakeMs);
    return Math.floor(wallMs + passedMs + Math.max(0, aheadMs - passedMs / 2));
  };
  return {
    nowMs,
    after: (delayMs, callback) => {
      const dueMs = nowMs() + delayMs;
      let timer: NodeJS.Timeout;
      const wait = (leftMs: number) => {
        timer = setTimeout(look, Math.min(leftMs, longestWaitMs));
        timer.unref();
      };
      const look = () => {
        const leftMs = dueMs - nowMs();
        if (leftMs > 0) wait(leftMs);
        else callback();
      };
      wait(delayMs);
      return () => clearTimeout(timer);
    },
    soon: (callback) => setImmediate(callback),
  };
}

/** Returns how long the machine has slept so far; never decreases. */
function countSleep({ awakeMs, uptimeMs }: TimeSources): (nowAwakeMs: number) => number {
  const gapMs = uptimeMs() - awakeMs();
  let sleptMs = 0;
  let nextLookMs = awakeMs() + lookMs;
  return (nowAwakeMs) => {
    if (nowAwakeMs < nextLookMs) return sleptMs;
    nextLookMs = nowAwakeMs + lookMs;
    const asleepMs = uptimeMs() - nowAwakeMs - gapMs;
    if (asleepMs - sleptMs > leastSleepMs) sleptMs = asleepMs;
    return sleptMs;
  };
}
