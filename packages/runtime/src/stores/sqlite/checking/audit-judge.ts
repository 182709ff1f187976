import type { SQLOutputValue } from "node:sqlite";
import { bytes, integer, text } from "../columns.ts";
import { noKinds, withKind } from "../kinds.ts";
import { type AuditHead, unpackHeads } from "../unpack-audit.ts";
import { follows, judgeEntry } from "./judge-entry.ts";

interface Link {
  readonly sequence: number;
  readonly hash: Uint8Array;
}

/** Judges rows of audit entries, in the order of their numbers, and remembers where the chain of every tenant is. */
export class AuditJudge {
  readonly #last = new Map<number, Link>();

  /** What is wrong with a row, all columns of it. */
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
      if (judgement === "not sealed") continue;
      const isNext = previous?.sequence === Number(sequence) - 1;
      if (isNext && !follows(entry, previous.hash)) {
        return [`audit entry ${sequence} in row ${n} does not carry the hash of the one before`];
      }
      this.#last.set(tenant, { sequence: Number(sequence), hash: Uint8Array.from(hash) });
    }
    return [];
  }
}

/** What the directory says, unless that is not about the entries. */
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
