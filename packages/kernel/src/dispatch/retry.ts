import type { RetryPolicy } from "@baton/contract";
import { durationMs } from "@bufbuild/protobuf/wkt";

/** How often and how fast a stage is tried again (A §2.14), with the defaults filled in. */
export interface RetryRules {
  readonly maxAttempts: number;
  readonly initialBackoffMs: number;
  readonly multiplier: number;
  readonly maxBackoffMs: number;
  readonly jitter: number;
}

const defaults: RetryRules = {
  maxAttempts: 3,
  initialBackoffMs: 1_000,
  multiplier: 2,
  maxBackoffMs: 60_000,
  jitter: 0.2,
};

/** A field that is left out is zero on the wire, and zero takes the default. */
export function retryRules(policy: RetryPolicy | undefined): RetryRules {
  if (!policy) return defaults;
  const { initialBackoff, maxBackoff } = policy;
  return {
    maxAttempts: policy.maxAttempts > 0 ? policy.maxAttempts : defaults.maxAttempts,
    initialBackoffMs: initialBackoff ? durationMs(initialBackoff) : defaults.initialBackoffMs,
    multiplier: policy.backoffMultiplier >= 1 ? policy.backoffMultiplier : defaults.multiplier,
    maxBackoffMs: maxBackoff ? durationMs(maxBackoff) : defaults.maxBackoffMs,
    jitter: policy.noJitter ? 0 : policy.jitter > 0 ? policy.jitter : defaults.jitter,
  };
}

/**
 * The wait before the next attempt: grows with each retry up to the cap, less a random part, so that what failed
 * together does not come back together. `random` is from 0 to 1, and comes from the seed of the decision.
 */
export function backoffMs(retry: number, rules: RetryRules, random: number): number {
  const grown = rules.initialBackoffMs * rules.multiplier ** Math.min(retry - 1, 64);
  const capped = Math.min(grown, rules.maxBackoffMs);
  return Math.round(capped * (1 - rules.jitter * random));
}
