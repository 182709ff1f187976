import type { Books } from "./books.ts";
import type { Fleets } from "./fleets.ts";
import type { Pipelines } from "./pipelines.ts";
import type { Timers } from "./timers.ts";
import type { Waiters } from "./waiters.ts";

/** What the driver knows; all of it can be had again from the store and from those who are connected. */
export interface Memory {
  /** As decided. */
  readonly pipelines: Pipelines;
  /** As stored: what those who ask are shown. */
  readonly durable: Pipelines;
  readonly fleets: Fleets;
  readonly waiters: Waiters;
  readonly books: Books;
  /** By tenant, as stored. */
  readonly lastEvents: Map<string, bigint>;
  readonly timers: Timers;
  /** Pipelines whose waking is in the queue already. */
  readonly woken: Set<string>;
  nextCommandId: number;
}
