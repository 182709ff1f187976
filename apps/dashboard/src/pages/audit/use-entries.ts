import type { AuditEntry } from "@baton/contract/messages";
import { useRef } from "react";
import { audit } from "../../hub/client.ts";
import type { Listed } from "../../hub/read-pages.ts";
import { quoted } from "../../hub/read-pages.ts";
import { type GrowingList, useGrowingList } from "../../hub/use-growing-list.ts";
import { useLive } from "../../hub/use-live.ts";

const sizes = { pageSize: 100, max: 1_000 };
/** Longer ids do not exist. */
const maxIdLength = 300;

/** The entries that match a filter, newest first. */
export function useEntries(filter: string): GrowingList<AuditEntry> {
  return useGrowingList(`audit ${filter}`, sizes, async (place, signal) => {
    const request = { filter, orderBy: "sequence desc", ...place };
    const { entries: rows, nextPageToken } = await audit.listAuditEntries(request, { signal });
    return { rows, nextPageToken };
  });
}

interface SelectedEntry {
  readonly entry: AuditEntry | undefined;
  /** No entry has this id or number. */
  readonly isMissing: boolean;
}

/** The entry that the address names, also beyond the list, or the newest one. */
export function useSelectedEntry(
  asked: string,
  filter: string,
  listed: Listed<AuditEntry> | undefined,
): SelectedEntry {
  const rows = listed?.rows ?? [];
  const isNumber = /^\d{1,15}$/.test(asked);
  const inList = rows.find(({ auditId, sequence }) => asked === (isNumber ? String(sequence) : auditId));
  const { value } = useLive(
    `entry ${asked}`,
    async (signal) => {
      const name = isNumber ? `sequence = ${asked}` : `audit_id = ${quoted(asked.slice(0, maxIdLength))}`;
      const { entries } = await audit.listAuditEntries({ filter: name, pageSize: 1 }, { signal });
      return { entry: entries[0] };
    },
    { disabled: asked === "" || listed === undefined || inList !== undefined, touches: () => false },
  );
  // The entry stays selected when it is no longer the newest or leaves the list.
  const held = useRef<{ readonly of: string; readonly entry: AuditEntry } | undefined>(undefined);
  const of = asked === "" ? `the newest of ${filter}` : asked;
  const found = asked === "" ? rows[0] : (inList ?? value?.entry);
  if (held.current?.of !== of) held.current = found && { of, entry: found };
  const entry = inList ?? held.current?.entry;
  return { entry, isMissing: asked !== "" && value !== undefined && entry === undefined };
}
