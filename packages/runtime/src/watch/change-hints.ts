import type { Batch } from "../ports/store.ts";

/**
 * What changed, without the new values: the page reads them again. It is not an event and not stored, because clients
 * that missed one read everything when they reconnect.
 */
export interface ChangeHint {
  /** Pipelines with new records, with or without a transition. */
  readonly pipelines: readonly string[];
  /** Whether an escalation was raised or answered. */
  readonly inbox: boolean;
  /** Whether agents connected, left or changed. */
  readonly fleet: boolean;
  /** Whether the tenant was stopped or started. */
  readonly tenant?: true;
}

type Listener = (changeHint: ChangeHint) => void;

const tenantEvents = new Set(["TENANT_STOPPED", "TENANT_STARTED"]);

/** Notifies listeners of stored changes. Without listeners it does nothing. */
export class ChangeHints {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** Returns the function that removes the listener. */
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
      const tenant = audit.some((row) => row.tenantId === tenantId && tenantEvents.has(row.eventType));
      if (own.length === 0 && !fleet && !tenant) continue;
      const inbox = own.some(({ escalations }) => escalations.length > 0);
      const pipelines = own.map(({ pipelineId }) => pipelineId);
      const changeHint: ChangeHint = { pipelines, inbox, fleet, ...(tenant && { tenant }) };
      for (const listener of [...listeners]) listener(changeHint);
    }
  }
}
