import { AuditEventType } from "@baton/contract/messages";
import { useEffect, useRef, useState } from "react";
import { Sign } from "../../design/signs.tsx";
import { useShortcut } from "../../router/keys.ts";
import { setQuery } from "../../router/location.ts";
import { type AuditFilter, eventTypes, eventWords } from "./audit-filter.ts";

const typingMs = 200;

export function AuditFilters({ filter }: { readonly filter: AuditFilter }) {
  const [typed, type] = useState(filter.pipelineId);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => type(filter.pipelineId), [filter.pipelineId]);
  useEffect(() => {
    if (typed === filter.pipelineId) return;
    const timer = setTimeout(() => setQuery({ run: typed, entry: "", before: "" }), typingMs);
    return () => clearTimeout(timer);
  }, [typed, filter.pipelineId]);
  useShortcut("/", "Search", () => field.current?.focus());
  return (
    <search className="runs-filters">
      <label className="search-field">
        <Sign name="search" />
        <span className="sr">Search by run id</span>
        <input
          ref={field}
          className="input"
          type="search"
          placeholder="Search by run id"
          value={typed}
          onChange={(event) => type(event.target.value.trim())}
        />
      </label>
      <label className="row">
        <span className="quiet">Event</span>
        <select
          className="input"
          value={filter.eventType}
          onChange={(event) => setQuery({ type: event.target.value, entry: "", before: "" })}
        >
          <option value="">any</option>
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
