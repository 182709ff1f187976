import type { Escalation, Pipeline } from "@baton/contract/messages";
import {
  canSendBack,
  ifAborted,
  ifApproved,
  ifFailed,
  ifRejected,
  list,
  rejectionTargets,
  stagesUnderReview,
} from "@baton/kernel/deciding";
import type { FormEvent } from "react";
import { DecisionFields } from "../../design/decision-fields.tsx";
import { ReasonField, whyMissing } from "../../design/reason-field.tsx";
import { SubmitButton } from "../../design/submit-button.tsx";
import { Trouble } from "../../design/trouble.tsx";
import { orchestrator } from "../../hub/client.ts";
import { useSignIn } from "../../hub/sign-in.ts";
import { useShortcut } from "../../router/keys.ts";
import { Choice } from "./choice.tsx";
import { useDraft } from "./drafts.ts";
import { decisionId, showDecision } from "./go-to-decision.ts";
import { useDeed } from "./use-deed.ts";

interface ReviewFormProps {
  readonly item: Escalation;
  readonly pipeline: Pipeline;
  readonly onDecided: () => void;
}

type Verdict = "approve" | "reject" | "fail" | "abort";

const done: Readonly<Record<Verdict, string>> = {
  approve: "Approved.",
  reject: "Sent back with your instructions.",
  fail: "The stage has failed.",
  abort: "The run is aborted.",
};

/** Approves, sends back with instructions, fails or aborts (A §4.3 step 6, §4.6). */
export function ReviewForm({ item, pipeline, onDecided }: ReviewFormProps) {
  const { escalationId, pipelineId, stageId, dispatchId } = item;
  const [verdict, setVerdict] = useDraft(escalationId, "verdict");
  const [reason, setReason] = useDraft(escalationId, "reason");
  const under = stagesUnderReview(pipeline, stageId);
  const [chosen, setTarget] = useDraft(escalationId, "target");
  // Of stages side by side a person has to choose one.
  const target = chosen || (under.length === 1 ? (under[0] ?? stageId) : "");
  const [instructions, setInstructions] = useDraft(escalationId, "instructions");
  const { problem, isBusy, run } = useDeed(onDecided);
  const choose = (value: Verdict) => {
    setVerdict(value);
    showDecision();
  };
  useShortcut("a", "Approve", () => choose("approve"));
  useShortcut("r", "Send back", () => choose("reject"));
  const signIn = useSignIn();
  const goesBack = canSendBack(pipeline);
  const decide = async () => {
    if (verdict === "abort") return orchestrator.abortPipeline({ pipelineId, reason });
    const rejection = {
      rewindTargetStage: goesBack ? target : "",
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
    const isLast = pipeline.stages.every(
      (stage) => stage.stageId === stageId || stage.finishedAt !== undefined,
    );
    const goesOn = verdict === "approve" && !isLast ? "Approved. The run goes on." : "";
    const said = verdict === "reject" && !goesBack ? "No rejection was left: the stage has failed." : "";
    void run(decide, goesOn || said || done[verdict as Verdict], item);
  };
  const choice = { name: `verdict ${escalationId}`, chosen: verdict, onChoose: setVerdict };
  return (
    <form id={decisionId} className="stack decision" onSubmit={submit}>
      <DecisionFields>
        <fieldset className="choices">
          <legend>Decide</legend>
          <Choice {...choice} value="approve" title="Approve" tells={ifApproved(pipeline, stageId)} />
          <Choice
            {...choice}
            value="reject"
            title={goesBack ? "Send back" : "Reject"}
            tells={
              goesBack && target === ""
                ? `The stage that you choose is tried again: ${list(under)} are under review.`
                : ifRejected(pipeline, stageId, target)
            }
          >
            {goesBack && (
              <div className="choice-more">
                <label className="field">
                  <span>Back to</span>
                  <select
                    className="input"
                    value={target}
                    onChange={(event) => setTarget(event.target.value)}
                  >
                    {target === "" && <option value="">Choose a stage</option>}
                    {rejectionTargets(pipeline, stageId).map((id) => (
                      <option key={id}>{id}</option>
                    ))}
                  </select>
                </label>
                <label className="field">
                  <span>What to do differently, one instruction per line</span>
                  <textarea
                    className="input"
                    value={instructions}
                    onChange={(event) => setInstructions(event.target.value)}
                  />
                </label>
              </div>
            )}
          </Choice>
          <Choice {...choice} value="fail" title="Fail the stage" tells={ifFailed(pipeline, stageId)} />
          <Choice {...choice} value="abort" title="Abort the run" tells={ifAborted} />
        </fieldset>
        <ReasonField reason={reason} onChange={setReason} />
      </DecisionFields>
      {problem && <Trouble problem={problem} />}
      <div className="row">
        <SubmitButton
          isBusy={isBusy}
          missing={signIn.missing || missing(verdict, goesBack && target === "") || whyMissing(reason)}
        >
          Decide
        </SubmitButton>
      </div>
    </form>
  );
}

function missing(verdict: string, lacksTarget: boolean): string {
  if (verdict === "") return "Choose a decision first.";
  return verdict === "reject" && lacksTarget ? "Choose the stage that the work goes back to." : "";
}
