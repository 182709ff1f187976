import { type Ref, type RefFreshnessCheck, RefFreshnessCheckSchema, RefSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Refreshed } from "../pipeline/input.ts";
import type { FreshnessRules } from "../pipeline/plan.ts";

/** The references that have to be read again before the task is sent (A §3.2 step 4). */
export function staleRefs(refs: readonly Ref[], rules: FreshnessRules, nowMs: number): readonly Ref[] {
  return refs.filter((ref) => isStale(ref, rules, nowMs));
}

function isStale(ref: Ref, { maxStalenessMs, requireDigest }: FreshnessRules, nowMs: number): boolean {
  if (requireDigest && ref.digest === "") return true;
  return maxStalenessMs !== undefined && ageMs(ref, nowMs) > maxStalenessMs;
}

function ageMs({ fetchedAt }: Ref, nowMs: number): number {
  return fetchedAt ? nowMs - timestampMs(fetchedAt) : Number.POSITIVE_INFINITY;
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
export function judgeFreshness(
  refs: readonly Ref[],
  refreshed: readonly Refreshed[],
  rules: FreshnessRules,
  nowMs: number,
): FreshnessOutcome {
  const outcomes = new Map(refreshed.map(({ uriOrLocator, outcome }) => [uriOrLocator, outcome]));
  const judged = refs.map((ref) => {
    const { uriOrLocator } = ref;
    if (!isStale(ref, rules, nowMs))
      return { ref, check: check(uriOrLocator, false, false, false), blocks: undefined };
    const outcome = outcomes.get(uriOrLocator) ?? { ok: false, reason: "it was not read" };
    if (outcome.ok) {
      const { digest, versionOrSha, fetchedAtMs } = outcome;
      const fresh = create(RefSchema, {
        ...ref,
        digest,
        versionOrSha,
        fetchedAt: timestampFromMs(fetchedAtMs),
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
  return create(RefFreshnessCheckSchema, {
    uriOrLocator,
    wasStale,
    refreshSucceeded,
    dispatchedWithDegraded,
  });
}
