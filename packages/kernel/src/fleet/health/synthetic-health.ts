/**
 * The health of a command agent, which sends no heartbeats (A §3.1 "Dev adapter", A §3.4 "Discovery L2"). The hub
 * derives it from how its attempts ended.
 *
 * H1. An attempt that fails by itself (too late, a non-zero exit, no answer, a tool that failed to its end) degrades it.
 * H2. Two good attempts in a row make it healthy again.
 * H3. So does time without a failure: where a policy routes to healthy instances only, there is no attempt that could
 *     succeed.
 * H4. A tool is degraded when it failed in two attempts in a row: one failure may be due to its input.
 * H5. A program that is missing, or that a probe found unable to work, is unhealthy: nothing should be dispatched to
 * it.
 */
export interface AttemptNote {
  readonly endedMs: number;
  readonly durationMs: number;
  /** Undefined for a good attempt. */
  readonly failure?: "timeout" | "exit" | "no-answer" | "not-started" | undefined;
  /** The same for people: its outcome and its message. */
  readonly reason?: string | undefined;
  /** Tools whose last use in the attempt failed. */
  readonly failedTools: readonly string[];
}

interface SyntheticHealth {
  readonly status: "HEALTHY" | "DEGRADED" | "UNHEALTHY";
  readonly errorRate1m: number;
  readonly avgLatencyMs: number;
  readonly degradedTools: readonly string[];
  /** Why it is not healthy, for people; empty when it is. */
  readonly reason: string;
}

export const syntheticHealthRules = {
  /** Good attempts in a row after which it is healthy again. */
  recoverAfter: 2,
  /** Failed attempts in a row after which a tool is degraded. */
  toolFailures: 2,
  /** How long a failure counts. Short: where only healthy instances are candidates, it gets no work meanwhile. */
  forgiveMs: 15_000,
  /** Remembered attempts, and failed tools of each. */
  notes: 32,
  tools: 32,
} as const;

/** Adds an attempt and forgets the oldest. Cancelled attempts are not noted. */
export function noteAttempt(notes: readonly AttemptNote[], note: AttemptNote): readonly AttemptNote[] {
  const { notes: most, tools } = syntheticHealthRules;
  return [...notes.slice(1 - most), { ...note, failedTools: note.failedTools.slice(0, tools) }];
}

interface Circumstances {
  readonly nowMs: number;
  /** Whether its program can be found, and which that is. */
  readonly isInstalled: boolean;
  readonly program?: string;
  /** Why it cannot work, with the fix, as a probe or an attempt found; absent when it can. */
  readonly unready?: string | undefined;
}

export function deriveHealth(
  notes: readonly AttemptNote[],
  { nowMs, isInstalled, program = "", unready }: Circumstances,
): SyntheticHealth {
  const { recoverAfter, forgiveMs } = syntheticHealthRules;
  const recent = notes.filter(({ endedMs }) => nowMs - endedMs < forgiveMs);
  const lastBad = recent.findLastIndex(isBad);
  const isDegraded = lastBad !== -1 && recent.length - 1 - lastBad < recoverAfter;
  const minute = notes.filter(({ endedMs }) => nowMs - endedMs < 60_000);
  return {
    status: isInstalled && unready === undefined ? (isDegraded ? "DEGRADED" : "HEALTHY") : "UNHEALTHY",
    errorRate1m: minute.length === 0 ? 0 : minute.filter(isBad).length / minute.length,
    avgLatencyMs:
      minute.length === 0 ? 0 : minute.reduce((sum, { durationMs }) => sum + durationMs, 0) / minute.length,
    degradedTools: degradedTools(recent),
    reason: isInstalled ? (unready ?? (isDegraded ? whyDegraded(recent[lastBad]) : "")) : whyMissing(program),
  };
}

function whyMissing(program: string): string {
  return `there is no program "${program}": install it, or put it on the PATH of the hub`;
}

/** States when it recovers, for the person who repairs it. */
function whyDegraded(note: AttemptNote | undefined): string {
  const tools = note?.failedTools.length ? `${note.failedTools.join(", ")} failed` : "";
  const why = note?.reason || tools || note?.failure || "";
  const afterSeconds = syntheticHealthRules.forgiveMs / 1000;
  return `its last attempt failed${why && `: ${why}`}; it counts as well again ${afterSeconds} seconds after that`;
}

function isBad({ failure, failedTools }: AttemptNote): boolean {
  return failure !== undefined || failedTools.length > 0;
}

function degradedTools(recent: readonly AttemptNote[]): readonly string[] {
  const last = recent.slice(-syntheticHealthRules.toolFailures);
  if (last.length < syntheticHealthRules.toolFailures) return [];
  const [first, ...others] = last.map(({ failedTools }) => new Set(failedTools));
  if (!first) return [];
  return [...first].filter((tool) => others.every((other) => other.has(tool))).sort();
}
