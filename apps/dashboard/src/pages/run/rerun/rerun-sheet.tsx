import type { GetAttemptResponse, Pipeline, Stage } from "@baton/contract/messages";
import { useId, useState } from "react";
import { linesOf } from "../../../design/form.tsx";
import { orchestrator } from "../../../hub/client.ts";
import { navigate } from "../../../router/location.ts";
import { runAddress } from "../../../router/routes.ts";
import { ReasonSheet } from "../reason-sheet.tsx";
import { type Inputs, readInputs } from "./read-inputs.ts";

interface RerunProps {
  readonly pipeline: Pipeline;
  readonly stage: Stage;
  /** The selected attempt: its inputs are the starting point. */
  readonly attempt: GetAttemptResponse | undefined;
}

export function RerunButton(props: RerunProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button small rerun-button" onClick={() => setOpen(true)}>
        Run again<span className="rest"> from here</span>
      </button>
      {isOpen && <RerunSheet {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Starts a new run from a stage of this one, optionally with other inputs (TUR-08). */
function RerunSheet({ pipeline, stage, attempt, onClose }: RerunProps & { readonly onClose: () => void }) {
  const given = attempt?.envelope?.inputs;
  const before = given === undefined ? "" : JSON.stringify(given, undefined, 2);
  const [text, setText] = useState(before);
  const [instructions, setInstructions] = useState("");
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const id = useId();
  const inputs = readInputs(text);
  const start = async (reason: string) => {
    if (!inputs.ok) return;
    const { pipeline: made } = await orchestrator.rerunPipeline({
      ...{ pipelineId: pipeline.pipelineId, stageId: stage.stageId, idempotencyKey, reason },
      ...(text !== before && inputs.value && { inputs: inputs.value }),
      instructions: linesOf(instructions),
    });
    if (made) navigate(runAddress(made.pipelineId, stage.stageId));
  };
  return (
    <ReasonSheet
      title={`Run again from ${stage.stageName || stage.stageId}`}
      effect="Starts a new run from this stage, with the results of the stages that do not depend on it. This run does not change."
      button="Start run"
      missing={inputs.ok ? "" : "Fix the inputs first."}
      onRun={start}
      onDone={onClose}
      onClose={onClose}
    >
      <div className="field">
        <label htmlFor={id}>Inputs (JSON)</label>
        <textarea
          id={id}
          className="input mono"
          rows={6}
          value={text}
          spellCheck={false}
          placeholder='{ "size": "large" }'
          aria-describedby={`${id}-note`}
          aria-invalid={!inputs.ok}
          onChange={(event) => setText(event.target.value)}
        />
        <small id={`${id}-note`} className={inputs.ok ? "" : "wrong"}>
          {noteOf(inputs, text === before)}
        </small>
      </div>
      <label className="field">
        <span>Instructions for the agent</span>
        <textarea
          className="input"
          rows={2}
          value={instructions}
          placeholder="Optional. One instruction per line"
          onChange={(event) => setInstructions(event.target.value)}
        />
      </label>
    </ReasonSheet>
  );
}

function noteOf(inputs: Inputs, isSame: boolean): string {
  if (!inputs.ok) return inputs.problem;
  return isSame || !inputs.value ? "The stage keeps its inputs." : "These replace the inputs of the stage.";
}
