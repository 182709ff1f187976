/** Signs states of records and tracks how far each is signed. */
import { type AuditCheckpoint, AuditCheckpointSchema } from "@baton/contract";
import {
  checkpointBytes,
  keyIdOf,
  makeCheckpoint,
  root,
  trustKeys,
  type VerifySignature,
} from "@baton/kernel";
import { toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { KeyedQueue } from "../lib/keyed-queue.ts";
import type { Store } from "../ports/store.ts";
import type { AuditWorker } from "./audit-worker.ts";
import type { Growth } from "./jobs.ts";
import { readCheckpoint } from "./read-checkpoints.ts";
import { checkSignature, type SigningKey, sha256 } from "./signing-key.ts";
import { joinPeaks, splitPeaks } from "./tree.ts";
import { emptyReached, type Reached, RecordDamaged } from "./walk-record.ts";

/** Maximum entries per signature, so that progress is saved when the hub stops. */
const entriesPerSignature = 50_000;

export interface Signed {
  readonly reached: Reached;
  readonly checkpoint: AuditCheckpoint | undefined;
}

export interface CheckpointSignerParts {
  readonly store: Store;
  readonly auditWorker: AuditWorker;
  readonly key: SigningKey;
  readonly nowMs: () => number;
  readonly onProblem: (problem: Error) => void;
  /** Called before a signature is stored. */
  readonly beforeSigning: () => Promise<void>;
  readonly onSigned: (checkpoint: AuditCheckpoint) => void;
}

export class CheckpointSigner {
  readonly #parts: CheckpointSignerParts;
  readonly #signed = new Map<string, Signed>();
  readonly #queue = new KeyedQueue();

  constructor(parts: CheckpointSignerParts) {
    this.#parts = parts;
  }

  /** The last signed sequence. */
  reached(tenantId: string): bigint {
    return this.#signed.get(tenantId)?.reached.head.sequence ?? 0n;
  }

  /** Signs everything stored before the call; undefined for an empty record. Throws `RecordDamaged`. */
  async sign(tenantId: string): Promise<AuditCheckpoint | undefined> {
    for (;;) {
      const { checkpoint, more } = await this.signSome(tenantId);
      if (!more) return checkpoint;
    }
  }

  /** Signs up to one batch of entries. Serialised per tenant, because calls would grow the same tree. */
  signSome(tenantId: string): Promise<{ checkpoint: AuditCheckpoint | undefined; more: boolean }> {
    return this.#queue.run(tenantId, async () => {
      try {
        const last = this.#signed.get(tenantId) ?? (await this.#load(tenantId));
        const growth = await this.#parts.auditWorker.grow(last.reached, entriesPerSignature);
        const { checkpoint } = await this.#extend(last, growth);
        return { checkpoint, more: growth.more };
      } catch (error) {
        this.#signed.delete(tenantId);
        throw error;
      }
    });
  }

  async #extend(last: Signed, growth: Growth): Promise<Signed> {
    const { head, frontier, nodes, fault } = growth;
    if (fault) throw new RecordDamaged(head.tenantId, fault);
    if (head.sequence === last.reached.head.sequence) {
      this.#signed.set(head.tenantId, last);
      return last;
    }
    const { key, store, nowMs, beforeSigning } = this.#parts;
    await beforeSigning();
    const issue = { issuedAt: timestampFromMs(nowMs()), keyId: key.keyId };
    const unsigned = makeCheckpoint(head, frontier, issue, sha256);
    const checkpoint = { ...unsigned, signature: key.sign(checkpointBytes(unsigned)) };
    const { tenantId, sequence } = head;
    const bytes = toBinary(AuditCheckpointSchema, checkpoint);
    const row = { tenantId, sequence, checkpoint: bytes, publicKey: key.publicKey };
    await store.keepCheckpoint({ ...row, peaks: joinPeaks(frontier) }, nodes);
    const signed = { reached: { head, frontier }, checkpoint };
    this.#signed.set(tenantId, signed);
    this.#parts.onSigned(checkpoint);
    return signed;
  }

  /** Loads the stored checkpoint, after verifying its signature and that the record leads to it. */
  async #load(tenantId: string): Promise<Signed> {
    const { store, key, onProblem } = this.#parts;
    const row = await store.lastCheckpoint(tenantId);
    if (row === undefined) return { reached: emptyReached(tenantId), checkpoint: undefined };
    const { sequence } = row;
    const checkpoint = readCheckpoint(row);
    const frontier = splitPeaks(sequence, row.peaks);
    const keyId = keyIdOf(row.publicKey, sha256);
    const believe = trustKeys(new Map([[keyId, row.publicKey]]), checkSignature);
    const [entry] = await store.auditRecord(tenantId, sequence - 1n, 1);
    if (entry === undefined) {
      const problem = `the record ends before entry ${sequence}, which a checkpoint covers`;
      throw new RecordDamaged(tenantId, { kind: "cut", sequence, problem });
    }
    if (
      checkpoint === undefined ||
      !isSigned(checkpoint, believe) ||
      !isSame(checkpoint.rootHash, root(frontier, sha256))
    ) {
      const problem = `the checkpoint at ${sequence} has no valid signature`;
      throw new RecordDamaged(tenantId, { kind: "checkpoint-forged", sequence, problem });
    }
    if (!isSame(checkpoint.entryHash, entry.hash)) {
      const problem = `the record does not lead to its checkpoint at ${sequence}`;
      throw new RecordDamaged(tenantId, { kind: "checkpoint-mismatch", sequence, problem });
    }
    if (keyId !== key.keyId) {
      const message = `the record of "${tenantId}" was signed with ${keyId} up to entry ${sequence}, and is signed with ${key.keyId} from now on`;
      onProblem(new Error(message));
    }
    return { reached: { head: { tenantId, sequence, entryHash: entry.hash }, frontier }, checkpoint };
  }
}

function isSigned(checkpoint: AuditCheckpoint, believe: VerifySignature): boolean {
  return believe(checkpointBytes(checkpoint), checkpoint.signature, checkpoint.keyId);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
