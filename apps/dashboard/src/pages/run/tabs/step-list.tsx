import { type AttemptSummary, type StepRecord, StepState } from "@baton/contract/messages";
import { costText, tokensText } from "../../../design/spent.ts";
import { VisibleText } from "../../../design/visible-text.tsx";
import { useSteps } from "../use-attempts.ts";
import { Part } from "./tab.tsx";

/** The durable steps of an attempt: what a later attempt at the same work need not do again. */
export function StepList({
  pipelineId,
  summary,
}: {
  readonly pipelineId: string;
  readonly summary: AttemptSummary;
}) {
  const { steps = [], nextPageToken = "" } = useSteps(pipelineId, summary).value ?? {};
  if (steps.length === 0) return null;
  return (
    <Part title="Steps">
      <ul className="texts">
        {steps.map((record) => (
          <li
            key={`${record.step?.argumentsDigest}/${record.step?.occurrence}/${record.step?.name}`}
            className="wrap"
          >
            <VisibleText text={record.step?.name ?? ""} /> <span className="quiet">{describe(record)}</span>
          </li>
        ))}
        {nextPageToken !== "" && <li className="quiet">and more</li>}
      </ul>
    </Part>
  );
}

const states: Readonly<Record<StepState, string>> = {
  [StepState.UNSPECIFIED]: "",
  [StepState.STARTED]: "began, end unknown",
  [StepState.COMPLETED]: "completed",
  [StepState.FAILED]: "failed",
};

function describe({ step, valueBytes }: StepRecord): string {
  const { state = StepState.UNSPECIFIED, occurrence = 1, usage } = step ?? {};
  const hasTokens = usage !== undefined && usage.inputTokens + usage.outputTokens > 0n;
  return [
    occurrence > 1 ? `use ${occurrence}` : "",
    states[state],
    hasTokens ? tokensText(usage) : "",
    usage ? costText(usage) : "",
    valueBytes > 0 ? `${valueBytes} bytes` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}
