import type { TenantHead } from "../ports/store.ts";
import type { Kernel } from "./kernel.ts";
import type { Recovered } from "./recover.ts";
import type { EngineSettings } from "./settings.ts";
import { Fleets } from "./state/fleets.ts";
import { Learnt } from "./state/learnt.ts";
import { Ledger } from "./state/ledger.ts";
import { Outcomes } from "./state/outcomes.ts";
import { Pipelines } from "./state/pipelines.ts";
import { TenantSpending } from "./state/tenant-spending.ts";
import type { Timers } from "./state/timers.ts";
import { Waiters } from "./state/waiters.ts";

/** The state of the engine. The store and the connected agents can restore all of it. */
export interface Memory {
  /** As decided; possibly not durable yet. */
  readonly pipelines: Pipelines;
  /** As stored: what reads return. */
  readonly durable: Pipelines;
  readonly fleets: Fleets;
  readonly waiters: Waiters;
  readonly ledger: Ledger;
  /** Sequence of the last durable event, by tenant. */
  readonly lastEvents: Map<string, bigint>;
  readonly spending: TenantSpending;
  readonly outcomes: Outcomes;
  readonly learnt: Learnt;
  readonly timers: Timers;
  /** Pipelines with a wake input in the queue. */
  readonly woken: Set<string>;
  nextCommandId: number;
}

export interface MemoryParts {
  readonly settings: EngineSettings;
  readonly kernel: Kernel;
  readonly uuid: () => string;
  readonly timers: Timers;
  readonly heads: readonly TenantHead[];
}

/** Empty, except for the ends of the tenants' sequences. */
export function freshMemory({ settings, kernel, uuid, timers, heads }: MemoryParts): Memory {
  const { endedKept } = settings.limits;
  return {
    pipelines: new Pipelines(endedKept),
    durable: new Pipelines(endedKept),
    fleets: new Fleets(settings, uuid, kernel),
    waiters: new Waiters(),
    ledger: new Ledger(settings.filter, settings.digest, heads),
    lastEvents: new Map(heads.map(({ tenantId, eventSequence }) => [tenantId, eventSequence])),
    spending: new TenantSpending(),
    outcomes: new Outcomes(),
    learnt: new Learnt(),
    timers,
    woken: new Set(),
    nextCommandId: 1,
  };
}

/** Adds the stored pipelines and fleets. */
export function remember(memory: Memory, { fleet, states, spent }: Recovered, nowMs: number): void {
  memory.spending.load(spent, nowMs);
  for (const row of fleet) memory.fleets.replay(row);
  for (const state of states) {
    memory.pipelines.set(state);
    memory.durable.set(state);
    memory.waiters.update(state);
    memory.spending.update(state);
    memory.outcomes.update(state);
    memory.fleets.recover(state, nowMs);
  }
}
