import type { Batch } from "../ports/store.ts";

/**
 * What has changed, without what it is now: a page that shows it reads it again. No event and not kept, since whoever missed
 * one reads everything anyway when it comes back.
 */
export interface Stir {
  /** Pipelines of which something was stored, whether a stage moved or not. */
  readonly pipelines: readonly string[];
  /** Whether a question came up or was answered. */
  readonly inbox: boolean;
  /** Whether agents came, went, or are another way than they were. */
  readonly fleet: boolean;
}

type Listener = (stir: Stir) => void;

/** Tells those who listen what was stored. Costs nothing while nobody does. */
export class Stirs {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** Gives the way to stop. */
  listen(tenantId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(tenantId) ?? new Set();
    this.#listeners.set(tenantId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(tenantId) === listeners)
        this.#listeners.delete(tenantId);
    };
  }

  publish({ transitions }: Batch, fleets: ReadonlySet<string>): void {
    for (const [tenantId, listeners] of this.#listeners) {
      const own = transitions.filter(({ row }) => row.tenantId === tenantId);
      const fleet = fleets.has(tenantId);
      if (own.length === 0 && !fleet) continue;
      const inbox = own.some(({ escalations }) => escalations.length > 0);
      const stir = { pipelines: own.map(({ pipelineId }) => pipelineId), inbox, fleet };
      for (const listener of [...listeners]) listener(stir);
    }
  }
}
