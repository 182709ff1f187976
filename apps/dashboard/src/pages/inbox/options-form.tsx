import type { Escalation, ResolveEscalationResponse } from "@baton/contract/messages";
import { ifAnswered } from "@baton/kernel/deciding";
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
import { countOf } from "./same-cause.tsx";
import { useDeed } from "./use-deed.ts";

interface OptionsFormProps {
  readonly item: Escalation;
  /** With the same cause, itself included. */
  readonly group: readonly Escalation[];
  readonly onDecided: (alsoDecided: readonly string[]) => void;
}

/** Answers with one of the options that the hub gives, for all that wait for the same cause or for one. */
export function OptionsForm({ item, group, onDecided }: OptionsFormProps) {
  const { escalationId, snapshot } = item;
  const [option, setOption] = useDraft(escalationId, "option");
  const [reason, setReason] = useDraft(escalationId, "reason");
  const [scope, setScope] = useDraft(escalationId, "scope", "all");
  const sameCause = group.length > 1 && scope === "all";
  const { problem, isBusy, run } = useDeed<ResolveEscalationResponse>(({ alsoResolved }) =>
    onDecided(alsoResolved),
  );
  const signIn = useSignIn();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const deed = () =>
      orchestrator.resolveEscalation({ escalationId, resolution: option, reason, sameCause });
    void run(deed, ({ alsoResolved }) => answered(option, item, alsoResolved), item);
  };
  return (
    <form id={decisionId} className="stack decision" onSubmit={submit}>
      <DecisionFields>
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
        {group.length > 1 && (
          <label className="row">
            <input
              type="checkbox"
              checked={sameCause}
              onChange={({ target }) => setScope(target.checked ? "all" : "one")}
            />
            Give the same answer to all {countOf(group)}
          </label>
        )}
        <ReasonField reason={reason} onChange={setReason} />
      </DecisionFields>
      {problem && <Trouble problem={problem} />}
      <div className="row">
        <SubmitButton
          isBusy={isBusy}
          missing={signIn.missing || (option === "" ? "Choose a decision first." : whyMissing(reason))}
        >
          {sameCause ? `Decide for ${countOf(group)}` : "Decide"}
        </SubmitButton>
      </div>
    </form>
  );
}

/** The hub knows how many it was for: some may have gone on by themselves. */
function answered(option: string, { pipelineId }: Escalation, also: readonly string[]): string {
  const { size } = new Set([pipelineId, ...also.map((id) => id.slice(0, id.lastIndexOf("/")))]);
  return size > 1 ? `Answered in ${size} runs: ${option}.` : `Answered: ${option}.`;
}
