import type { GetAttemptResponse, Pipeline, Stage } from "@baton/contract/messages";
import { type FormEvent, useId, useState } from "react";
import { DecisionFields } from "../../../design/decision-fields.tsx";
import { ReasonField, whyMissing } from "../../../design/reason-field.tsx";
import { Sheet } from "../../../design/sheet.tsx";
import { SubmitButton } from "../../../design/submit-button.tsx";
import { Trouble } from "../../../design/trouble.tsx";
import { orchestrator } from "../../../hub/client.ts";
import { useSignIn } from "../../../hub/sign-in.ts";
import { navigate } from "../../../router/location.ts";
import { runAddress } from "../../../router/routes.ts";
import { useDeed } from "../../inbox/use-deed.ts";
import { type Inputs, readInputs } from "./read-inputs.ts";

interface RerunSheetProps {
  readonly pipeline: Pipeline;
  readonly stage: Stage;
  readonly attempt: GetAttemptResponse | undefined;
  readonly onClose: () => void;
}

function noteOf(inputs: Inputs, isSame: boolean): string {
  if (!inputs.ok) return inputs.problem;
  return isSame || !inputs.value ? "The stage keeps its inputs." : "These replace the inputs of the stage.";
}

/** A new run that begins with a stage of this one, with other inputs if somebody writes any (TUR-08). */
export function RerunSheet({ pipeline, stage, attempt, onClose }: RerunSheetProps) {
  const given = attempt?.envelope?.inputs;
  const before = given === undefined ? "" : JSON.stringify(given, undefined, 2);
  const [text, setText] = useState(before);
  const [told, setTold] = useState("");
  const [reason, setReason] = useState("");
  const [key] = useState(() => crypto.randomUUID());
  const id = useId();
  const inputs = readInputs(text);
  const { problem, isBusy, run } = useDeed(onClose);
  const signIn = useSignIn();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!inputs.ok) return;
    const request = {
      ...{ pipelineId: pipeline.pipelineId, stageId: stage.stageId, idempotencyKey: key },
      reason: reason.trim(),
      ...(text !== before && inputs.value && { inputs: inputs.value }),
      instructions: told
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
    };
    void run(async () => {
      const { pipeline: made } = await orchestrator.rerunPipeline(request);
      if (made) navigate(runAddress(made.pipelineId, stage.stageId));
    });
  };
  return (
    <Sheet title={`Run again from ${stage.stageName || stage.stageId}`} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p className="muted">
          Starts a new run from this stage, with the results of the stages that do not depend on it. This run
          does not change.
        </p>
        <DecisionFields>
          <div className="field">
            <label htmlFor={id}>Inputs, as JSON</label>
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
              value={told}
              placeholder="Optional. One instruction per line"
              onChange={(event) => setTold(event.target.value)}
            />
          </label>
          <ReasonField reason={reason} onChange={setReason} autoFocus />
        </DecisionFields>
        {problem && <Trouble problem={problem} />}
        <div className="row">
          <SubmitButton
            isBusy={isBusy}
            missing={signIn.missing || (inputs.ok ? whyMissing(reason) : "The inputs have to be JSON first.")}
          >
            Start the run
          </SubmitButton>
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
        </div>
      </form>
    </Sheet>
  );
}
