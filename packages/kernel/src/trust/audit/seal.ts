import type { AuditEntry } from "@baton/contract/messages";
import type { Redactor } from "../redaction/redactor.ts";
import { BackwardWriter } from "./backward-writer.ts";
import { redactedEntryWriter } from "./canonical.ts";
import { type ChainHead, refuseMisplaced } from "./chain.ts";
import type { Digest } from "./digest.ts";
import { entryPrefix } from "./prefixes.ts";

/** An entry with its place, ready to be stored. */
export interface Sealed {
  readonly sequence: bigint;
  readonly hash: Uint8Array;
  /** The entry in protobuf's binary form, without what must not be in it. It shares its memory with others. */
  readonly bytes: Uint8Array;
}

export interface SealedEntries {
  /** In the order of the entries. */
  readonly sealed: readonly Sealed[];
  readonly head: ChainHead;
}

export type Sealer = (head: ChainHead, entries: readonly AuditEntry[]) => SealedEntries;

/** Where an entry stands in what the sealer writes. */
interface Place {
  readonly sequence: bigint;
  readonly hash: Uint8Array;
  /** How many bytes were written before, and so stand behind the entry. */
  readonly behind: number;
  readonly length: number;
}

const hashLength = 32;

/** `entry_hash`, the last field of an entry, with room for the hash: number 25, delimited, its length. */
const emptyHash = Uint8Array.of(0xca, 0x01, hashLength, ...new Uint8Array(hashLength));

/**
 * Redacts, chains and writes entries in one go: what `redactMessage`, `chainEntries` and protobuf do one after another. It
 * is on the way of every decision, so the entries are not copied: they belong to the sealer from then on, which writes
 * their places into them. Secrets go before the hash: what is chained stays for ever.
 *
 * An entry is written once, since its canonical form and its binary form share their bytes: the prefix stands before
 * them only while they are hashed, and the hash is filled in behind them. Entries share pieces of memory.
 */
export function createSealer(redactor: Redactor, digest: Digest): Sealer {
  const writer = new BackwardWriter();
  const writeEntry = redactedEntryWriter(writer, redactor);
  return (head, entries) => {
    writer.leave();
    const places: Place[] = [];
    let last = head;
    for (const entry of entries) {
      refuseMisplaced(head, entry);
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
      places.push({ sequence, hash, behind, length: writer.length - behind });
      last = { tenantId: head.tenantId, sequence, entryHash: hash };
    }
    const sealed = places.map(({ sequence, hash, behind, length }) => ({
      sequence,
      hash,
      bytes: writer.view(length, behind),
    }));
    return { sealed, head: last };
  };
}
