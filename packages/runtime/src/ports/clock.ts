/** Time, as the hub has it. In a simulation it is a virtual one. */
export interface Clock {
  /** Never goes back while the hub lives, whatever is done to the clock of the machine. */
  nowMs(): number;
  /** Calls back once, not before the time. The result stops it. */
  after(delayMs: number, callback: () => void): () => void;
  /** Calls back when everything that is ready to come in has come in. */
  soon(callback: () => void): void;
}

/**
 * The clock of the machine, read once: from then on time passes as fast as it does, and a clock that is set meanwhile
 * changes nothing. It does not begin before `floorMs`, the newest instant that is on record.
 */
export function systemClock(floorMs = 0): Clock {
  const origin = Math.max(Date.now(), floorMs) - performance.now();
  return {
    nowMs: () => Math.floor(origin + performance.now()),
    after: (delayMs, callback) => {
      const timer = setTimeout(callback, Math.min(delayMs, longestDelayMs));
      timer.unref();
      return () => clearTimeout(timer);
    },
    soon: (callback) => setImmediate(callback),
  };
}

/** What a timer of Node can wait; whoever waits longer looks again then. */
const longestDelayMs = 2_147_483_647;
