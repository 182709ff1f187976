import type { AuditEntry } from "@baton/contract/messages";
import { useEffect, useRef, useState } from "react";
import { audit } from "../../hub/client.ts";
import { type Listed, readPages } from "../../hub/read-pages.ts";
import { type Live, useLive } from "../../hub/use-live.ts";
import { quoted } from "../runs/runs-filter.ts";

const pageSize = 100;
/** More rows than these are another page, with an address of its own. */
const most = 1_000;
/** No id is longer. */
const mostLetters = 300;

/** The entries that a filter finds, newest first, as many as were asked for. */
export function useEntries(filter: string): Live<Listed<AuditEntry>> & { readonly more?: () => void } {
  const [asked, ask] = useState({ filter, count: pageSize });
  const count = asked.filter === filter ? asked.count : pageSize;
  const live = useLive(`audit ${filter}`, (signal) =>
    readPages(count, async (place) => {
      const request = { filter, orderBy: "sequence desc", ...place };
      const { entries: rows, nextPageToken } = await audit.listAuditEntries(request, { signal });
      return { rows, nextPageToken };
    }),
  );
  const { refresh } = live;
  // What is shown stays there while more is read.
  useEffect(() => {
    if (count > pageSize) refresh();
  }, [count, refresh]);
  return count < most ? { ...live, more: () => ask({ filter, count: count + pageSize }) } : live;
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
