import { SearchField } from "../../design/search-field.tsx";
import { setQuery } from "../../router/location.ts";
import { type RunsFilter, statuses } from "./runs-filter.ts";

export function RunsFilters({ filter }: { readonly filter: RunsFilter }) {
  return (
    <search className="runs-filters">
      <SearchField
        label="Search runs by name or id"
        placeholder="Search name, id or label:team=core"
        title="Also label:NAME=VALUE, task:ID, risk:critical, agent:PACK"
        value={filter.search}
        onSearch={(q) => setQuery({ q })}
      />
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
          template {filter.template} ×<span className="sr"> remove this filter</span>
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
