import { type AuditEntry, AuditEventType } from "@baton/contract";
import {
  type ChainHead,
  createSealer,
  type Digest,
  emptyChain,
  type RedactionPlace,
  type Redactor,
  type Sealed,
  type Sealer,
} from "@baton/kernel";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type LooseEvent, writeEvents } from "../events/stored-events.ts";
import type { Filter } from "../filter/filter.ts";
import type { AuditRow, EventRow, TenantHead } from "../ports/store.ts";

/** What is made of the redactor that is in force, and made anew when another one is. */
interface Prepared {
  readonly by: Redactor;
  readonly seal: Sealer;
  /** How the name of a stage or an attempt leaves. */
  readonly name: RedactionPlace;
}

/** What every tenant has of its own: the chain of its audit entries and the count of its events. */
export class Books {
  readonly #chains = new Map<string, ChainHead>();
  readonly #events = new Map<string, bigint>();
  readonly #filter: Filter;
  readonly #digest: Digest;
  #prepared: Prepared | undefined;

  constructor(filter: Filter, digest: Digest, heads: readonly TenantHead[]) {
    this.#filter = filter;
    this.#digest = digest;
    for (const { tenantId, auditSequence, auditHash, eventSequence } of heads) {
      this.#chains.set(tenantId, { tenantId, sequence: auditSequence, entryHash: auditHash });
      this.#events.set(tenantId, eventSequence);
    }
  }

  chain(tenantId: string, entries: readonly AuditEntry[]): readonly AuditRow[] {
    // Secrets go before the hash; what cannot be redacted is not sealed, and what it tells of does not happen (A §5.3).
    if (entries.length === 0) return [];
    const before = this.#chains.get(tenantId) ?? emptyChain(tenantId);
    const { sealed, head } = this.#filter.guard("audit", () => {
      entries.forEach(unplace);
      return this.#prepare().seal(before, entries);
    });
    this.#chains.set(tenantId, head);
    return entries.map((entry, place) => auditRow(entry, sealed[place] as Sealed));
  }

  /** Numbers events without a gap. */
  number(tenantId: string, events: readonly LooseEvent[], nowMs: number): EventRow | undefined {
    if (events.length === 0) return undefined;
    const last = this.#events.get(tenantId) ?? 0n;
    const lastSequence = last + BigInt(events.length);
    this.#events.set(tenantId, lastSequence);
    return { tenantId, firstSequence: last + 1n, lastSequence, atMs: nowMs, events: this.#write(events) };
  }

  /** Somebody may have called a stage by a secret. What agents told was filtered when it came in. */
  #write(events: readonly LooseEvent[]): Uint8Array {
    const { name } = this.#prepare();
    return this.#filter.guard("event", () =>
      writeEvents(
        events.map((event) => {
          const [stageId, dispatchId] = [name.redact(event.stageId), name.redact(event.dispatchId)];
          const isSame = stageId === event.stageId && dispatchId === event.dispatchId;
          return isSame ? event : { ...event, stageId, dispatchId };
        }),
      ),
    );
  }

  #prepare(): Prepared {
    const { redactor } = this.#filter;
    if (this.#prepared?.by !== redactor) {
      const seal = createSealer(this.#filter.at("audit"), this.#digest);
      const name = this.#filter.at("event").place("EventRecord").enter("stage_id");
      this.#prepared = { by: redactor, seal, name };
    }
    return this.#prepared;
  }
}

/** What took too long is done again, and the sealer has written places into the entries by then. */
function unplace(entry: AuditEntry): void {
  if (entry.sequence === 0n) return;
  entry.sequence = 0n;
  delete entry.previousHash;
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
