import "./runs.css";
import type { Pipeline } from "@baton/contract/messages";
import { Empty } from "../../design/empty.tsx";
import { msOf } from "../../design/format-time.ts";
import { ProblemNotice } from "../../design/problem-notice.tsx";
import { Sign } from "../../design/signs.tsx";
import { orchestrator } from "../../hub/client.ts";
import { type GrowingList, useGrowingList } from "../../hub/use-growing-list.ts";
import { useRowKeys, useShortcut } from "../../router/keys.ts";
import { Link } from "../../router/link.tsx";
import { navigate, setQuery, useQuery } from "../../router/location.ts";
import { useTitle } from "../../shell/use-title.ts";
import { RunRow } from "./run-row.tsx";
import { filterText, readFilter } from "./runs-filter.ts";
import { RunsFilters } from "./runs-filters.tsx";

const sizes = { pageSize: 50, max: 1_000 };

export function RunsPage() {
  useTitle("Runs");
  useShortcut("n", "New run", () => navigate("/runs/new"));
  const filter = readFilter(useQuery());
  const text = filterText(filter);
  const runs = useGrowingList(
    `runs ${text}`,
    sizes,
    async (place, signal) => {
      const request = { filter: text, orderBy: "created_at desc", ...place };
      const { pipelines, nextPageToken } = await orchestrator.listPipelines(request, { signal });
      return { rows: pipelines, nextPageToken };
    },
    { changeHints: ({ inbox }) => inbox },
  );
  return (
    <div className="stack">
      <div className="page-head">
        <h1>Runs</h1>
        <span className="spring" />
        <Link className="button primary" href="/runs/new">
          <Sign name="plus" /> New run
        </Link>
      </div>
      <RunsFilters filter={filter} />
      {runs.problem && <ProblemNotice problem={runs.problem} />}
      <RunList runs={runs} isFiltered={text !== ""} />
    </div>
  );
}

interface RunListProps {
  readonly runs: GrowingList<Pipeline>;
  readonly isFiltered: boolean;
}

function RunList({ runs, isFiltered }: RunListProps) {
  const list = useRowKeys();
  const { value } = runs;
  if (value === undefined) return <div className="card runs-loading" aria-busy="true" />;
  const oldest = msOf(value.rows.at(-1)?.createdAt);
  const showOlder = () => {
    setQuery({ before: new Date(oldest ?? 0).toISOString() });
    window.scrollTo(0, 0);
  };
  return (
    <>
      {value.rows.length === 0 ? (
        <NoRuns isFiltered={isFiltered} />
      ) : (
        <ul className="card runs" ref={list} aria-label="Runs">
          {value.rows.map((pipeline) => (
            <RunRow key={pipeline.pipelineId} pipeline={pipeline} />
          ))}
        </ul>
      )}
      {value.hasMore && (
        <button type="button" className="button more" onClick={runs.more ?? showOlder}>
          {runs.more ? "Show more" : "Show older runs"}
        </button>
      )}
    </>
  );
}

function NoRuns({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <div className="card">
        <Empty title="No matching runs">
          <p>Remove a filter, or search for another part of the name.</p>
        </Empty>
      </div>
    );
  return (
    <div className="card">
      <Empty title="No runs yet">
        <p>Submit a task to start the first run.</p>
        <pre>
          <code>{'npx baton run --task-type greeting --title "Greet Ada" --accept "Ada is greeted"'}</code>
        </pre>
      </Empty>
    </div>
  );
}
