/**
 * How an instance is that cannot say so itself: a command that the hub runs (A §3.1 "Dev adapter", A §3.4 "Discovery L2").
 * The hub says it in its place, from how its attempts ended.
 *
 * H1. An attempt that fails by itself (too late, a non-zero exit, no answer, a tool that failed to its end) degrades it.
 * H2. Two good attempts in a row make it healthy again.
 * H3. So does time without a failure: a policy may give work to healthy instances alone, and then there is no attempt
 *     that could be good.
 * H4. A tool is degraded when it failed in two attempts in a row: one may have been the fault of what it was used on.
 * H5. A program that is not there, or that cannot work by what a probe found, is unhealthy: nothing should be sent there.
 */
export interface AttemptNote {
  readonly endedMs: number;
  readonly durationMs: number;
  /** Why it was no good; undefined when it was. */
  readonly failure?: "timeout" | "exit" | "no-answer" | "not-started" | undefined;
  /** The same for people: how it ended, and what it said. */
  readonly reason?: string | undefined;
  /** Tools whose last use in it failed. */
  readonly failedTools: readonly string[];
}

export interface SyntheticHealth {
  readonly status: "HEALTHY" | "DEGRADED" | "UNHEALTHY";
  readonly errorRate1m: number;
  readonly avgLatencyMs: number;
  readonly degradedTools: readonly string[];
  /** Why it is not well, for people; empty when it is. */
  readonly reason: string;
}

export const syntheticHealthRules = {
  /** Good attempts in a row after which it is healthy again. */
  recoverAfter: 2,
  /** Failed attempts in a row after which a tool is degraded. */
  toolFailures: 2,
  /** How long a failure counts. Short: where only healthy instances are candidates, nobody is sent there meanwhile. */
  forgiveMs: 15_000,
  /** Attempts that are remembered, and failed tools of one. */
  notes: 32,
  tools: 32,
} as const;

/** With one more attempt; the oldest are forgotten. An attempt that somebody cancelled says nothing of the instance. */
export function noteAttempt(notes: readonly AttemptNote[], note: AttemptNote): readonly AttemptNote[] {
  const { notes: most, tools } = syntheticHealthRules;
  return [...notes.slice(1 - most), { ...note, failedTools: note.failedTools.slice(0, tools) }];
}

interface Circumstances {
  readonly nowMs: number;
  /** Whether its program can be found, and which that is. */
  readonly isThere: boolean;
  readonly program?: string;
  /** Why it cannot work, with the fix, as a probe or an attempt found; absent when it can. */
  readonly unready?: string | undefined;
}

export function judgeHealth(
  notes: readonly AttemptNote[],
  { nowMs, isThere, program = "", unready }: Circumstances,
): SyntheticHealth {
  const { recoverAfter, forgiveMs } = syntheticHealthRules;
  const recent = notes.filter(({ endedMs }) => nowMs - endedMs < forgiveMs);
  const lastBad = recent.findLastIndex(isBad);
  const isDegraded = lastBad !== -1 && recent.length - 1 - lastBad < recoverAfter;
  const minute = notes.filter(({ endedMs }) => nowMs - endedMs < 60_000);
  return {
    status: isThere && unready === undefined ? (isDegraded ? "DEGRADED" : "HEALTHY") : "UNHEALTHY",
    errorRate1m: minute.length === 0 ? 0 : minute.filter(isBad).length / minute.length,
    avgLatencyMs:
      minute.length === 0 ? 0 : minute.reduce((sum, { durationMs }) => sum + durationMs, 0) / minute.length,
    degradedTools: degradedTools(recent),
    reason: isThere ? (unready ?? (isDegraded ? whyDegraded(recent[lastBad]) : "")) : whyMissing(program),
  };
}

function whyMissing(program: string): string {
  return `there is no program "${program}": install it, or put it on the PATH of the hub`;
}

/** Whoever mends it learns when it is given work again. */
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
