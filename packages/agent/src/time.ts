/** Wall-clock instants that stay in order when the clock is set: it is read once, then time is counted on. */
export interface Stopwatch {
  readonly startedMs: number;
  /** Never before `startedMs`. */
  nowMs(): number;
}

export function startStopwatch(): Stopwatch {
  const startedMs = Date.now();
  const origin = performance.now();
  return { startedMs, nowMs: () => startedMs + Math.round(performance.now() - origin) };
}

/** A timeout that can be awaited and cleared. */
export interface Timer {
  readonly over: Promise<void>;
  clear(): void;
}

export function startTimer(ms: number): Timer {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timeout = setTimeout(resolve, ms);
  return { over: promise, clear: () => clearTimeout(timeout) };
}
