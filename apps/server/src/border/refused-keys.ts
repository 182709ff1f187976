import { type HubAuditEvent, keyRefused } from "@baton/runtime";

/** Writes an entry into the records of tenants. */
export type RecordEvent = (tenants: readonly string[], event: HubAuditEvent) => Promise<void>;

/** After the first refusal of a kind, how often more of them are recorded. */
export const refusedKeysMs = 10 * 60_000;

/**
 * Puts refused keys on record. The first refusal of a key for a reason is written at once; those that follow are counted, and
 * written as one entry every ten minutes: a caller that tries keys in a loop writes six entries an hour, not millions.
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

  /** The id comes from a key that is known, or is empty: nobody can make up many of them. */
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

  /** Writes what was counted; what was not refused again since begins anew. */
  flush(): void {
    for (const [kind, { tenants, keyId, reason, calls }] of this.#counts) {
      this.#counts.delete(kind);
      if (calls === 0) continue;
      this.#counts.set(kind, { tenants, keyId, reason, calls: 0 });
      this.#write(tenants, keyId, reason, calls);
    }
  }

  /** Writes the rest, and nothing more. */
  close(): void {
    clearInterval(this.#timer);
    this.flush();
  }

  #write(tenants: readonly string[], keyId: string, reason: string, calls: number): void {
    this.#record(tenants, keyRefused(keyId, reason, calls)).catch(this.#onProblem);
  }
}
