import { type Ref, type RefFreshnessCheck, RefSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";

export interface FreshnessRules {
  readonly maxStalenessMs: number | undefined;
  readonly hardMaxStalenessMs: number | undefined;
  readonly requireDigest: boolean;
}

/** A reference before it was read again, and the outcome. */
export interface Refreshed {
  readonly ref: Ref;
  readonly outcome: RefreshOutcome;
}

export type RefreshOutcome =
  | {
      readonly ok: true;
      readonly digest: string;
      readonly versionOrSha: string;
      readonly fetchedAtMs: number;
    }
  | { readonly ok: false; readonly reason: string };

/** The references to read again before the dispatch (A §3.2 step 4). */
export function staleRefs(refs: readonly Ref[], rules: FreshnessRules, nowMs: number): readonly Ref[] {
  return refs.filter((ref) => isStale(ref, rules, nowMs));
}

/** The same, without those that were just read. References may become stale while others are read. */
export function unreadStaleRefs(
  refs: readonly Ref[],
  refreshed: readonly Refreshed[],
  rules: FreshnessRules,
  nowMs: number,
): readonly Ref[] {
  const read = new Set(refreshed.map(({ ref }) => keyOf(ref)));
  return staleRefs(refs, rules, nowMs).filter((ref) => !read.has(keyOf(ref)));
}

function isStale(ref: Ref, { maxStalenessMs, requireDigest }: FreshnessRules, nowMs: number): boolean {
  if (isTaskItself(ref)) return false;
  if (requireDigest && ref.digest === "") return true;
  return maxStalenessMs !== undefined && ageMs(ref, nowMs) > maxStalenessMs;
}

/** The reference of a task without references: the envelope contains the task, so there is nothing to read. */
export function refToTask(taskId: string): string {
  return `task:${taskId}`;
}

function isTaskItself({ uriOrLocator }: Ref): boolean {
  return uriOrLocator.startsWith("task:");
}

/** A time in the future is as unreliable as an old one. */
function ageMs({ fetchedAt }: Ref, nowMs: number): number {
  return fetchedAt ? Math.abs(nowMs - timestampMs(fetchedAt)) : Number.POSITIVE_INFINITY;
}

/** Different commits or versions of one location are different references. */
function keyOf({ refType, versionOrSha, uriOrLocator }: Ref): string {
  return `${refType} ${versionOrSha.length} ${versionOrSha} ${uriOrLocator}`;
}

/** The checks of references that are all fresh. */
export function freshChecks(refs: readonly Ref[]): readonly RefFreshnessCheck[] {
  return refs.map(({ uriOrLocator }) => check(uriOrLocator, false, false, false));
}

interface FreshnessOutcome {
  readonly refs: readonly Ref[];
  readonly checks: readonly RefFreshnessCheck[];
  /** References that block the dispatch until a person decides. */
  readonly blocking: readonly string[];
}

/**
 * Applies the outcomes of reading again. An unreadable reference blocks under a strict policy, which requires a digest or
 * has a hard limit that is exceeded. Otherwise it gets the degraded marker.
 */
export function resolveFreshness(
  refs: readonly Ref[],
  refreshed: readonly Refreshed[],
  rules: FreshnessRules,
  nowMs: number,
): FreshnessOutcome {
  const outcomes = new Map(refreshed.map(({ ref, outcome }) => [keyOf(ref), outcome]));
  const judged = refs.map((ref) => {
    const { uriOrLocator } = ref;
    if (!isStale(ref, rules, nowMs))
      return { ref, check: check(uriOrLocator, false, false, false), blocks: undefined };
    const outcome = outcomes.get(keyOf(ref)) ?? { ok: false, reason: "it was not read" };
    if (outcome.ok) {
      const { digest, versionOrSha, fetchedAtMs } = outcome;
      const fresh = create(RefSchema, {
        ...ref,
        digest,
        versionOrSha,
        fetchedAt: timestampFromMs(fetchedAtMs),
        ...{ degraded: false, degradedReason: "" },
      });
      return { ref: fresh, check: check(uriOrLocator, true, true, false), blocks: undefined };
    }
    const tooOld = rules.hardMaxStalenessMs !== undefined && ageMs(ref, nowMs) > rules.hardMaxStalenessMs;
    const blocks = rules.requireDigest || tooOld ? `${uriOrLocator}: ${outcome.reason}` : undefined;
    const degraded = create(RefSchema, { ...ref, degraded: true, degradedReason: outcome.reason });
    return { ref: degraded, check: check(uriOrLocator, true, false, blocks === undefined), blocks };
  });
  return {
    refs: judged.map(({ ref }) => ref),
    checks: judged.map((one) => one.check),
    blocking: judged.flatMap(({ blocks }) => blocks ?? []),
  };
}

function check(
  uriOrLocator: string,
  wasStale: boolean,
  refreshSucceeded: boolean,
  dispatchedWithDegraded: boolean,
): RefFreshnessCheck {
  const $typeName = "vasini.agent.v1.RefFreshnessCheck";
  return { $typeName, uriOrLocator, wasStale, refreshSucceeded, dispatchedWithDegraded };
}
