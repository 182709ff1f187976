/** Instants that are in order whatever is done to the clock of the machine: it is read once, and time is counted on. */
export interface Stopwatch {
  readonly startedMs: number;
  /** Never before `startedMs`, and as far from it as time has passed. */
  nowMs(): number;
}

export function startStopwatch(): Stopwatch {
  const startedMs = Date.now();
  const origin = performance.now();
  return { startedMs, nowMs: () => startedMs + Math.round(performance.now() - origin) };
}
