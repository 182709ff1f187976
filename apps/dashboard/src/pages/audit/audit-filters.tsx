import { AuditEventType } from "@baton/contract/messages";
import { SearchField } from "../../design/search-field.tsx";
import { setQuery } from "../../router/location.ts";
import { type AuditFilter, eventTypes, eventWords } from "./audit-filter.ts";

export function AuditFilters({ filter }: { readonly filter: AuditFilter }) {
  return (
    <search className="runs-filters">
      <SearchField
        label="Search by run id"
        placeholder="Search by run id"
        value={filter.pipelineId}
        onSearch={(text) => setQuery({ run: text.trim(), entry: "", before: "" })}
      />
      <label className="row">
        <span className="quiet">Event</span>
        <select
          className="input"
          value={filter.eventType}
          onChange={(event) => setQuery({ type: event.target.value, entry: "", before: "" })}
        >
          <option value="">all</option>
          {eventTypes.map((name) => (
            <option key={name} value={name}>
              {eventWords(AuditEventType[name as keyof typeof AuditEventType]).toLowerCase()}
            </option>
          ))}
        </select>
      </label>
    </search>
  );
}
