import "./audit.css";
import type { AuditEntry } from "@baton/contract/messages";
import { useState } from "react";
import { Empty } from "../../design/empty.tsx";
import { Trouble } from "../../design/trouble.tsx";
import { audit } from "../../hub/client.ts";
import { readPages } from "../../hub/read-pages.ts";
import { useLive } from "../../hub/use-live.ts";
import { useQuery } from "../../router/location.ts";
import { useTitle } from "../../shell/use-title.ts";
import { useRowKeys } from "../runs/use-row-keys.ts";
import { AuditEntryPanel } from "./audit-entry-panel.tsx";
import { auditFilterText, readAuditFilter } from "./audit-filter.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditRow } from "./audit-row.tsx";
import { ExportButton } from "./export-button.tsx";
import { VerifiedBadge } from "./verified-badge.tsx";

const pageSize = 100;
const most = 1_000;

/** The record that nobody can alter: search it, look into it, have it checked, take it away. */
export function AuditPage() {
  useTitle("Audit");
  const query = useQuery();
  const filter = readAuditFilter(query);
  const text = auditFilterText(filter);
  const [count, setCount] = useState(pageSize);
  const list = useRowKeys();
  const { value, problem } = useLive(`audit ${count} ${text}`, (signal) =>
    readPages(count, async (place) => {
      const request = { filter: text, orderBy: "sequence desc", ...place };
      const { entries: rows, nextPageToken } = await audit.listAuditEntries(request, { signal });
      return { rows, nextPageToken };
    }),
  );
  const entries: readonly AuditEntry[] = value?.rows ?? [];
  const selected = entries.find(({ auditId }) => auditId === query.get("entry")) ?? entries[0];
  return (
    <div className="stack">
      <div className="page-head">
        <h1>Audit</h1>
        <VerifiedBadge />
        <span className="spring" />
        <ExportButton pipelineId={filter.pipelineId} />
      </div>
      <AuditFilters filter={filter} />
      {problem && <Trouble problem={problem} />}
      {value && entries.length === 0 && (
        <div className="card">
          <Empty title={text === "" ? "Nothing is on record yet" : "No entry is like this"}>
            <p>{text === "" ? "Every decision of the hub is written down here." : "Take a filter away."}</p>
          </Empty>
        </div>
      )}
      {selected && (
        <div className={query.has("entry") ? "audit asked" : "audit"}>
          <div className="stack">
            <ul className="card audit-list" ref={list} aria-label="Entries">
              {entries.map((entry) => (
                <AuditRow key={entry.auditId} entry={entry} isSelected={entry === selected} />
              ))}
            </ul>
            {value?.hasMore && count < most && (
              <button
                type="button"
                className="button more"
                onClick={() => setCount(Math.min(most, count + pageSize))}
              >
                Show more
              </button>
            )}
          </div>
          <AuditEntryPanel key={selected.auditId} entry={selected} />
        </div>
      )}
    </div>
  );
}
