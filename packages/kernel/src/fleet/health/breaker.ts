/**
 * A circuit breaker (A §3.1 `circuit_breaker`, §3.2 step 1, §3.3): stops sending to what keeps failing, and tries
 * again with one dispatch at a time.
 *
 * I1. It trips when `errorThreshold` failures lie within `windowMs`; a success in between does not excuse them.
 * I2. Open lasts `halfOpenAfterMs`. Readers compare with the clock: there is no timer and no record.
 * I3. In half-open at most one probe is in flight, and only its outcome counts.
 */
export const breakerTransitions = {
  closed: { fail: "closed", succeed: "closed", trip: "open" },
  open: { probe: "half-open" },
  "half-open": { probe: "half-open", release: "half-open", succeed: "closed", fail: "open" },
} as const;

export interface BreakerSettings {
  readonly errorThreshold: number;
  readonly windowMs: number;
  readonly halfOpenAfterMs: number;
}

export type Breaker =
  /** `failuresMs`: when the failures that may still lie in the window happened, oldest first. */
  | { readonly state: "closed"; readonly failuresMs: readonly number[] }
  | { readonly state: "open"; readonly untilMs: number }
  /** `probe`: the dispatch that is the probe; absent after the last one was withdrawn. */
  | { readonly state: "half-open"; readonly probe?: string };

/** How a dispatch ended, for breakers. A withdrawn dispatch is no evidence about the agents, nor is a failure that an error edge takes. */
export type DispatchOutcome = "succeeded" | "failed" | "withdrawn";

export type BreakerMove = {
  readonly [From in keyof typeof breakerTransitions]: {
    readonly from: From;
    readonly transition: keyof (typeof breakerTransitions)[From];
    readonly breaker: Breaker;
  };
}[keyof typeof breakerTransitions];

/** The initial state. */
export const closedBreaker: Breaker = { state: "closed", failuresMs: [] };

/** The state to display: half-open from when a probe may be sent until the probe has ended. */
export function breakerState(breaker: Breaker, nowMs: number): Breaker["state"] {
  return breaker.state === "open" && nowMs >= breaker.untilMs ? "half-open" : breaker.state;
}

/** The state for dispatch: "half-open" only while a probe may be sent, because nothing else passes meanwhile. */
export function breakerAt(breaker: Breaker, nowMs: number): "closed" | "open" | "half-open" {
  if (breaker.state === "closed") return "closed";
  const mayProbe = breaker.state === "open" ? nowMs >= breaker.untilMs : breaker.probe === undefined;
  return mayProbe ? "half-open" : "open";
}

/** The move caused by sending a dispatch; undefined through a closed breaker. */
export function sendThrough(breaker: Breaker, dispatchId: string, nowMs: number): BreakerMove | undefined {
  if (breakerAt(breaker, nowMs) !== "half-open" || breaker.state === "closed") return undefined;
  return { from: breaker.state, transition: "probe", breaker: { state: "half-open", probe: dispatchId } };
}

/** The move caused by the end of a dispatch; undefined when it does not count. */
export function settleThrough(
  breaker: Breaker,
  dispatchId: string,
  outcome: DispatchOutcome,
  nowMs: number,
  settings: BreakerSettings,
): BreakerMove | undefined {
  if (breaker.state === "closed") return settleClosed(breaker.failuresMs, outcome, nowMs, settings);
  if (breaker.state === "open" || breaker.probe !== dispatchId) return undefined; // I3
  const from = "half-open";
  if (outcome === "withdrawn") return { from, transition: "release", breaker: { state: "half-open" } };
  if (outcome === "succeeded") return { from, transition: "succeed", breaker: closedBreaker };
  return { from, transition: "fail", breaker: openFrom(nowMs, settings) };
}

function settleClosed(
  failuresMs: readonly number[],
  outcome: DispatchOutcome,
  nowMs: number,
  settings: BreakerSettings,
): BreakerMove | undefined {
  const recent = failuresMs.filter((failedMs) => nowMs - failedMs < settings.windowMs);
  const from = "closed";
  if (outcome === "failed") {
    const failures = [...recent, nowMs];
    if (failures.length >= settings.errorThreshold) {
      return { from, transition: "trip", breaker: openFrom(nowMs, settings) };
    }
    return { from, transition: "fail", breaker: { state: "closed", failuresMs: failures } };
  }
  // Drops failures outside the window, so that a recovered breaker leaves no state behind.
  if (outcome === "withdrawn" || recent.length === failuresMs.length) return undefined;
  return { from, transition: "succeed", breaker: { state: "closed", failuresMs: recent } };
}

function openFrom(nowMs: number, { halfOpenAfterMs }: BreakerSettings): Breaker {
  return { state: "open", untilMs: nowMs + halfOpenAfterMs };
}
