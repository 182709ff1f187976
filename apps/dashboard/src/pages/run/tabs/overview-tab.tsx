import { Confidence, StageStatus, type Usage } from "@baton/contract/messages";
import { nothingChecked } from "@baton/kernel/deciding";
import { takenFrom } from "../../../design/ends.ts";
import { costText, modelName, tokensText } from "../../../design/spent.ts";
import { Badge } from "../../../design/status.tsx";
import { Ago, Span } from "../../../design/time.tsx";
import { Link } from "../../../router/link.tsx";
import { runAddress } from "../../../router/routes.ts";
import { endingLook, formerText } from "../ending.ts";
import { Alignment } from "./alignment.tsx";
import { failureOf } from "./evidence.ts";
import { Guardrails } from "./guardrails.tsx";
import { StepList } from "./step-list.tsx";
import { Part, type TabProps, Texts } from "./tab.tsx";

/** These stages wait for nothing: the attempt has their reason. */
const atRest: ReadonlySet<StageStatus> = new Set([StageStatus.FAILED, StageStatus.SKIPPED]);

export function OverviewTab({ pipeline, stage, summary, attempt }: TabProps) {
  const result = attempt?.result;
  const feedback = attempt?.envelope?.reviewFeedback;
  return (
    <div className="stack">
      <TakenOver pipeline={pipeline} stage={stage} />
      <dl className="facts">
        <dt>Task type</dt>
        <dd>{stage.taskType}</dd>
        {summary && (
          <>
            <dt>Agent</dt>
            <dd>
              {summary.packId} <span className="quiet mono">{summary.instanceId}</span>
            </dd>
            <dt>Attempt {summary.attemptNumber}</dt>
            <dd className="row">
              <Badge {...endingLook(summary)} />
              {formerText(summary) !== "" && <span>{formerText(summary)}</span>}
              <span className="quiet">
                sent <Ago at={summary.sentAt} />, {summary.receivedAt ? "answered after" : "running for"}{" "}
                <Span from={summary.sentAt} to={summary.receivedAt ?? summary.endedAt} />
              </span>
            </dd>
          </>
        )}
        {summary?.unchecked && (
          <>
            <dt>Checked</dt>
            <dd>{nothingChecked}</dd>
          </>
        )}
        {summary?.checksUnknown && (
          <>
            <dt>Checked</dt>
            <dd>Unknown: too many attempts were accepted since.</dd>
          </>
        )}
        {result?.status && (
          <>
            <dt>Answer</dt>
            <dd>
              {result.status.summary || result.status.failureReason}
              {result.status.confidence === Confidence.UNCERTAIN && (
                <span className="quiet"> (uncertain)</span>
              )}
            </dd>
          </>
        )}
        {result?.usage && (
          <>
            <dt>Usage</dt>
            <dd>{usageText(result.usage)}</dd>
          </>
        )}
        {summary && summary.reason !== "" && (
          <>
            <dt>Reason</dt>
            <dd>{summary.reason}</dd>
          </>
        )}
        {stage.waitingFor !== "" && !atRest.has(stage.status) && (
          <>
            <dt>Waiting for</dt>
            <dd>{stage.waitingFor}</dd>
          </>
        )}
      </dl>
      {summary && <StepList pipelineId={pipeline.pipelineId} summary={summary} />}
      {feedback && (
        <Part title={`Feedback on attempt ${feedback.rejectedAttempt}`}>
          <ul className="texts">
            {feedback.failedChecks.map((failed) => (
              <li key={failed.checkName + failed.reason} className="wrap">
                <strong>{failed.checkName}</strong> {failureOf(failed)}
              </li>
            ))}
          </ul>
          <Texts title="Instructions" texts={feedback.instructions} />
        </Part>
      )}
      <Texts title="Notices" texts={result?.notices} />
      <Guardrails stage={stage} />
      <Alignment report={stage.alignment ?? pipeline.alignment} />
      <Texts title="Blockers" texts={result?.blockers.map(({ description }) => description)} />
      <Texts title="Ignored" texts={attempt?.disregarded} />
      {summary === undefined && stage.dispatchId === "" && <p className="quiet">Not dispatched yet.</p>}
    </div>
  );
}

function TakenOver({ pipeline, stage }: Pick<TabProps, "pipeline" | "stage">) {
  const from = takenFrom(stage, pipeline);
  if (from === "") return null;
  return (
    <p>
      The result comes from run <Link href={runAddress(from, stage.stageId)}>{from}</Link>.
    </p>
  );
}

function usageText(usage: Usage): string {
  const { inputTokens, outputTokens, steps, models } = usage;
  const parts = [
    inputTokens + outputTokens > 0n ? tokensText(usage) : "",
    costText(usage),
    steps > 0 ? `${steps} ${steps === 1 ? "step" : "steps"}` : "",
    models.map(modelName).join(", "),
  ];
  return parts.filter(Boolean).join(" · ") || "none reported";
}
