import "./audit.css";
import { ActorType, type AuditEntry } from "@baton/contract/messages";
import { Empty } from "../../design/empty.tsx";
import { formatClock, formatDate, isoOf, msOf } from "../../design/format-time.ts";
import { ProblemNotice } from "../../design/problem-notice.tsx";
import type { Listed } from "../../hub/read-pages.ts";
import { useRowKeys } from "../../router/keys.ts";
import { setQuery, useQuery } from "../../router/location.ts";
import { useTitle } from "../../shell/use-title.ts";
import { AuditEntryPanel } from "./audit-entry-panel.tsx";
import { auditFilterText, eventTone, eventWords, readAuditFilter } from "./audit-filter.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { ExportButton } from "./export-button.tsx";
import { useEntries, useSelectedEntry } from "./use-entries.ts";
import { VerifiedBadge } from "./verified-badge.tsx";

export function AuditPage() {
  const query = useQuery();
  const filter = readAuditFilter(query);
  const text = auditFilterText(filter);
  const asked = query.get("entry") ?? "";
  const { value, problem, more } = useEntries(text);
  const { entry, isMissing } = useSelectedEntry(asked, text, value);
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
      {problem && <ProblemNotice problem={problem} />}
      {filter.before !== "" && (
        <p className="row">
          <span className="quiet">Only entries before {filter.before}.</span>
          <button type="button" className="button small" onClick={() => setQuery({ before: "" })}>
            Show newest
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
              <Empty title="Entry not found">
                <p className="wrap">
                  You can see no entry with the id <code>{asked}</code>.
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
  /** Undefined at the largest size of the list. */
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

interface AuditRowProps {
  readonly entry: AuditEntry;
  readonly isSelected: boolean;
}

function AuditRow({ entry, isSelected }: AuditRowProps) {
  const { sequence, timestamp, eventType, stageId, auditId } = entry;
  const at = msOf(timestamp) ?? 0;
  return (
    <li>
      <button
        type="button"
        className="audit-row"
        data-row
        aria-pressed={isSelected}
        onClick={() => setQuery({ entry: auditId })}
      >
        <span className="quiet mono">{String(sequence)}</span>
        <time className="quiet mono" dateTime={isoOf(at)} title={formatDate(at)}>
          {formatClock(at)}
        </time>
        <span>
          <span className={`badge ${eventTone(eventType)}`}>{eventWords(eventType)}</span>
        </span>
        <span className="clip">
          {stageId !== "" && <strong>{stageId} </strong>}
          {detailOf(entry)}
        </span>
        <span className="quiet clip">{actorOf(entry)}</span>
      </button>
    </li>
  );
}

/** The reason, or the selected pack of a dispatch. The action itself would repeat the event type. */
function detailOf({ snapshot, rationale }: AuditEntry): string {
  const payload = snapshot?.snapshotPayload;
  if (payload?.case === "dispatch" && payload.value.selectedPackId !== "")
    return `to ${payload.value.selectedPackId}`;
  return rationale;
}

/** People by id; agents, whose instance ids are long, by its beginning. */
function actorOf({ actor }: AuditEntry): string {
  if (!actor || actor.type === ActorType.ORCHESTRATOR) return "hub";
  return actor.type === ActorType.AGENT ? `agent ${actor.id.slice(0, 8)}` : actor.id;
}
