import type { Escalation } from "@baton/contract/messages";
import { ifAborted } from "@baton/kernel/deciding";
import type { FormEvent } from "react";
import { DecisionFields } from "../../design/decision-fields.tsx";
import { ReasonField, whyMissing } from "../../design/reason-field.tsx";
import { SubmitButton } from "../../design/submit-button.tsx";
import { Trouble } from "../../design/trouble.tsx";
import { orchestrator } from "../../hub/client.ts";
import { useSignIn } from "../../hub/sign-in.ts";
import { Choice } from "./choice.tsx";
import { useDraft } from "./drafts.ts";
import { decisionId } from "./go-to-decision.ts";
import { useDeed } from "./use-deed.ts";

/** An answer says itself why it is given; to abort does not. */
const usualReason = "answers the agent's question";

/** Answers what an agent asks: the answer goes to its next attempt (SACP §2.2). */
export function AnswerForm({
  item,
  onDecided,
}: {
  readonly item: Escalation;
  readonly onDecided: () => void;
}) {
  const { escalationId, stageId } = item;
  const [way, setWay] = useDraft(escalationId, "way", "answer");
  const [answer, setAnswer] = useDraft(escalationId, "answer");
  const [reason, setReason] = useDraft(escalationId, "reason");
  const { problem, isBusy, run } = useDeed(onDecided);
  const signIn = useSignIn();
  const isAnswer = way === "answer";
  const missing = isAnswer ? answerMissing(answer) : whyMissing(reason);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const resolution = isAnswer ? answer.trim() : "abort";
    const done = isAnswer ? "Answered. The agent goes on with it." : "The run is aborted.";
    void run(
      () =>
        orchestrator.resolveEscalation({ escalationId, resolution, reason: reason.trim() || usualReason }),
      done,
      item,
    );
  };
  const choice = { name: `way ${escalationId}`, chosen: way, onChoose: setWay };
  const tells = `${stageId} is tried again with your answer. It does not count as a retry.`;
  return (
    <form id={decisionId} className="stack decision" onSubmit={submit}>
      <DecisionFields>
        <fieldset className="choices">
          <legend>Decide</legend>
          <Choice {...choice} value="answer" title="Answer" tells={tells}>
            <div className="choice-more">
              <label className="field">
                <span>Your answer</span>
                <textarea
                  className="input"
                  value={answer}
                  onChange={(event) => setAnswer(event.target.value)}
                />
              </label>
            </div>
          </Choice>
          <Choice {...choice} value="abort" title="Abort the run" tells={ifAborted} />
        </fieldset>
        {!isAnswer && <ReasonField reason={reason} onChange={setReason} />}
      </DecisionFields>
      {problem && <Trouble problem={problem} />}
      <div className="row">
        <SubmitButton isBusy={isBusy} isGrave={!isAnswer} missing={signIn.missing || missing}>
          {isAnswer ? "Answer" : "Abort"}
        </SubmitButton>
      </div>
    </form>
  );
}

function answerMissing(answer: string): string {
  return answer.trim() === "" ? "Write an answer first." : "";
}
