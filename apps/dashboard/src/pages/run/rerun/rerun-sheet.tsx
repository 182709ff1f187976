import type { GetAttemptResponse, Pipeline, Stage } from "@baton/contract/messages";
import { type FormEvent, useId, useState } from "react";
import { ReasonField, whyMissing } from "../../../design/reason-field.tsx";
import { Sheet } from "../../../design/sheet.tsx";
import { SubmitButton } from "../../../design/submit-button.tsx";
import { Trouble } from "../../../design/trouble.tsx";
import { orchestrator } from "../../../hub/client.ts";
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
  return isSame || !inputs.value
    ? "The stage gets what it would get anyway."
    : "The stage gets these, in place of its own.";
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
          A new run begins with this stage, on the results of those that do not depend on it. This one stays
          as it is.
        </p>
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
          <span>What its agent is told</span>
          <textarea
            className="input"
            rows={2}
            value={told}
            placeholder="Nothing more than the contract says; a line is an instruction"
            onChange={(event) => setTold(event.target.value)}
          />
        </label>
        <ReasonField reason={reason} onChange={setReason} autoFocus />
        {problem && <Trouble problem={problem} />}
        <div className="row">
          <SubmitButton
            isBusy={isBusy}
            missing={inputs.ok ? whyMissing(reason) : "The inputs have to be JSON first."}
          >
            Begin the run
          </SubmitButton>
          <button type="button" className="button" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Sheet>
  );
}
