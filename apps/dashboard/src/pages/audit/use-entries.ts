import type { AuditEntry } from "@baton/contract/messages";
import { useRef } from "react";
import { audit } from "../../hub/client.ts";
import { quoted } from "../../hub/quoted.ts";
import type { Listed } from "../../hub/read-pages.ts";
import { type GrowingList, useGrowingList } from "../../hub/use-growing-list.ts";
import { useLive } from "../../hub/use-live.ts";

const sizes = { pageSize: 100, most: 1_000 };
/** No id is longer. */
const mostLetters = 300;

/** The entries that a filter finds, newest first, as many as were asked for. */
export function useEntries(filter: string): GrowingList<AuditEntry> {
  return useGrowingList(`audit ${filter}`, sizes, async (place, signal) => {
    const request = { filter, orderBy: "sequence desc", ...place };
    const { entries: rows, nextPageToken } = await audit.listAuditEntries(request, { signal });
    return { rows, nextPageToken };
  });
}

interface Shown {
  readonly entry: AuditEntry | undefined;
  /** That there is none of this id or number. */
  readonly isMissing: boolean;
}

/** The entry that is read: the one that the address names, wherever it is in the record, or else the newest at first. */
export function useShown(asked: string, filter: string, listed: Listed<AuditEntry> | undefined): Shown {
  const rows = listed?.rows ?? [];
  const isNumber = /^\d{1,15}$/.test(asked);
  const inList = rows.find(({ auditId, sequence }) => asked === (isNumber ? String(sequence) : auditId));
  const { value } = useLive(
    `entry ${asked}`,
    async (signal) => {
      const name = isNumber ? `sequence = ${asked}` : `audit_id = ${quoted(asked.slice(0, mostLetters))}`;
      const { entries } = await audit.listAuditEntries({ filter: name, pageSize: 1 }, { signal });
      return { entry: entries[0] };
    },
    { disabled: asked === "" || listed === undefined || inList !== undefined, touches: () => false },
  );
  // Whoever reads an entry goes on reading it, also when it is the newest no more, or no more in the list.
  const held = useRef<{ readonly of: string; readonly entry: AuditEntry } | undefined>(undefined);
  const of = asked === "" ? `the newest of ${filter}` : asked;
  const found = asked === "" ? rows[0] : (inList ?? value?.entry);
  if (held.current?.of !== of) held.current = found && { of, entry: found };
  const entry = inList ?? held.current?.entry;
  return { entry, isMissing: asked !== "" && value !== undefined && entry === undefined };
}
