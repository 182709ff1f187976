import { type Ref, type RefFreshnessCheck, RefSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";

export interface FreshnessRules {
  readonly maxStalenessMs: number | undefined;
  readonly hardMaxStalenessMs: number | undefined;
  readonly requireDigest: boolean;
}

/** A reference that was to be read again, as it was, and what came of it. */
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

/** The references that have to be read again before the task is sent (A §3.2 step 4). */
export function staleRefs(refs: readonly Ref[], rules: FreshnessRules, nowMs: number): readonly Ref[] {
  return refs.filter((ref) => isStale(ref, rules, nowMs));
}

/**
 * The same, but for those that were just read. Reading takes its time, and what was fresh when it began may not be any
 * more: then it is to be read too, and neither passed on as it is nor taken for unreadable.
 */
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

/** What a task refers to that refers to nothing. It is in the envelope whole, so there is nothing to read again. */
export function refToTask(taskId: string): string {
  return `task:${taskId}`;
}

function isTaskItself({ uriOrLocator }: Ref): boolean {
  return uriOrLocator.startsWith("task:");
}

/** A time in the future says as little as one long ago. */
function ageMs({ fetchedAt }: Ref, nowMs: number): number {
  return fetchedAt ? Math.abs(nowMs - timestampMs(fetchedAt)) : Number.POSITIVE_INFINITY;
}

/** Two commits of one repository, or two versions of one file, are two references. */
function keyOf({ refType, versionOrSha, uriOrLocator }: Ref): string {
  return `${refType} ${versionOrSha.length} ${versionOrSha} ${uriOrLocator}`;
}

/** The checks of references none of which has to be read again. */
export function freshChecks(refs: readonly Ref[]): readonly RefFreshnessCheck[] {
  return refs.map(({ uriOrLocator }) => check(uriOrLocator, false, false, false));
}

export interface FreshnessOutcome {
  readonly refs: readonly Ref[];
  readonly checks: readonly RefFreshnessCheck[];
  /** References that must not travel as they are; the dispatch is blocked and a person asked. */
  readonly blocking: readonly string[];
}

/**
 * What reading again came to. A reference that could not be read blocks when the policy is strict: a digest is required,
 * or it is older than the hard limit. Otherwise it travels with the degraded marker.
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
