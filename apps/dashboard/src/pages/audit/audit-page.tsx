import "./audit.css";
import type { AuditEntry } from "@baton/contract/messages";
import { Empty } from "../../design/empty.tsx";
import { Trouble } from "../../design/trouble.tsx";
import type { Listed } from "../../hub/read-pages.ts";
import { setQuery, useQuery } from "../../router/location.ts";
import { useTitle } from "../../shell/use-title.ts";
import { useRowKeys } from "../runs/use-row-keys.ts";
import { AuditEntryPanel } from "./audit-entry-panel.tsx";
import { auditFilterText, readAuditFilter } from "./audit-filter.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditRow } from "./audit-row.tsx";
import { ExportButton } from "./export-button.tsx";
import { useEntries, useShown } from "./use-entries.ts";
import { VerifiedBadge } from "./verified-badge.tsx";

/** The record that nobody can alter: search it, look into it, have it checked, take it away. */
export function AuditPage() {
  const query = useQuery();
  const filter = readAuditFilter(query);
  const text = auditFilterText(filter);
  const asked = query.get("entry") ?? "";
  const { value, problem, more } = useEntries(text);
  const { entry, isMissing } = useShown(asked, text, value);
  useTitle(asked !== "" && entry ? `Entry ${entry.sequence} · Audit` : "Audit");
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
      {filter.before !== "" && (
        <p className="row">
          <span className="quiet">Only entries before {filter.before}.</span>
          <button type="button" className="button small" onClick={() => setQuery({ before: "" })}>
            Back to the newest
          </button>
        </p>
      )}
      {value?.rows.length === 0 && (
        <div className="card">
          <Empty title={text === "" ? "No audit entries yet" : "No matching entries"}>
            <p>{text === "" ? "Every decision of the hub is recorded here." : "Remove a filter."}</p>
          </Empty>
        </div>
      )}
      {value && (
        <div className={asked === "" ? "audit" : "audit asked"}>
          <Entries listed={value} selected={entry} more={more} />
          {entry && (
            <AuditEntryPanel
              key={entry.auditId}
              entry={entry}
              isListed={value.rows.some(({ auditId }) => auditId === entry.auditId)}
            />
          )}
          {isMissing && (
            <div className="card audit-entry">
              <Empty title="There is no such entry">
                <p className="wrap">
                  The record has none of the id <code>{asked}</code> that you may see.
                </p>
              </Empty>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

interface EntriesProps {
  readonly listed: Listed<AuditEntry>;
  readonly selected: AuditEntry | undefined;
  /** Undefined when as many are shown as one page has. */
  readonly more: (() => void) | undefined;
}

function Entries({ listed: { rows, hasMore }, selected, more }: EntriesProps) {
  const list = useRowKeys();
  const last = rows.at(-1);
  if (!last) return null;
  const older = () => {
    setQuery({ before: String(last.sequence), entry: "" });
    window.scrollTo(0, 0);
  };
  return (
    <div className="stack">
      <ul className="card audit-list" ref={list} aria-label="Entries">
        {rows.map((entry) => (
          <AuditRow key={entry.auditId} entry={entry} isSelected={entry.auditId === selected?.auditId} />
        ))}
      </ul>
      {hasMore && (
        <button type="button" className="button more" onClick={more ?? older}>
          {more ? "Show more" : `Show entries before ${last.sequence}`}
        </button>
      )}
    </div>
  );
}
