import { type HubAuditEvent, keyRefused } from "@baton/runtime";

/** Adds an entry to the audit records of tenants. */
export type RecordEvent = (tenants: readonly string[], event: HubAuditEvent) => Promise<void>;

/** The interval at which repeated refusals are recorded. */
export const refusedKeysMs = 10 * 60_000;

/**
 * Records refused keys. The first refusal of a key for a reason is recorded at once, later ones are counted and recorded as
 * one entry every ten minutes: a caller that tries keys in a loop adds six entries an hour, not millions.
 */
export class RefusedKeys {
  readonly #record: RecordEvent;
  readonly #onProblem: (error: unknown) => void;
  readonly #counts = new Map<
    string,
    { tenants: readonly string[]; keyId: string; reason: string; calls: number }
  >();
  readonly #timer: NodeJS.Timeout;

  constructor(record: RecordEvent, onProblem: (error: unknown) => void, intervalMs = refusedKeysMs) {
    this.#record = record;
    this.#onProblem = onProblem;
    this.#timer = setInterval(() => this.flush(), intervalMs).unref();
  }

  /** The id is that of a known key, or empty, so that callers cannot invent ids. */
  note(tenants: readonly string[], keyId: string, reason: string): void {
    const kind = JSON.stringify([tenants, keyId, reason]);
    const counted = this.#counts.get(kind);
    if (counted) {
      counted.calls++;
      return;
    }
    this.#counts.set(kind, { tenants, keyId, reason, calls: 0 });
    this.#write(tenants, keyId, reason, 1);
  }

  /** Records the counts; a refusal that did not repeat is forgotten. */
  flush(): void {
    for (const [kind, { tenants, keyId, reason, calls }] of this.#counts) {
      this.#counts.delete(kind);
      if (calls === 0) continue;
      this.#counts.set(kind, { tenants, keyId, reason, calls: 0 });
      this.#write(tenants, keyId, reason, calls);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.flush();
  }

  #write(tenants: readonly string[], keyId: string, reason: string, calls: number): void {
    this.#record(tenants, keyRefused(keyId, reason, calls)).catch(this.#onProblem);
  }
}
