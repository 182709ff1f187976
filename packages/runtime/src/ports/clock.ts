import { uptime } from "node:os";

/** Time, as the hub has it. In a simulation it is a virtual one. */
export interface Clock {
  /** Never goes back while the hub lives, whatever is done to the clock of the machine. */
  nowMs(): number;
  /** Calls back once, not before the time. The result stops it. */
  after(delayMs: number, callback: () => void): () => void;
  /** Calls back when everything that is ready to come in has come in. */
  soon(callback: () => void): void;
}

export function pause(clock: Pick<Clock, "after">, delayMs: number): Promise<void> {
  return new Promise((done) => clock.after(delayMs, done));
}

/** What a machine knows of time. */
export interface TimeSources {
  /** The clock on the wall, which anybody may set. */
  wallMs(): number;
  /** Passes while the machine is awake. */
  awakeMs(): number;
  /** Since the machine was started, awake or asleep. */
  uptimeMs(): number;
}

const machine: TimeSources = {
  wallMs: () => Date.now(),
  awakeMs: () => performance.now(),
  uptimeMs: () => uptime() * 1_000,
};

/** To ask for the uptime costs more than all the rest, so it is done this often at the most. */
const lookMs = 1_000;
/** Less than this is the grain of the uptime, and not sleep. */
const leastSleepMs = 2_000;
/** What is waited for in one piece, so that a machine that slept is late by no more than this. */
const longestWaitMs = 60_000;

/**
 * The clock of the machine, read once: from then on time passes as fast as it does, and a clock that is set meanwhile
 * changes nothing. It does not begin before `floorMs`, the newest instant that is on record: where that lies ahead, time
 * passes at half its speed until the wall has caught up. When the machine has slept, it moves forward by what it missed.
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

/** How long the machine has slept so far, as it is asked for at an instant of the time awake. It never becomes less. */
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
