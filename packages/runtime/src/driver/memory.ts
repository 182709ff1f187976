import type { TenantHead } from "../ports/store.ts";
import { Books } from "./books.ts";
import { Fleets } from "./fleets.ts";
import type { Kernel } from "./kernel.ts";
import { Pipelines } from "./pipelines.ts";
import type { Recovered } from "./recover.ts";
import type { DriverSettings } from "./settings.ts";
import type { Timers } from "./timers.ts";
import { Waiters } from "./waiters.ts";

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

export interface MemoryParts {
  readonly settings: DriverSettings;
  readonly kernel: Kernel;
  readonly uuid: () => string;
  readonly timers: Timers;
  readonly heads: readonly TenantHead[];
}

/** Knows nothing yet but where the sequences of the tenants end. */
export function freshMemory({ settings, kernel, uuid, timers, heads }: MemoryParts): Memory {
  const { endedKept } = settings.limits;
  return {
    pipelines: new Pipelines(endedKept),
    durable: new Pipelines(endedKept),
    fleets: new Fleets(settings, uuid, kernel),
    waiters: new Waiters(),
    books: new Books(settings.filter, settings.digest, heads),
    lastEvents: new Map(heads.map(({ tenantId, eventSequence }) => [tenantId, eventSequence])),
    timers,
    woken: new Set(),
    nextCommandId: 1,
  };
}

/** Takes in what is stored of pipelines and fleets. */
export function remember(memory: Memory, { fleet, states }: Recovered, nowMs: number): void {
  for (const row of fleet) memory.fleets.replay(row);
  for (const state of states) {
    memory.pipelines.set(state);
    memory.durable.set(state);
    memory.waiters.update(state);
    memory.fleets.recover(state, nowMs);
  }
}
