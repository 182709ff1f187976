/** Limits of reading references. */
export interface ReferenceLimits {
  /** Timeout of one reference. */
  readonly timeoutMs: number;
  /** Timeout of all references of a stage. */
  readonly totalMs: number;
  /** References of one tenant read concurrently. */
  readonly maxConcurrent: number;
  /** Maximum length of a locator and of a version. */
  readonly locatorLength: number;
  /** Maximum size of a file, an artifact or a git object. */
  readonly fileBytes: number;
  /** Maximum size of a web response. */
  readonly urlBytes: number;
  /** Maximum size and number of response headers. */
  readonly headerBytes: number;
  readonly headerCount: number;
  /** Maximum number of redirects. */
  readonly redirects: number;
  /** Addresses tried for one name, and the timeout of each connection including TLS. */
  readonly addresses: number;
  readonly connectMs: number;
  /** Maximum output of a record command. */
  readonly recordBytes: number;
}

export const defaultReferenceLimits: ReferenceLimits = {
  timeoutMs: 15_000,
  totalMs: 120_000,
  maxConcurrent: 8,
  locatorLength: 4_096,
  fileBytes: 67_108_864,
  urlBytes: 16_777_216,
  headerBytes: 16_384,
  headerCount: 100,
  redirects: 5,
  addresses: 4,
  connectMs: 5_000,
  recordBytes: 1_048_576,
};
