/** What a decoder accepts before it looks any closer. Every boundary uses the defaults unless it says otherwise. */
export interface Limits {
  /** Size of the encoded message. */
  readonly maxBytes: number;
  /** Levels of nesting, as a reader of the JSON form sees them. */
  readonly maxDepth: number;
  /**
   * Messages, list elements and unknown fields in all. Two bytes on the wire can become an object of a hundred, so
   * a limit on bytes alone does not bound memory.
   */
  readonly maxElements: number;
}

export const defaultLimits: Limits = {
  maxBytes: 4 * 1024 * 1024,
  maxDepth: 64,
  maxElements: 25_000,
};
