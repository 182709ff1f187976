/** Limits of the cache (SAP V2 §6). */
export const cacheLimits = {
  /** Bytes of a stored record with its output. */
  recordBytes: 1024 * 1024,
  /** Tasks that wait for one execution. */
  waiters: 10_000,
  /** Names of tools that are noted for one task; with more, its outcome is not stored. */
  tools: 32,
} as const;
