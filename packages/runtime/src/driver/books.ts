import { type AuditEntry, AuditEventType } from "@baton/contract";
import {
  type ChainHead,
  createSealer,
  type Digest,
  emptyChain,
  type Redactor,
  type Sealed,
  type Sealer,
} from "@baton/kernel";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type LooseEvent, writeEvents } from "../events/stored-events.ts";
import type { AuditRow, EventRow, TenantHead } from "../ports/store.ts";

/** What every tenant has of its own: the chain of its audit entries and the count of its events. */
export class Books {
  readonly #chains = new Map<string, ChainHead>();
  readonly #events = new Map<string, bigint>();
  readonly #seal: Sealer;

  constructor(redactor: Redactor, digest: Digest, heads: readonly TenantHead[]) {
    this.#seal = createSealer(redactor, digest);
    for (const { tenantId, auditSequence, auditHash, eventSequence } of heads) {
      this.#chains.set(tenantId, { tenantId, sequence: auditSequence, entryHash: auditHash });
      this.#events.set(tenantId, eventSequence);
    }
  }

  chain(tenantId: string, entries: readonly AuditEntry[]): readonly AuditRow[] {
    const { sealed, head } = this.#seal(this.#chains.get(tenantId) ?? emptyChain(tenantId), entries);
    this.#chains.set(tenantId, head);
    return entries.map((entry, place) => auditRow(entry, sealed[place] as Sealed));
  }

  /** Numbers events without a gap. */
  number(tenantId: string, events: readonly LooseEvent[], nowMs: number): EventRow | undefined {
    if (events.length === 0) return undefined;
    const last = this.#events.get(tenantId) ?? 0n;
    const lastSequence = last + BigInt(events.length);
    this.#events.set(tenantId, lastSequence);
    return { tenantId, firstSequence: last + 1n, lastSequence, atMs: nowMs, events: writeEvents(events) };
  }
}

function auditRow(entry: AuditEntry, { sequence, hash, bytes }: Sealed): AuditRow {
  const { tenantId, auditId, pipelineId, eventType, timestamp } = entry;
  if (!timestamp) throw new TypeError("an entry has a time");
  return {
    tenantId,
    sequence,
    auditId,
    pipelineId,
    eventType: AuditEventType[eventType] ?? "UNSPECIFIED",
    atMs: timestampMs(timestamp),
    hash,
    entry: bytes,
  };
}
