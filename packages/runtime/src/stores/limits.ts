/** What every store accepts. More is a mistake of the hub, and is refused before anything is stored. */
export const storeLimits = {
  /** Rows of any one kind in a batch. A batch is one transaction: everybody waits for it. */
  rowsPerBatch: 100_000,
  /** A text, an entry or a content; messages have at most 4 MiB, and a transition may write down several. */
  bytesPerValue: 64 * 1024 * 1024,
  /** Everything in a batch. It lies in one piece of memory on its way to where it is written. */
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

/** How much a read hands over at once when it goes through everything. */
export const pageSizes = {
  /** Open pipelines whose journals are read together, unless their texts fill a page sooner. */
  journals: 64,
  journalBytes: 8 * 1024 * 1024,
  fleetRows: 1000,
  /** Audit entries that are compared at once when they are wanted in another order than that of their sequence. */
  auditHeads: 10_000,
} as const;

/** How many audit entries share a row at most. One entry may be larger than that, and is alone then. */
export const blockLimits = {
  entries: 64,
  bytes: 64 * 1024,
} as const;

/** How much is done in one step when what is old is removed: less than what a batch takes. */
export const pruneLimits = {
  /** Rows of a table that are removed, unless their bytes are enough sooner. */
  rows: 100,
  bytes: 1024 * 1024,
  /** Rows whose sizes are read. */
  measured: 1000,
  /** Tenants that are looked at. */
  tenants: 50,
} as const;

/** The memory that batches are packed into on their way to the thread that writes them. */
export const packingSizes = {
  /** What it begins with; most batches of a busy hub are smaller. */
  usual: 512 * 1024,
  /** More is given back after the batch that needed it. */
  mostKept: 8 * 1024 * 1024,
} as const;

/** When a batch is written by the thread of the hub itself: when it is small, and batches come one by one. */
export const loneLimits = {
  /** So many have come one by one before, or each change of the thread would begin without what the other remembers. */
  after: 8,
  bytes: 64 * 1024,
  /** What took longer than this is slow, and what took that long is once too often. */
  slowMs: 2,
  tooLongMs: 50,
  /** When more than one in five is slow for a while, so many are handed over. */
  afterSlow: 1_000,
  /** It waits for no lock and moves no log, and few pages are enough for one pipeline at a time. */
  room: { busyTimeoutMs: 0, checkpointPages: 0, cacheKib: 16 * 1024 },
} as const;

/** How much of a store is looked at when it is opened, and how the rest is looked at beside the hub. */
export const checkLimits = {
  /** Up to this size everything is looked at before the store is used: a fraction of a second. */
  wholeBytes: 16 * 1024 * 1024,
  /** Of a larger store, the newest rows of every table. */
  newestRows: 64,
  /** Rows that are read in one go beside the hub, unless their bytes are enough sooner. A read holds up the log. */
  rowsAtOnce: 256,
  bytesAtOnce: 4 * 1024 * 1024,
  /** A hub that has just started has other things to do. */
  waitMs: 1_000,
  /** Beside the hub, so many times as long as looking took, nothing is done. */
  restsPerLook: 4,
  /** A report does not grow with the damage. */
  faults: 100,
} as const;
