import { type Pipeline, PipelineStatus, StageStatus } from "@baton/contract/messages";
import { endOf, takenFrom } from "../../design/ends.ts";
import { Badge, runLook, stageLook } from "../../design/status.tsx";
import { Ago, Span } from "../../design/time.tsx";
import { useKnownToWait } from "../../hub/waiting.tsx";
import { Link } from "../../router/link.tsx";
import { runAddress } from "../../router/routes.ts";

export function RunRow({ pipeline }: { readonly pipeline: Pipeline }) {
  const { pipelineId, pipelineName, templateId, stages, createdAt } = pipeline;
  const waiting = useKnownToWait(pipelineId);
  return (
    <li>
      <Link className="run-row" href={runAddress(pipelineId)} data-row>
        <span className="run-status">
          <Badge {...runLook(pipeline)} />
        </span>
        <span className="run-name">
          <strong className="clip">{pipelineName || pipelineId}</strong>
          <span className="quiet clip">
            {templateId !== "" && `${templateId} · `}
            <span className="mono">{pipelineId}</span>
          </span>
        </span>
        <StageDots pipeline={pipeline} waiting={new Set(waiting.map(({ stageId }) => stageId))} />
        <span className="run-now muted clip">{nowText(pipeline)}</span>
        <span className="run-when quiet">
          <Ago at={createdAt} />
          <span>
            {stages.some((stage) => stage.startedAt) && <Span from={createdAt} to={endOf(pipeline)} />}
          </span>
        </span>
      </Link>
    </li>
  );
}

const maxDots = 24;

function StageDots({
  pipeline,
  waiting,
}: {
  readonly pipeline: Pipeline;
  readonly waiting: ReadonlySet<string>;
}) {
  const { stages } = pipeline;
  const done = stages.filter(({ status }) => status === StageStatus.COMPLETED).length;
  return (
    <span className="run-dots" title={`${done} of ${stages.length} stages completed`}>
      <span className="dots" aria-hidden="true">
        {stages.slice(0, maxDots).map((stage) => (
          <i
            key={stage.stageId}
            className={stageLook(stage, pipeline, { waitsForPerson: waiting.has(stage.stageId) }).tone}
          />
        ))}
      </span>
      <span className="quiet">
        {done}/{stages.length}
        <span className="sr"> stages completed</span>
      </span>
    </span>
  );
}

/** What the run does, or how it ended. */
function nowText(pipeline: Pipeline): string {
  const { status, stages, statusReason, summary } = pipeline;
  if (status === PipelineStatus.COMPLETED) {
    const here = stages.filter((stage) => takenFrom(stage, pipeline) === "");
    const attempts = here.reduce((sum, { attemptNumber }) => sum + attemptNumber, 0);
    const sentBack = summary?.totalRejections ?? 0;
    const retried = attempts > here.length ? `${attempts} attempts` : "";
    return [retried, sentBack > 0 ? `${sentBack} sent back` : ""].filter(Boolean).join(", ");
  }
  if (statusReason !== "") return statusReason;
  const active = stages.filter(
    (stage) => stage.status === StageStatus.DISPATCHED || stage.status === StageStatus.READY,
  );
  return active
    .map(({ stageId, assignedPackId, waitingFor }) => {
      return assignedPackId !== ""
        ? `${stageId} · ${assignedPackId}`
        : `${stageId}: waiting for ${waitingFor}`;
    })
    .join(", ");
}
