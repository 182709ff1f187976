import type { Escalation, ResolveEscalationResponse } from "@baton/contract/messages";
import { ifAnswered } from "@baton/kernel/deciding";
import type { JsonObject } from "@bufbuild/protobuf";
import { DecisionForm, missingReason, ReasonField } from "../../../design/form.tsx";
import { orchestrator } from "../../../hub/client.ts";
import { useAction } from "../../../shell/use-action.ts";
import { decisionId } from "../go-to-decision.ts";
import { countOf } from "../same-cause.tsx";
import { Choice } from "./choice.tsx";
import { useDraft } from "./drafts.ts";

interface OptionsFormProps {
  readonly item: Escalation;
  /** The questions with the same cause, this one included. */
  readonly group: readonly Escalation[];
  readonly onDecided: (alsoDecided: readonly string[]) => void;
}

/** Answers with one of the hub's options, for this question or for all with the same cause. */
export function OptionsForm({ item, group, onDecided }: OptionsFormProps) {
  const { escalationId, snapshot } = item;
  const [option, setOption] = useDraft(escalationId, "option");
  const [reason, setReason] = useDraft(escalationId, "reason");
  const [scope, setScope] = useDraft(escalationId, "scope", "all");
  const sameCause = group.length > 1 && scope === "all";
  const { problem, isBusy, run } = useAction<ResolveEscalationResponse>(({ alsoResolved }) =>
    onDecided(alsoResolved),
  );
  const { toolCall } = snapshot ?? {};
  const [edited, setEdited] = useDraft(escalationId, "arguments", toolCall?.argumentsJson ?? "");
  const args = option === "edit" ? readObject(edited) : undefined;
  const submit = () => {
    const request = { escalationId, resolution: option, reason, sameCause, ...(args && { arguments: args }) };
    void run(
      () => orchestrator.resolveEscalation(request),
      ({ alsoResolved }) => answeredText(option, item, alsoResolved),
      item,
    );
  };
  return (
    <DecisionForm
      id={decisionId}
      button={sameCause ? `Decide for ${countOf(group)}` : "Decide"}
      missing={missingPart(option, args) ?? missingReason(reason)}
      isBusy={isBusy}
      problem={problem}
      onSubmit={submit}
    >
      <fieldset className="choices">
        <legend>Decide</legend>
        {(snapshot?.options ?? []).map((one) => (
          <Choice
            key={one}
            name={`option ${escalationId}`}
            value={one}
            chosen={option}
            title={one.charAt(0).toUpperCase() + one.slice(1)}
            effect={ifAnswered(one)}
            onChoose={setOption}
          />
        ))}
      </fieldset>
      {toolCall && (
        <label className="field">
          <span>
            {option === "edit" ? "Arguments to use instead, as JSON" : `Arguments of ${toolCall.tool}`}
          </span>
          <textarea
            className="input mono"
            spellCheck={false}
            value={option === "edit" ? edited : toolCall.argumentsJson}
            rows={6}
            readOnly={option !== "edit"}
            onChange={({ target }) => setEdited(target.value)}
          />
        </label>
      )}
      {group.length > 1 && (
        <label className="row">
          <input
            type="checkbox"
            checked={sameCause}
            onChange={({ target }) => setScope(target.checked ? "all" : "one")}
          />
          Apply this answer to all {countOf(group)}
        </label>
      )}
      <ReasonField reason={reason} onChange={setReason} />
    </DecisionForm>
  );
}

/** The hub reports which questions it resolved: some may have been resolved before. */
function answeredText(option: string, { pipelineId }: Escalation, also: readonly string[]): string {
  const { size } = new Set([pipelineId, ...also.map((id) => id.slice(0, id.lastIndexOf("/")))]);
  return size > 1 ? `Answered in ${size} runs: ${option}.` : `Answered: ${option}.`;
}

function missingPart(option: string, args: JsonObject | undefined): string | undefined {
  if (option === "") return "Select a decision first.";
  return option === "edit" && !args ? "Write the arguments as a JSON object." : undefined;
}

function readObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}
