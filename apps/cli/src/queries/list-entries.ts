import type { AuditEntry } from "@baton/contract/forms";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Hub } from "../hub/connect-hub.ts";
import { readPages } from "../hub/read-pages.ts";
import { limits } from "../limits.ts";

/** Entries of the audit record, the oldest first. */
export async function listEntries(
  hub: Hub,
  filter: string,
  signal: AbortSignal,
): Promise<readonly AuditEntry[]> {
  const { rows } = await readPages(limits.listRows, async (page) => {
    const request = { ...page, filter, orderBy: "sequence" };
    const { entries, nextPageToken } = await hub.audit.listAuditEntries(request, { signal });
    return { rows: entries, nextPageToken };
  });
  return rows;
}

/** The same; undefined when the key may not read the audit record. */
export async function listEntriesIfAllowed(
  hub: Hub,
  filter: string,
  signal: AbortSignal,
): Promise<readonly AuditEntry[] | undefined> {
  try {
    return await listEntries(hub, filter, signal);
  } catch (error) {
    if (error instanceof ConnectError && notForUs.has(error.code)) return undefined;
    throw error;
  }
}

const notForUs: ReadonlySet<Code> = new Set([Code.PermissionDenied, Code.Unimplemented]);
