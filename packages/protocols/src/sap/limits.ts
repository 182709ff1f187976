/** Limits of governed tasks; docs/reference/limits.md lists them. */
export const sapLimits = {
  /** Bytes of a Task. */
  taskBytes: 1024 * 1024,
  /** Levels of nesting of a Task. */
  depth: 64,
  /** Objects, lists and their elements of a Task. */
  elements: 25_000,
  /** Characters of ids and names of agents, capabilities, principles, territories, kinds and tags. */
  nameLength: 256,
  /** Characters of an objective or a constraint. */
  textLength: 2_000,
  /** Characters of a URI. */
  uriLength: 2_048,
  principles: 100,
  constraints: 100,
  objectives: 100,
  references: 100,
  attachments: 100,
  tags: 100,
  /** Seconds of one attempt: a day. */
  seconds: 86_400,
  /** Seconds of the greatest age of a cached answer: a hundred years. */
  ageSeconds: 3_153_600_000,
  tokens: 1_000_000_000_000,
  /** Violations in one Nack. */
  violations: 100,
  /** How far ahead of the hub's clock a task may be issued. */
  issuedAheadMs: 3_600_000,
} as const;
