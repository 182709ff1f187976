import type { Escalation } from "@baton/contract/messages";
import { ifAborted } from "@baton/kernel/deciding";
import { DecisionForm, missingReason, ReasonField } from "../../../design/form.tsx";
import { orchestrator } from "../../../hub/client.ts";
import { useAction } from "../../../shell/use-action.ts";
import { decisionId } from "../go-to-decision.ts";
import { Choice } from "./choice.tsx";
import { useDraft } from "./drafts.ts";

/** An answer needs no reason of its own; aborting does. */
const defaultReason = "answers the agent's question";

interface AnswerFormProps {
  readonly item: Escalation;
  readonly onDecided: () => void;
}

/** Answers the question of an agent. The answer goes to its next attempt (SACP §2.2). */
export function AnswerForm({ item, onDecided }: AnswerFormProps) {
  const { escalationId, stageId } = item;
  const [way, setWay] = useDraft(escalationId, "way", "answer");
  const [answer, setAnswer] = useDraft(escalationId, "answer");
  const [reason, setReason] = useDraft(escalationId, "reason");
  const { problem, isBusy, run } = useAction(onDecided);
  const isAnswer = way === "answer";
  const answerMissing = answer.trim() === "" ? "Enter an answer first." : "";
  const submit = () => {
    const resolution = isAnswer ? answer.trim() : "abort";
    const request = { escalationId, resolution, reason: reason.trim() || defaultReason };
    const done = isAnswer ? "Answer sent to the agent." : "Run aborted.";
    void run(() => orchestrator.resolveEscalation(request), done, item);
  };
  const choice = { name: `way ${escalationId}`, chosen: way, onChoose: setWay };
  return (
    <DecisionForm
      id={decisionId}
      button={isAnswer ? "Answer" : "Abort"}
      missing={isAnswer ? answerMissing : missingReason(reason)}
      isBusy={isBusy}
      isGrave={!isAnswer}
      problem={problem}
      onSubmit={submit}
    >
      <fieldset className="choices">
        <legend>Decide</legend>
        <Choice
          {...choice}
          value="answer"
          title="Answer"
          effect={`Retries ${stageId} with your answer. It does not count as a retry.`}
        >
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
        <Choice {...choice} value="abort" title="Abort the run" effect={ifAborted} />
      </fieldset>
      {!isAnswer && <ReasonField reason={reason} onChange={setReason} />}
    </DecisionForm>
  );
}
