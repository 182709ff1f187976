import type { Store } from "../ports/store.ts";
import { isSigned, keyOf, readMissing, readNewestHeads, type SignedHead } from "./head-file.ts";
import type { RecordFault } from "./walk-record.ts";

export interface HeadFault extends RecordFault {
  readonly tenantId: string;
}

/** Whether the record still has the entries that heads vouch for. A key that is not trusted vouches for nothing. */
export async function checkHeads(
  store: Pick<Store, "auditRecord">,
  heads: readonly SignedHead[],
  trusted: readonly string[] | undefined,
): Promise<HeadFault | undefined> {
  let worst: HeadFault | undefined;
  for (const signed of heads) {
    const { head, file } = signed;
    const { tenantId, sequence, entryHash } = head;
    if (!isSigned(signed) || (trusted !== undefined && !trusted.includes(keyOf(signed)))) {
      const problem = `${file} says that the record ended at entry ${sequence}, and is not signed by the hub's key`;
      worst = firstOf(worst, { tenantId, kind: "checkpoint-forged", sequence, problem });
      continue;
    }
    const [entry] = await store.auditRecord(tenantId, sequence - 1n, 1);
    if (entry?.sequence !== sequence) {
      const [last] = sequence > 1n ? await lastBefore(store, tenantId, sequence) : [];
      const first = (last?.sequence ?? 0n) + 1n;
      const problem = `the record ends before entry ${sequence}, which ${file} says it had reached`;
      worst = firstOf(worst, { tenantId, kind: "cut", sequence: first, problem });
    } else if (Buffer.compare(entry.hash, entryHash) !== 0) {
      const problem = `entry ${sequence} is not the one that ${file} vouches for: the record was written anew`;
      worst = firstOf(worst, { tenantId, kind: "checkpoint-mismatch", sequence, problem });
    }
  }
  return worst;
}

/**
 * Whether `audit.head` is there and as new as the last signature: it is written before each. A folder also remembers when
 * a hub found none at its start.
 */
export async function checkNote(
  store: Pick<Store, "lastCheckpoint">,
  directory: string,
  tenantId: string,
): Promise<HeadFault | undefined> {
  // The signature first: the note may be replaced by a newer one meanwhile, but never by an older one.
  const signed = await store.lastCheckpoint(tenantId);
  const noted = readNewestHeads(directory).find(({ head }) => head.tenantId === tenantId);
  const fault = (sequence: bigint, problem: string): HeadFault => ({
    ...{ tenantId, kind: "head-missing", sequence, problem },
  });
  if (signed !== undefined && noted === undefined) {
    return fault(
      signed.sequence,
      `entry ${signed.sequence} is signed, and audit.head does not name the record`,
    );
  }
  if (signed !== undefined && noted !== undefined && noted.head.sequence < signed.sequence) {
    const { sequence } = noted.head;
    return fault(
      sequence + 1n,
      `audit.head is older than the record: it says ${sequence}, and entry ${signed.sequence} is signed`,
    );
  }
  const missed = readMissing(directory).find((one) => one.tenantId === tenantId);
  if (missed === undefined) return undefined;
  return fault(
    missed.sequence,
    `audit.head was missing or too old when a hub started, though entry ${missed.sequence} was signed; ${missed.file} says so until you remove it`,
  );
}

async function lastBefore(store: Pick<Store, "auditRecord">, tenantId: string, sequence: bigint) {
  // The record may end anywhere before it: halves are tried, since there may be a great many entries.
  let [low, high] = [0n, sequence - 1n];
  let found: Awaited<ReturnType<Store["auditRecord"]>> = [];
  while (low < high) {
    const middle = (low + high) / 2n;
    const rows = await store.auditRecord(tenantId, middle, 1);
    if (rows.length === 0) high = middle;
    else [low, found] = [rows[0]?.sequence ?? middle + 1n, rows];
  }
  return found;
}

function firstOf(one: HeadFault | undefined, other: HeadFault): HeadFault {
  return one && one.sequence <= other.sequence ? one : other;
}
