export interface BackoffRules {
  readonly firstMs: number;
  readonly maxMs: number;
  /** Default: 2. */
  readonly multiplier?: number;
}

/** The delay after a number of failures: `firstMs` after the first, then growing up to `maxMs`. Callers add jitter. */
export function backoffDelayMs(failures: number, { firstMs, maxMs, multiplier = 2 }: BackoffRules): number {
  const growths = Math.min(Math.max(0, failures - 1), 64);
  return Math.min(maxMs, firstMs * multiplier ** growths);
}
