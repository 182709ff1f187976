import { useEffect, useRef, useState } from "react";
import { Sign } from "../../design/signs.tsx";
import { useShortcut } from "../../router/keys.ts";
import { setQuery } from "../../router/location.ts";
import { type RunsFilter, statuses } from "./runs-filter.ts";

/** Until somebody has stopped typing. */
const typingMs = 200;

export function RunsFilters({ filter }: { readonly filter: RunsFilter }) {
  return (
    <search className="runs-filters">
      <SearchField search={filter.search} />
      <fieldset className="chips">
        <legend className="sr">Status</legend>
        {statuses.map(([status, word]) => (
          <button
            key={word}
            type="button"
            className="chip"
            aria-pressed={filter.status === status}
            onClick={() => setQuery({ status })}
          >
            {word}
          </button>
        ))}
      </fieldset>
      {filter.template !== "" && (
        <button type="button" className="chip" aria-pressed="true" onClick={() => setQuery({ template: "" })}>
          of {filter.template} ×<span className="sr"> remove this filter</span>
        </button>
      )}
      {filter.before !== "" && (
        <button type="button" className="chip" aria-pressed="true" onClick={() => setQuery({ before: "" })}>
          until {filter.before.replace("T", " ")} ×<span className="sr"> remove this filter</span>
        </button>
      )}
    </search>
  );
}

function SearchField({ search }: { readonly search: string }) {
  const [typed, type] = useState(search);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => type(search), [search]);
  useEffect(() => {
    if (typed === search) return;
    const timer = setTimeout(() => setQuery({ q: typed }), typingMs);
    return () => clearTimeout(timer);
  }, [typed, search]);
  useShortcut("/", "Search", () => field.current?.focus());
  return (
    <label className="search-field">
      <Sign name="search" />
      <span className="sr">Search runs by name or id</span>
      <input
        ref={field}
        className="input"
        type="search"
        placeholder="Search name, id or label:team=core"
        title="Also label:NAME=VALUE, task:ID, risk:critical, agent:PACK"
        value={typed}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && field.current?.blur()}
      />
    </label>
  );
}
