import type { AuditEntry, Pipeline } from "@baton/contract";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Hub } from "../hub/connect-hub.ts";
import { all, quote } from "../hub/filter.ts";
import { readPages } from "../hub/read-pages.ts";
import { limits } from "../limits.ts";

/** What the hub has put on record about a pipeline after an entry that is known already. */
export async function readRecord(
  hub: Hub,
  { pipelineId }: Pipeline,
  after: bigint,
  signal: AbortSignal,
): Promise<readonly AuditEntry[]> {
  const filter = all(`pipeline_id = ${quote(pipelineId)}`, `sequence > ${after}`);
  return listEntries(hub, filter, signal);
}

export interface CheckedRecord {
  readonly entries: number;
  /** What was seen of it, in a few words. */
  readonly finding: string;
  readonly isGood: boolean;
}

/** Counts the whole record, and has it checked: by the hub where it can, else here, link by link. */
export async function checkRecord(hub: Hub, signal: AbortSignal): Promise<CheckedRecord> {
  const entries = await listEntries(hub, "", signal);
  try {
    const { valid, problem } = await hub.audit.verifyAudit({}, { signal });
    return { entries: entries.length, isGood: valid, finding: valid ? "the chain is verified" : problem };
  } catch (error) {
    if (!(error instanceof ConnectError && error.code === Code.Unimplemented)) throw error;
  }
  const broken = entries.find((entry, at) => !follows(entry, entries[at - 1]));
  return {
    entries: entries.length,
    isGood: broken === undefined,
    finding:
      broken === undefined
        ? "each holds the hash of the one before"
        : `entry ${broken.sequence} does not follow the one before`,
  };
}

function follows({ sequence, previousHash }: AuditEntry, before: AuditEntry | undefined): boolean {
  if (before === undefined) return sequence === 1n && previousHash === undefined;
  const { entryHash } = before;
  if (previousHash === undefined || entryHash === undefined) return false;
  return sequence === before.sequence + 1n && Buffer.from(previousHash).equals(entryHash);
}

async function listEntries(hub: Hub, filter: string, signal: AbortSignal): Promise<readonly AuditEntry[]> {
  const { rows } = await readPages(limits.listRows, async (place) => {
    const request = { ...place, filter, orderBy: "sequence" };
    const { entries, nextPageToken } = await hub.audit.listAuditEntries(request, { signal });
    return { rows: entries, nextPageToken };
  });
  return rows;
}
