import type { AuditEntry } from "@baton/contract/forms";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Hub } from "../hub/connect-hub.ts";
import { listEntries } from "../queries/list-entries.ts";

export interface CheckedRecord {
  readonly entries: number;
  /** The result in a few words. */
  readonly finding: string;
  readonly isGood: boolean;
}

/** Counts the entries, and verifies the chain: by the hub if it can, else here. */
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
