import "./history.css";
import type { GetAttemptsResponse, Pipeline, Transition } from "@baton/contract/messages";
import { useState } from "react";
import { Trouble } from "../../../design/trouble.tsx";
import { inspection } from "../../../hub/client.ts";
import { useLive } from "../../../hub/use-live.ts";
import { setQuery, useQuery } from "../../../router/location.ts";
import { entriesOf } from "./entries.ts";
import { HistoryRow } from "./history-row.tsx";
import { RewindSheet } from "./rewind-sheet.tsx";

/** More than these are shown when they are asked for. */
const pageSize = 50;

interface HistoryProps {
  readonly pipeline: Pipeline;
  /** Transitions say where a run went; attempts say why. */
  readonly told: GetAttemptsResponse | undefined;
  readonly onChanged: () => void;
}

/** Every transition of a run, newest first, with the way back to it (TUR-08). It is read when it is opened. */
export function History({ pipeline, told, onChanged }: HistoryProps) {
  const isOpen = useQuery().get("history") === "open";
  return (
    <details
      className="card history"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => setQuery({ history: open ? "open" : "" })}
    >
      <summary>
        <h2>History</h2>
        <span className="quiet">every transition, with rewind</span>
      </summary>
      {isOpen && <Transitions pipeline={pipeline} told={told} onChanged={onChanged} />}
    </details>
  );
}

function Transitions({ pipeline, told, onChanged }: HistoryProps) {
  const { pipelineId } = pipeline;
  const [most, setMost] = useState(pageSize);
  const [target, setTarget] = useState<Transition>();
  const { value, problem, refresh } = useLive(
    `transitions ${pipelineId}`,
    async (signal) => (await inspection.getTransitions({ pipelineId }, { signal })).transitions,
    { touches: (record) => record.pipelineId === pipelineId },
  );
  const newestFirst = entriesOf(value ?? [], told);
  return (
    <div className="history-body">
      {problem && <Trouble problem={problem} />}
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
          Show earlier ones
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
