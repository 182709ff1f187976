import type { AuditEntry } from "@baton/contract/messages";
import { formatClock, formatDate, isoOf, msOf } from "../../design/format-time.ts";
import { setQuery } from "../../router/location.ts";
import { eventTone, eventWords } from "./audit-filter.ts";

export function AuditRow({
  entry,
  isSelected,
}: {
  readonly entry: AuditEntry;
  readonly isSelected: boolean;
}) {
  const { sequence, timestamp, eventType, action, stageId, actor, auditId } = entry;
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
        <span className="clip">{action}</span>
        <span className="quiet clip">{[stageId, actor?.id].filter(Boolean).join(" · ")}</span>
      </button>
    </li>
  );
}
