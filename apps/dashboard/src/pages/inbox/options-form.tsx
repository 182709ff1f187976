import type { Escalation } from "@baton/contract/messages";
import { ifAnswered } from "@baton/kernel/deciding";
import type { FormEvent } from "react";
import { ReasonField, whyMissing } from "../../design/reason-field.tsx";
import { SubmitButton } from "../../design/submit-button.tsx";
import { Trouble } from "../../design/trouble.tsx";
import { orchestrator } from "../../hub/client.ts";
import { Choice } from "./choice.tsx";
import { useDraft } from "./drafts.ts";
import { decisionId } from "./go-to-decision.ts";
import { useDeed } from "./use-deed.ts";

/** Answers with one of the options that the hub gives. */
export function OptionsForm({
  item,
  onDecided,
}: {
  readonly item: Escalation;
  readonly onDecided: () => void;
}) {
  const { escalationId, snapshot } = item;
  const [option, setOption] = useDraft(escalationId, "option");
  const [reason, setReason] = useDraft(escalationId, "reason");
  const { problem, isBusy, run } = useDeed(onDecided);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const deed = () => orchestrator.resolveEscalation({ escalationId, resolution: option, reason });
    void run(deed, `Answered: ${option}.`, item);
  };
  return (
    <form id={decisionId} className="stack decision" onSubmit={submit}>
      <fieldset className="choices">
        <legend>Decide</legend>
        {(snapshot?.options ?? []).map((one) => (
          <Choice
            key={one}
            name={`option ${escalationId}`}
            value={one}
            chosen={option}
            title={one.charAt(0).toUpperCase() + one.slice(1)}
            tells={ifAnswered(one)}
            onChoose={setOption}
          />
        ))}
      </fieldset>
      <ReasonField reason={reason} onChange={setReason} />
      {problem && <Trouble problem={problem} />}
      <div className="row">
        <SubmitButton
          isBusy={isBusy}
          missing={option === "" ? "Choose what is to happen first." : whyMissing(reason)}
        >
          Decide
        </SubmitButton>
      </div>
    </form>
  );
}
