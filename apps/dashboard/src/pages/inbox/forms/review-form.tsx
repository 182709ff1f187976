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
import { DecisionForm, linesOf, missingReason, ReasonField } from "../../../design/form.tsx";
import { orchestrator } from "../../../hub/client.ts";
import { useShortcut } from "../../../router/keys.ts";
import { useAction } from "../../../shell/use-action.ts";
import { decisionId, showDecision } from "../go-to-decision.ts";
import { Choice } from "./choice.tsx";
import { useDraft } from "./drafts.ts";

interface ReviewFormProps {
  readonly item: Escalation;
  readonly pipeline: Pipeline;
  readonly onDecided: () => void;
}

type Verdict = "approve" | "reject" | "fail" | "abort";

/** Approves, sends back with instructions, fails or aborts (A §4.3 step 6, §4.6). */
export function ReviewForm({ item, pipeline, onDecided }: ReviewFormProps) {
  const { escalationId, pipelineId, stageId, dispatchId } = item;
  const [verdict, setVerdict] = useDraft(escalationId, "verdict");
  const [reason, setReason] = useDraft(escalationId, "reason");
  const under = stagesUnderReview(pipeline, stageId);
  const [chosen, setTarget] = useDraft(escalationId, "target");
  // With parallel stages under review, a person selects one.
  const target = chosen || (under.length === 1 ? (under[0] ?? stageId) : "");
  const [instructions, setInstructions] = useDraft(escalationId, "instructions");
  const { problem, isBusy, run } = useAction(onDecided);
  const choose = (value: Verdict) => {
    setVerdict(value);
    showDecision();
  };
  useShortcut("a", "Approve", () => choose("approve"));
  useShortcut("r", "Send back", () => choose("reject"));
  const goesBack = canSendBack(pipeline);
  const decide = async () => {
    if (verdict === "abort") return orchestrator.abortPipeline({ pipelineId, reason });
    const rejection = {
      rewindTargetStage: goesBack ? target : "",
      instructions: linesOf(instructions),
      unfixable: verdict === "fail",
    };
    return orchestrator.reviewStage({
      ...{ pipelineId, stageId, dispatchId, reason },
      verdict:
        verdict === "approve" ? { case: "approval", value: {} } : { case: "rejection", value: rejection },
    });
  };
  const isLast = pipeline.stages.every(
    (stage) => stage.stageId === stageId || stage.finishedAt !== undefined,
  );
  const done: Readonly<Record<Verdict, string>> = {
    approve: isLast ? "Approved." : "Approved. The run continues.",
    reject: goesBack ? "Sent back with your instructions." : "Stage failed: no rejections left.",
    fail: "Stage failed.",
    abort: "Run aborted.",
  };
  const choice = { name: `verdict ${escalationId}`, chosen: verdict, onChoose: setVerdict };
  return (
    <DecisionForm
      id={decisionId}
      button="Decide"
      missing={missingDecision(verdict, goesBack && target === "") || missingReason(reason)}
      isBusy={isBusy}
      problem={problem}
      onSubmit={() => void run(decide, done[verdict as Verdict], item)}
    >
      <fieldset className="choices">
        <legend>Decide</legend>
        <Choice {...choice} value="approve" title="Approve" effect={ifApproved(pipeline, stageId)} />
        <Choice
          {...choice}
          value="reject"
          title={goesBack ? "Send back" : "Reject"}
          effect={
            goesBack && target === ""
              ? `Retries the stage that you select. Under review: ${list(under)}.`
              : ifRejected(pipeline, stageId, target)
          }
        >
          {goesBack && (
            <div className="choice-more">
              <label className="field">
                <span>Back to</span>
                <select className="input" value={target} onChange={(event) => setTarget(event.target.value)}>
                  {target === "" && <option value="">Select a stage</option>}
                  {rejectionTargets(pipeline, stageId).map((id) => (
                    <option key={id}>{id}</option>
                  ))}
                </select>
              </label>
              <label className="field">
                <span>Instructions for the next attempt, one per line</span>
                <textarea
                  className="input"
                  value={instructions}
                  onChange={(event) => setInstructions(event.target.value)}
                />
              </label>
            </div>
          )}
        </Choice>
        <Choice {...choice} value="fail" title="Fail the stage" effect={ifFailed(pipeline, stageId)} />
        <Choice {...choice} value="abort" title="Abort the run" effect={ifAborted} />
      </fieldset>
      <ReasonField reason={reason} onChange={setReason} />
    </DecisionForm>
  );
}

function missingDecision(verdict: string, lacksTarget: boolean): string {
  if (verdict === "") return "Select a decision first.";
  return verdict === "reject" && lacksTarget ? "Select the stage to send the work back to." : "";
}
