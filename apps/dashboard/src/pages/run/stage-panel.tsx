import type { Pipeline, Stage } from "@baton/contract/messages";
import { Badge, stageLook } from "../../design/status.tsx";
import { Ago, Span } from "../../design/time.tsx";
import { useWaitingIn } from "../../hub/waiting.tsx";

/** Everything about one stage. */
export function StagePanel({ pipeline, stage }: { readonly pipeline: Pipeline; readonly stage: Stage }) {
  const waiting = useWaitingIn(pipeline.pipelineId).some(({ stageId }) => stageId === stage.stageId);
  return (
    <section className="card" aria-labelledby="stage-name">
      <header>
        <h2 id="stage-name">{stage.stageName || stage.stageId}</h2>
        <Badge {...stageLook(stage.status, waiting)} />
      </header>
      <div className="card-body">
        <StageFacts stage={stage} />
      </div>
    </section>
  );
}

function StageFacts({ stage }: { readonly stage: Stage }) {
  const {
    taskType,
    assignedPackId,
    assignedInstanceId,
    attemptNumber,
    startedAt,
    finishedAt,
    waitingFor,
    result,
  } = stage;
  return (
    <dl className="facts">
      <dt>Type of task</dt>
      <dd>{taskType}</dd>
      {assignedPackId !== "" && (
        <>
          <dt>Agent</dt>
          <dd>
            {assignedPackId} <span className="quiet mono">{assignedInstanceId}</span>
          </dd>
        </>
      )}
      <dt>Attempt</dt>
      <dd>{attemptNumber === 0 ? "not sent yet" : attemptNumber}</dd>
      {startedAt && (
        <>
          <dt>First sent</dt>
          <dd>
            <Ago at={startedAt} />, {finishedAt ? "took" : "for"} <Span from={startedAt} to={finishedAt} />
          </dd>
        </>
      )}
      {waitingFor !== "" && (
        <>
          <dt>Waits for</dt>
          <dd>{waitingFor}</dd>
        </>
      )}
      {result?.status?.summary && (
        <>
          <dt>Result</dt>
          <dd>{result.status.summary}</dd>
        </>
      )}
    </dl>
  );
}
