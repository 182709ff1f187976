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
  /** Set when the tenant was stopped or started. */
  readonly tenant?: true;
}

type Listener = (stir: Stir) => void;

const halts = new Set(["TENANT_STOPPED", "TENANT_STARTED"]);

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

  publish({ transitions, audit }: Batch, fleets: ReadonlySet<string>): void {
    for (const [tenantId, listeners] of this.#listeners) {
      const own = transitions.filter(({ row }) => row.tenantId === tenantId);
      const fleet = fleets.has(tenantId);
      const tenant = audit.some((row) => row.tenantId === tenantId && halts.has(row.eventType));
      if (own.length === 0 && !fleet && !tenant) continue;
      const inbox = own.some(({ escalations }) => escalations.length > 0);
      const pipelines = own.map(({ pipelineId }) => pipelineId);
      const stir: Stir = { pipelines, inbox, fleet, ...(tenant && { tenant }) };
      for (const listener of [...listeners]) listener(stir);
    }
  }
}
