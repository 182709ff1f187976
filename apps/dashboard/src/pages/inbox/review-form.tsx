import { type Escalation, type Pipeline, StageStatus } from "@baton/contract/messages";
import { before, ifAborted, ifApproved, ifFailed, ifRejected } from "@baton/kernel/deciding";
import type { FormEvent } from "react";
import { ReasonField, whyMissing } from "../../design/reason-field.tsx";
import { SubmitButton } from "../../design/submit-button.tsx";
import { Trouble } from "../../design/trouble.tsx";
import { orchestrator } from "../../hub/client.ts";
import { useShortcut } from "../../router/keys.ts";
import { Choice } from "./choice.tsx";
import { useDraft } from "./drafts.ts";
import { useDeed } from "./use-deed.ts";

interface ReviewFormProps {
  readonly item: Escalation;
  readonly pipeline: Pipeline;
  readonly onDecided: () => void;
}

type Verdict = "approve" | "reject" | "fail" | "abort";

const done: Readonly<Record<Verdict, string>> = {
  approve: "Approved. The run goes on.",
  reject: "Sent back with your instructions.",
  fail: "The stage has failed.",
  abort: "The run is aborted.",
};

/** Approves, sends back with instructions, fails or aborts (A §4.3 step 6, §4.6). */
export function ReviewForm({ item, pipeline, onDecided }: ReviewFormProps) {
  const { escalationId, pipelineId, stageId, dispatchId } = item;
  const [verdict, setVerdict] = useDraft(escalationId, "verdict");
  const [reason, setReason] = useDraft(escalationId, "reason");
  const [target, setTarget] = useDraft(escalationId, "target", stageId);
  const [instructions, setInstructions] = useDraft(escalationId, "instructions");
  const { problem, isBusy, run } = useDeed(onDecided);
  useShortcut("a", "Approve", () => setVerdict("approve"));
  useShortcut("r", "Send back", () => setVerdict("reject"));
  const isDone = (id: string) =>
    pipeline.stages.find((one) => one.stageId === id)?.status === StageStatus.COMPLETED;
  const targets = [stageId, ...before(pipeline.stages, stageId).filter(isDone).toReversed()];
  const decide = async () => {
    if (verdict === "abort") return orchestrator.abortPipeline({ pipelineId, reason });
    const rejection = {
      rewindTargetStage: target,
      instructions: instructions
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
      unfixable: verdict === "fail",
    };
    return orchestrator.reviewStage({
      ...{ pipelineId, stageId, dispatchId, reason },
      verdict:
        verdict === "approve" ? { case: "approval", value: {} } : { case: "rejection", value: rejection },
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(decide, done[verdict as Verdict], item);
  };
  const choice = { name: `verdict ${escalationId}`, chosen: verdict, onChoose: setVerdict };
  return (
    <form className="stack decision" onSubmit={submit}>
      <fieldset className="choices">
        <legend>Decide</legend>
        <Choice {...choice} value="approve" title="Approve" tells={ifApproved(pipeline, stageId)} />
        <Choice {...choice} value="reject" title="Send back" tells={ifRejected(pipeline, stageId, target)}>
          <div className="choice-more">
            <label className="field">
              <span>Back to</span>
              <select className="input" value={target} onChange={(event) => setTarget(event.target.value)}>
                {targets.map((id) => (
                  <option key={id}>{id}</option>
                ))}
              </select>
            </label>
            <label className="field">
              <span>What to do differently, one instruction a line</span>
              <textarea
                className="input"
                value={instructions}
                onChange={(event) => setInstructions(event.target.value)}
              />
            </label>
          </div>
        </Choice>
        <Choice {...choice} value="fail" title="Fail the stage" tells={ifFailed(pipeline, stageId)} />
        <Choice {...choice} value="abort" title="Abort the run" tells={ifAborted} />
      </fieldset>
      <ReasonField reason={reason} onChange={setReason} />
      {problem && <Trouble problem={problem} />}
      <div className="row">
        <SubmitButton
          isBusy={isBusy}
          missing={verdict === "" ? "Choose what is to happen first." : whyMissing(reason)}
        >
          Decide
        </SubmitButton>
      </div>
    </form>
  );
}
