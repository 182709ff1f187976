import type { SQLOutputValue } from "node:sqlite";
import { bytes, integer, text } from "../format/columns.ts";
import { noKinds, withKind } from "../format/kinds.ts";
import { type AuditHead, unpackHeads } from "../format/unpack-audit.ts";
import { follows, judgeEntry } from "./judge-entry.ts";

interface Link {
  readonly sequence: number;
  readonly hash: Uint8Array;
}

/** Checks rows of audit entries in order, and keeps the head of the chain of each tenant. */
export class AuditJudge {
  readonly #last = new Map<number, Link>();

  /** The faults of a row, which is given with all columns. */
  judge(row: Record<string, SQLOutputValue>): string[] {
    const n = integer(row.n);
    const entries = bytes(row.entries);
    const heads = headsOf(row, entries.length);
    if (heads === undefined) return [`audit row ${n} does not have the entries that it says it has`];
    const tenant = integer(row.tenant);
    for (const { sequence, start, hashLength, entryLength } of heads) {
      const middle = start + hashLength;
      const hash = entries.subarray(start, middle);
      const entry = entries.subarray(middle, middle + entryLength);
      const judgement = judgeEntry(hash, entry);
      const previous = this.#last.get(tenant);
      this.#last.delete(tenant);
      if (judgement === "broken") return [`audit entry ${sequence} in row ${n} is not what its hash says`];
      if (judgement === "unknown") continue;
      const isNext = previous?.sequence === Number(sequence) - 1;
      if (isNext && !follows(entry, previous.hash)) {
        return [`audit entry ${sequence} in row ${n} does not carry the hash of the one before`];
      }
      this.#last.set(tenant, { sequence: Number(sequence), hash: Uint8Array.from(hash) });
    }
    return [];
  }
}

/** The directory, unless it does not match the entries. */
function headsOf(row: Record<string, SQLOutputValue>, length: number): AuditHead[] | undefined {
  try {
    const heads = unpackHeads({
      n: integer(row.n),
      tenantId: "",
      pipelineId: "",
      firstSequence: integer(row.first_sequence),
      lastSequence: integer(row.last_sequence),
      oldestMs: integer(row.oldest_ms),
      hasOwnIds: false,
      directory: text(row.directory),
    });
    const size = heads.reduce((sum, { hashLength, entryLength }) => sum + hashLength + entryLength, 0);
    const kinds = heads.reduce((sum, { eventType }) => withKind(sum, eventType), noKinds);
    const times = heads.map(({ atMs }) => atMs);
    const isAboutThem =
      size === length &&
      kinds === integer(row.kinds) &&
      Math.min(...times) === integer(row.oldest_ms) &&
      Math.max(...times) === integer(row.newest_ms);
    return isAboutThem ? heads : undefined;
  } catch {
    return undefined;
  }
}
