import { GuardrailDecision } from "@baton/contract/messages";
import { Part, type TabProps } from "./tab.tsx";

/** What guardrails decided about the last answer. */
export function Guardrails({ stage: { guardrails } }: Pick<TabProps, "stage">) {
  if (guardrails.length === 0) return null;
  return (
    <Part title="Guardrails">
      <ul className="texts">
        {guardrails.map(({ name, decision, reason, path }) => (
          <li key={name} className="wrap">
            <strong>{name}</strong> {guardrailWords[decision]}
            {reason !== "" && `: ${reason}`}
            {path !== "" && ` (${path})`}
          </li>
        ))}
      </ul>
    </Part>
  );
}

const guardrailWords: Readonly<Record<GuardrailDecision, string>> = {
  [GuardrailDecision.UNSPECIFIED]: "unknown",
  [GuardrailDecision.PASSED]: "passed",
  [GuardrailDecision.BLOCKED]: "blocked the answer",
  [GuardrailDecision.ERROR]: "blocked the answer, because it failed",
  [GuardrailDecision.REDACTED]: "redacted the message",
};
