import "./history.css";
import type { GetAttemptsResponse, Pipeline, Transition } from "@baton/contract/messages";
import { useState } from "react";
import { ProblemNotice } from "../../../design/problem-notice.tsx";
import { inspection } from "../../../hub/client.ts";
import { useLive } from "../../../hub/use-live.ts";
import { setQuery, useQuery } from "../../../router/location.ts";
import { entriesOf } from "./entries.ts";
import { HistoryRow } from "./history-row.tsx";
import { RewindSheet } from "./rewind-sheet.tsx";

const pageSize = 50;

interface HistoryProps {
  readonly pipeline: Pipeline;
  readonly activity: GetAttemptsResponse | undefined;
  readonly onChanged: () => void;
}

/** All transitions of a run, newest first, each a target of a rewind (TUR-08). Read when it is opened. */
export function History({ pipeline, activity, onChanged }: HistoryProps) {
  const isOpen = useQuery().get("history") === "open";
  return (
    <details
      className="card history"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => setQuery({ history: open ? "open" : "" })}
    >
      <summary>
        <h2>History</h2>
        <span className="quiet">All transitions, with rewind</span>
      </summary>
      {isOpen && <Transitions pipeline={pipeline} activity={activity} onChanged={onChanged} />}
    </details>
  );
}

function Transitions({ pipeline, activity, onChanged }: HistoryProps) {
  const { pipelineId } = pipeline;
  const [most, setMost] = useState(pageSize);
  const [target, setTarget] = useState<Transition>();
  const { value, problem, refresh } = useLive(
    `transitions ${pipelineId}`,
    async (signal) => (await inspection.getTransitions({ pipelineId }, { signal })).transitions,
    { touches: (record) => record.pipelineId === pipelineId },
  );
  const newestFirst = entriesOf(value ?? [], activity);
  return (
    <div className="history-body">
      {problem && <ProblemNotice problem={problem} />}
      <ol className="history-rows" aria-label="Transitions">
        {newestFirst.slice(0, most).map((one) => (
          <HistoryRow
            key={one.key}
            entry={one}
            isNow={one.target?.revision === pipeline.revision}
            onChoose={() => setTarget(one.target)}
          />
        ))}
      </ol>
      {newestFirst.length > most && (
        <button type="button" className="button small" onClick={() => setMost(most + 4 * pageSize)}>
          Show earlier
        </button>
      )}
      {target && (
        <RewindSheet
          pipelineId={pipelineId}
          target={target}
          onDone={() => {
            refresh();
            onChanged();
          }}
          onClose={() => setTarget(undefined)}
        />
      )}
    </div>
  );
}
