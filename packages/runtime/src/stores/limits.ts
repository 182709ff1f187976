/** Limits of every store. A batch beyond them is a fault of the hub, and is refused before anything is stored. */
export const storeLimits = {
  /** Rows of one kind in a batch. All callers wait for the transaction of a batch. */
  rowsPerBatch: 100_000,
  /** A text, an entry or a content. Messages have at most 4 MiB; a transition may contain several. */
  bytesPerValue: 64 * 1024 * 1024,
  /** A whole batch, which is packed into one buffer. */
  bytesPerBatch: 2 * 1024 * 1024 * 1024,
  /** Ids, names and statuses. */
  charactersPerName: 4096,
  /** Comparisons of a query. */
  comparisons: 64,
  /** Fields of an order. */
  orderFields: 8,
  /** Rows of a page. */
  rowsPerPage: 10_000,
} as const;

/** Page sizes of reads that return everything. */
export const pageSizes = {
  /** Open pipelines whose journals are read together, fewer when their texts fill a page. */
  journals: 64,
  journalBytes: 8 * 1024 * 1024,
  fleetRows: 1000,
  /** Audit entries that are compared at once when a query has another order than their sequence. */
  auditHeads: 10_000,
} as const;

/** Audit entries that share a row. A larger entry has a row of its own. */
export const blockLimits = {
  entries: 64,
  bytes: 64 * 1024,
} as const;

/** The work of one pruning step: less than that of a batch. */
export const pruneLimits = {
  /** Rows of a table that a step removes, fewer when `bytes` is reached. */
  rows: 100,
  bytes: 1024 * 1024,
  /** Rows whose sizes a step reads. */
  measured: 1000,
  /** Tenants that a step visits. */
  tenants: 50,
} as const;

/** Memory for batches on their way to the writer thread. */
export const packingSizes = {
  /** Most batches of a busy hub are smaller. */
  initial: 512 * 1024,
  /** Larger buffers are released after their batch. */
  maxKept: 8 * 1024 * 1024,
} as const;

/** When the thread of the hub writes a batch itself: when it is small, and batches come one by one. */
export const inlineWriteLimits = {
  /** Single batches in a row before the first inline write: each change of thread starts with empty caches. */
  after: 8,
  bytes: 64 * 1024,
  /** A write above `slowMs` is slow; one above `tooLongMs` ends inline writes at once. */
  slowMs: 2,
  tooLongMs: 50,
  /** Batches that go to the other thread after more than one in five inline writes was slow. */
  afterSlow: 1_000,
  /** No waiting for locks, no checkpoints, and a small cache, which suffices for one pipeline at a time. */
  connection: { busyTimeoutMs: 0, checkpointPages: 0, cacheKib: 16 * 1024 },
} as const;

/** How much of a store is checked when it opens, and how the rest is checked in the background. */
export const checkLimits = {
  /** Up to this size the whole store is checked when it opens, in a fraction of a second. */
  wholeBytes: 16 * 1024 * 1024,
  /** The newest rows of every table that are checked at opening in a larger store. */
  newestRows: 64,
  /** Rows of one read in the background, fewer when `bytesAtOnce` is reached. A read delays checkpoints of the log. */
  rowsAtOnce: 256,
  bytesAtOnce: 4 * 1024 * 1024,
  /** Delay of the background check after the start. */
  waitMs: 1_000,
  /** The background check pauses this many times as long as it read. */
  pauseFactor: 4,
  /** Faults in a report. */
  faults: 100,
} as const;
