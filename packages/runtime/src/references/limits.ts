/** Everything the hub bounds when it reads references again. */
export interface ReferenceLimits {
  /** One reference. */
  readonly timeoutMs: number;
  /** All references of one stage together. */
  readonly totalMs: number;
  /** References that are read side by side for one tenant; the others wait for their turn. */
  readonly atOnce: number;
  /** Characters of a locator, and of a version. */
  readonly locatorLength: number;
  /** A file, an artifact, or an object of git. */
  readonly fileBytes: number;
  /** The body of an answer on the web. */
  readonly urlBytes: number;
  /** The headers of an answer on the web, and how many there may be. */
  readonly headerBytes: number;
  readonly headerCount: number;
  /** How often an answer may point elsewhere. */
  readonly redirects: number;
  /** Addresses of one name that are tried, and what each has to answer, TLS and all. */
  readonly addresses: number;
  readonly connectMs: number;
  /** What the command for a record prints. */
  readonly recordBytes: number;
}

export const defaultReferenceLimits: ReferenceLimits = {
  timeoutMs: 15_000,
  totalMs: 120_000,
  atOnce: 8,
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
