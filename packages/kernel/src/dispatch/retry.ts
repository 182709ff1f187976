import { backoffDelayMs, type RetryPolicy } from "@baton/contract";
import { durationMs } from "@bufbuild/protobuf/wkt";

/** The number and delay of retries of a stage (A §2.14), with defaults. */
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

/** An absent field is zero on the wire and takes the default. */
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
 * The delay before the next attempt: grows with each retry up to the maximum, less a random part, so that simultaneous
 * failures do not retry at once. `random` is from 0 to 1, derived from the seed of the decision.
 */
export function backoffMs(retry: number, rules: RetryRules, random: number): number {
  const { initialBackoffMs: firstMs, maxBackoffMs: maxMs, multiplier, jitter } = rules;
  return Math.round(backoffDelayMs(retry, { firstMs, maxMs, multiplier }) * (1 - jitter * random));
}
