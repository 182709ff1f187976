import type { Store } from "../ports/store.ts";
import { isSigned, keyOf, readMissing, readNewestHeads, type SignedHead } from "./head-file.ts";
import type { RecordFault } from "./walk-record.ts";

export interface HeadFault extends RecordFault {
  readonly tenantId: string;
}

/** Verifies that the record has the entries of signed heads. Untrusted keys are findings. */
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
      const problem = `${file} names entry ${sequence} as the end of the record, and is not signed with the hub's key`;
      worst = firstOf(worst, { tenantId, kind: "checkpoint-forged", sequence, problem });
      continue;
    }
    const [entry] = await store.auditRecord(tenantId, sequence - 1n, 1);
    if (entry?.sequence !== sequence) {
      const [last] = sequence > 1n ? await lastBefore(store, tenantId, sequence) : [];
      const first = (last?.sequence ?? 0n) + 1n;
      const problem = `the record ends before entry ${sequence}, which ${file} names as its end`;
      worst = firstOf(worst, { tenantId, kind: "cut", sequence: first, problem });
    } else if (Buffer.compare(entry.hash, entryHash) !== 0) {
      const problem = `entry ${sequence} differs from the one in ${file}: the record was rewritten`;
      worst = firstOf(worst, { tenantId, kind: "checkpoint-mismatch", sequence, problem });
    }
  }
  return worst;
}

/**
 * Verifies that `audit.head` exists and is as new as the last signature, which is made after it. The folder also
 * remembers that a hub started without it.
 */
export async function checkHeadFile(
  store: Pick<Store, "lastCheckpoint">,
  directory: string,
  tenantId: string,
): Promise<HeadFault | undefined> {
  // Read before the note, which may be replaced by a newer but never by an older one.
  const signed = await store.lastCheckpoint(tenantId);
  const noted = readNewestHeads(directory).find(({ head }) => head.tenantId === tenantId);
  const fault = (sequence: bigint, problem: string): HeadFault => ({
    ...{ tenantId, kind: "head-missing", sequence, problem },
  });
  if (signed !== undefined && noted === undefined) {
    return fault(
      signed.sequence,
      `entry ${signed.sequence} is signed, but audit.head does not contain the record`,
    );
  }
  if (signed !== undefined && noted !== undefined && noted.head.sequence < signed.sequence) {
    const { sequence } = noted.head;
    return fault(
      sequence + 1n,
      `audit.head is outdated: it ends at ${sequence}, and entry ${signed.sequence} is signed`,
    );
  }
  const missed = readMissing(directory).find((a) => a.tenantId === tenantId);
  if (missed === undefined) return undefined;
  return fault(
    missed.sequence,
    `audit.head was missing or outdated when a hub started, although entry ${missed.sequence} was signed; remove ${missed.file} after you checked this`,
  );
}

async function lastBefore(store: Pick<Store, "auditRecord">, tenantId: string, sequence: bigint) {
  // Binary search, since there may be many entries.
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

function firstOf(a: HeadFault | undefined, b: HeadFault): HeadFault {
  return a && a.sequence <= b.sequence ? a : b;
}
