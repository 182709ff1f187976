import type { AuditEntry } from "@baton/contract/messages";
import type { Redactor } from "../redaction/redactor.ts";
import { BackwardWriter } from "./canonical/backward-writer.ts";
import { redactedEntryWriter } from "./canonical/canonical.ts";
import { entryPrefix } from "./canonical/prefixes.ts";
import { type ChainHead, requireUnchained } from "./chain.ts";
import type { Digest } from "./digest.ts";

/** An entry with its position, ready to be stored. */
export interface ChainedHash {
  readonly sequence: bigint;
  readonly hash: Uint8Array;
  /** The redacted entry in protobuf's binary form. Entries share memory. */
  readonly bytes: Uint8Array;
}

interface ChainedEntries {
  /** In the order of the entries. */
  readonly entries: readonly ChainedHash[];
  readonly head: ChainHead;
}

export type Chainer = (head: ChainHead, entries: readonly AuditEntry[]) => ChainedEntries;

/** The position of an entry in the writer. */
interface EntryPosition {
  readonly sequence: bigint;
  readonly hash: Uint8Array;
  /** Bytes written before the entry, which follow it in memory. */
  readonly behind: number;
  readonly length: number;
}

const hashLength = 32;

/** `entry_hash`, the last field of an entry, with room for the hash: number 25, delimited, its length. */
const emptyHash = Uint8Array.of(0xca, 0x01, hashLength, ...new Uint8Array(hashLength));

/**
 * Redacts, chains and writes entries in one pass; equal to `redactMessage`, `chainEntries` and protobuf in sequence.
 * It is on the hot path of every decision, so it takes ownership of the entries and writes sequence and hash into them.
 * Redaction comes before the hash, because chained content cannot be removed.
 *
 * An entry is written once: its canonical and its binary form share their bytes. The prefix precedes them only while they
 * are hashed, and the hash is filled in after them.
 */
export function createChainer(redactor: Redactor, digest: Digest): Chainer {
  const writer = new BackwardWriter();
  const writeEntry = redactedEntryWriter(writer, redactor);
  return (head, entries) => {
    writer.leave();
    const positions: EntryPosition[] = [];
    let last = head;
    for (const entry of entries) {
      requireUnchained(head, entry);
      const sequence = last.sequence + 1n;
      entry.sequence = sequence;
      if (last.entryHash !== undefined) entry.previousHash = last.entryHash;
      const behind = writer.length;
      writer.raw(emptyHash);
      const hashed = writer.length;
      writeEntry(entry);
      writer.raw(entryPrefix);
      const hash = digest(writer.peek(writer.length - hashed));
      if (hash.length !== hashLength)
        throw new RangeError(`a hash has ${hashLength} bytes, not ${hash.length}`);
      writer.drop(entryPrefix.length);
      writer.fill(behind, hash);
      positions.push({ sequence, hash, behind, length: writer.length - behind });
      last = { tenantId: head.tenantId, sequence, entryHash: hash };
    }
    const chained = positions.map(({ sequence, hash, behind, length }) => ({
      sequence,
      hash,
      bytes: writer.view(length, behind),
    }));
    return { entries: chained, head: last };
  };
}
