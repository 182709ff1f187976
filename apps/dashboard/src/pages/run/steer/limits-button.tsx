import { type Pipeline, PipelineStatus } from "@baton/contract/messages";
import { useState } from "react";
import { orchestrator } from "../../../hub/client.ts";
import { ReasonSheet } from "../reason-sheet.tsx";
import { budgetText, type LimitFields, noLimits, readLimits } from "./read-limits.ts";

const fields = [
  ["tokens", "Tokens"],
  ["usd", "US dollars"],
  ["steps", "Steps"],
  ["hours", "Deadline (hours from now)"],
] as const;

/** Changes the budget and the deadline of a run (PIP-09). */
export function LimitsButton({
  pipeline,
  onChanged,
}: {
  readonly pipeline: Pipeline;
  readonly onChanged: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const { pipelineId, status, policy } = pipeline;
  if (status !== PipelineStatus.RUNNING && status !== PipelineStatus.PAUSED) return null;
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Limits
      </button>
      {isOpen && (
        <LimitsSheet
          pipelineId={pipelineId}
          budget={budgetText(policy?.budget)}
          onDone={() => {
            setOpen(false);
            onChanged();
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface LimitsSheetProps {
  readonly pipelineId: string;
  readonly budget: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function LimitsSheet({ pipelineId, budget, onDone, onClose }: LimitsSheetProps) {
  const [typed, type] = useState<LimitFields>(noLimits);
  const read = readLimits(typed, Date.now());
  return (
    <ReasonSheet
      title="Change the limits of this run"
      effect={`Empty fields stay unchanged. Current budget: ${budget}. A stage that waits for budget and a run that is paused by its deadline continue.`}
      button="Change limits"
      missing={read.ok ? "" : read.problem}
      onRun={async (reason) => read.ok && orchestrator.changeLimits({ pipelineId, reason, ...read.limits })}
      onDone={onDone}
      onClose={onClose}
    >
      {fields.map(([name, words]) => (
        <label className="field" key={name}>
          <span>{words}</span>
          <input
            className="input"
            inputMode="decimal"
            value={typed[name]}
            onChange={(event) => type({ ...typed, [name]: event.target.value })}
          />
        </label>
      ))}
    </ReasonSheet>
  );
}
