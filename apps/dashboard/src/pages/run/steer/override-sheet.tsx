import type { Stage } from "@baton/contract/messages";
import { useState } from "react";
import { orchestrator } from "../../../hub/client.ts";
import { ReasonSheet } from "../reason-sheet.tsx";

interface OverrideSheetProps {
  readonly pipelineId: string;
  readonly stage: Stage;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Completes a failed stage with the last result or with one that a person provides. */
export function OverrideSheet({ pipelineId, stage, onDone, onClose }: OverrideSheetProps) {
  const { stageId, result } = stage;
  const [accepts, accept] = useState(result !== undefined);
  const [summary, setSummary] = useState("");
  const [commitSha, setCommit] = useState("");
  const isIncomplete = !accepts && summary.trim() === "";
  return (
    <ReasonSheet
      title={`Override stage ${stageId}`}
      effect="Completes the stage with this result, without checks. Your name and reason are recorded."
      button="Override"
      isGrave
      missing={isIncomplete ? "Describe what you did first." : ""}
      onRun={(reason) =>
        orchestrator.overrideStage({
          pipelineId,
          stageId,
          reason,
          result: accepts
            ? { case: "accepted", value: {} }
            : { case: "provided", value: { summary: summary.trim(), commitSha: commitSha.trim() } },
        })
      }
      onDone={onDone}
      onClose={onClose}
    >
      <fieldset className="stack tight">
        <legend className="sr">Result</legend>
        <label className="row">
          <input
            type="radio"
            name="result"
            checked={accepts}
            disabled={result === undefined}
            onChange={() => accept(true)}
          />
          Accept the result of the last attempt
        </label>
        <label className="row">
          <input type="radio" name="result" checked={!accepts} onChange={() => accept(false)} />
          Provide your own result
        </label>
      </fieldset>
      {!accepts && (
        <>
          <label className="field">
            <span>What you did</span>
            <textarea
              className="input"
              rows={3}
              value={summary}
              onChange={(event) => setSummary(event.target.value)}
            />
          </label>
          <label className="field">
            <span>Commit that later stages build on (optional)</span>
            <input
              className="input mono"
              value={commitSha}
              onChange={(event) => setCommit(event.target.value)}
            />
          </label>
        </>
      )}
    </ReasonSheet>
  );
}
