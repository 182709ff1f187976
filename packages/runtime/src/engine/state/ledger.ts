import { type AuditEntry, AuditEventType } from "@baton/contract";
import {
  type ChainedHash,
  type Chainer,
  type ChainHead,
  createChainer,
  type Digest,
  emptyChain,
  type RedactionLocation,
  type Redactor,
} from "@baton/kernel";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type UnstoredEvent, writeEvents } from "../../events/stored-events.ts";
import type { AuditRow, EventRow, TenantHead } from "../../ports/store.ts";
import type { EgressFilter } from "../../redaction/egress-filter.ts";

/** Built for the redactor in force, and again when it changes. */
interface Prepared {
  readonly redactor: Redactor;
  readonly chain: Chainer;
  /** Redacts the ids of stages and attempts. */
  readonly name: RedactionLocation;
}

/** The heads of every tenant: of its audit chain, and of its events. */
export class Ledger {
  readonly #chains = new Map<string, ChainHead>();
  readonly #events = new Map<string, bigint>();
  readonly #filter: EgressFilter;
  readonly #digest: Digest;
  #prepared: Prepared | undefined;

  constructor(filter: EgressFilter, digest: Digest, heads: readonly TenantHead[]) {
    this.#filter = filter;
    this.#digest = digest;
    for (const { tenantId, auditSequence, auditHash, eventSequence } of heads) {
      this.#chains.set(tenantId, { tenantId, sequence: auditSequence, entryHash: auditHash });
      this.#events.set(tenantId, eventSequence);
    }
  }

  chain(tenantId: string, entries: readonly AuditEntry[]): readonly AuditRow[] {
    // Secrets are redacted before hashing. An entry that cannot be redacted fails the input (A §5.3).
    if (entries.length === 0) return [];
    const before = this.#chains.get(tenantId) ?? emptyChain(tenantId);
    const { entries: hashes, head } = this.#filter.guard("audit", () => {
      entries.forEach(unchain);
      return this.#prepare().chain(before, entries);
    });
    this.#chains.set(tenantId, head);
    return entries.map((entry, index) => auditRow(entry, hashes[index] as ChainedHash));
  }

  /** Numbers events without a gap. */
  number(tenantId: string, events: readonly UnstoredEvent[], nowMs: number): EventRow | undefined {
    if (events.length === 0) return undefined;
    const last = this.#events.get(tenantId) ?? 0n;
    const lastSequence = last + BigInt(events.length);
    this.#events.set(tenantId, lastSequence);
    return { tenantId, firstSequence: last + 1n, lastSequence, atMs: nowMs, events: this.#write(events) };
  }

  /** Ids of stages may contain secrets. Reports of agents were redacted when they arrived. */
  #write(events: readonly UnstoredEvent[]): Uint8Array {
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
    if (this.#prepared?.redactor !== redactor) {
      const chain = createChainer(this.#filter.at("audit"), this.#digest);
      const name = this.#filter.at("event").locate("EventRecord").enter("stage_id");
      this.#prepared = { redactor, chain, name };
    }
    return this.#prepared;
  }
}

/** A repeated attempt finds the sequence and hash that the chainer has set in the entries. */
function unchain(entry: AuditEntry): void {
  if (entry.sequence === 0n) return;
  entry.sequence = 0n;
  delete entry.previousHash;
}

function auditRow(entry: AuditEntry, { sequence, hash, bytes }: ChainedHash): AuditRow {
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
