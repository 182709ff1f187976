/**
 * The recent work of an instance: its last attempts, how they ended, and how busy it was. For people; routing does not read
 * it.
 *
 * W1. An attempt is noted once, when it is settled or lost with its lease.
 * W2. `attempts` holds every attempt that ended after `completeSinceMs`, so the busy share since then is exact.
 * W3. It is not stored: it covers the time since the hub started.
 */
import type { FleetState, Instance } from "./fleet-state.ts";

/** `invalid`: with an invalid result; `lost`: without a result; `cancelled`: by the hub or a person. */
export type AttemptOutcome = "succeeded" | "failed" | "invalid" | "lost" | "cancelled";

export interface EndedAttempt {
  readonly packId: string;
  readonly instanceId: string;
  readonly dispatchId: string;
  readonly taskType: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Mutable, because the checks of the hub may fail after the attempt has ended. */
  outcome: AttemptOutcome;
  /** Why it did not succeed; empty when it did. */
  error: string;
}

/** The attempts of one instance. */
export interface Work {
  /** In the order in which they ended. */
  readonly attempts: EndedAttempt[];
  completeSinceMs: number;
  /** Kept even when it is no longer in `attempts`. */
  lastFailure: EndedAttempt | undefined;
}

export const workLimits = {
  /** Attempts of one instance. */
  attempts: 20,
  /** Attempts of all instances of a fleet; beyond, the oldest are forgotten. */
  attemptsOfFleet: 100_000,
  /** Characters of an error. */
  errorLength: 256,
  /** Failures in a row from which an instance is failing. */
  failingAfter: 3,
  /** The window of the busy share. */
  windowMs: 3_600_000,
} as const;

/** The work of an instance as the API lists it. */
export interface WorkInfo {
  /** Newest first. */
  readonly attempts: readonly Readonly<EndedAttempt>[];
  /** Of these; cancelled ones count as neither. */
  readonly succeeded: number;
  readonly failed: number;
  /** Up to the last attempt, cancelled ones aside. */
  readonly failuresInARow: number;
  readonly isFailing: boolean;
  readonly lastFailure: Readonly<EndedAttempt> | undefined;
  /** The share of the last `windowMs` in which it had an attempt. */
  readonly busyShare: number;
  readonly windowMs: number;
}

function isFailure({ outcome }: Readonly<EndedAttempt>): boolean {
  return outcome !== "succeeded" && outcome !== "cancelled";
}

/** Adds an attempt, and forgets the oldest ones beyond the limits. Only for `evolveFleet`. */
export function noteEnd(state: FleetState, instance: Instance, attempt: EndedAttempt): void {
  const completeSinceMs = instance.knownSinceMs ?? attempt.startedAtMs;
  instance.work ??= { attempts: [], completeSinceMs, lastFailure: undefined };
  const { work } = instance;
  work.attempts.push(attempt);
  state.attempts.add(attempt);
  if (isFailure(attempt)) work.lastFailure = attempt;
  if (work.attempts.length > workLimits.attempts) forgetFirst(state, work);
  if (state.attempts.size <= workLimits.attemptsOfFleet) return;
  const [first] = state.attempts;
  const owner = first && state.packs.get(first.packId)?.instances.get(first.instanceId);
  if (owner?.work) forgetFirst(state, owner.work);
}

/** Counts a succeeded attempt as failed. */
export function overturn({ work }: Instance, dispatchId: string, error: string): void {
  const attempt = work?.attempts.findLast((one) => one.dispatchId === dispatchId);
  if (!work || !attempt) return;
  attempt.outcome = "failed";
  attempt.error = error;
  work.lastFailure = work.attempts.findLast(isFailure);
}

export function forgetWork(state: FleetState, { work }: Instance): void {
  for (const attempt of work?.attempts ?? []) state.attempts.delete(attempt);
}

function forgetFirst(state: FleetState, work: Work): void {
  const first = work.attempts.shift();
  if (!first) return;
  state.attempts.delete(first);
  work.completeSinceMs = Math.max(work.completeSinceMs, first.endedAtMs);
}

/** Undefined when it has had no work since the hub started. */
export function workOf(state: FleetState, instance: Instance, nowMs: number): WorkInfo | undefined {
  const { work, dispatchIds, knownSinceMs } = instance;
  if (!work && dispatchIds.size === 0) return undefined;
  const attempts = work?.attempts.toReversed() ?? [];
  const counted = attempts.filter(({ outcome }) => outcome !== "cancelled");
  const failed = counted.filter(isFailure).length;
  const lastGood = counted.findIndex((attempt) => !isFailure(attempt));
  const failuresInARow = lastGood === -1 ? counted.length : lastGood;
  const sinceMs = Math.max(nowMs - workLimits.windowMs, work?.completeSinceMs ?? 0, knownSinceMs ?? 0);
  const windowMs = Math.max(0, nowMs - sinceMs);
  const spans = [
    ...attempts.map(({ startedAtMs, endedAtMs }): Span => [startedAtMs, endedAtMs]),
    ...dispatchIds.values().map((id): Span => [state.dispatches.get(id)?.startedAtMs ?? nowMs, nowMs]),
  ];
  return {
    attempts,
    succeeded: counted.length - failed,
    failed,
    failuresInARow,
    isFailing: failuresInARow >= workLimits.failingAfter,
    lastFailure: work?.lastFailure,
    busyShare: windowMs === 0 ? 0 : covered(spans, sinceMs, nowMs) / windowMs,
    windowMs,
  };
}

type Span = readonly [fromMs: number, untilMs: number];

/** The time covered by spans that may overlap. */
function covered(spans: readonly Span[], fromMs: number, untilMs: number): number {
  let sum = 0;
  let reachedMs = fromMs;
  for (const [from, until] of spans.toSorted(([a], [b]) => a - b)) {
    const endMs = Math.min(until, untilMs);
    if (endMs <= reachedMs) continue;
    sum += endMs - Math.max(from, reachedMs);
    reachedMs = endMs;
  }
  return sum;
}
