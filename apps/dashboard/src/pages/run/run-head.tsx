import { type Pipeline, PipelineStatus } from "@baton/contract/messages";
import type { ReactNode } from "react";
import { endOf, hasEnded } from "../../design/ends.ts";
import { formatSpan, msOf } from "../../design/format-time.ts";
import { Badge, runLook } from "../../design/status.tsx";
import { Ago, Span } from "../../design/time.tsx";
import { useWaitingIn } from "../../hub/waiting.tsx";
import { Link } from "../../router/link.tsx";
import { inboxAddress, recordAddress, runAddress } from "../../router/routes.ts";
import { labelWords } from "../runs/search-words.ts";
import { RunActions } from "./run-actions.tsx";

/** More questions would push the run off the screen. */
const maxQuestions = 2;

interface RunHeadProps {
  readonly pipeline: Pipeline;
  readonly onChanged: () => void;
  /** The result includes the reason why the run ended. */
  readonly isResultVisible: boolean;
  /** Further actions. */
  readonly children: ReactNode;
}

export function RunHead({ pipeline, onChanged, isResultVisible, children }: RunHeadProps) {
  const { pipelineId, pipelineName, templateId, status, statusReason, createdAt, origin, labels } = pipeline;
  const waiting = useWaitingIn(pipelineId);
  const isRepeated = waiting
    .slice(0, maxQuestions)
    .some(({ snapshot }) => snapshot?.problem === statusReason);
  const isBad = status === PipelineStatus.FAILED;
  return (
    <header className="stack tight">
      <div className="page-head">
        <h1 className="wrap">{pipelineName || pipelineId}</h1>
        <Badge {...runLook(pipeline)} />
        <span className="spring" />
        <RunActions pipeline={pipeline} onChanged={onChanged}>
          {children}
        </RunActions>
      </div>
      <p className="run-facts quiet">
        <span className="mono">{pipelineId}</span>
        {templateId !== "" && (
          <span>
            of <Link href={`/runs?template=${encodeURIComponent(templateId)}`}>{templateId}</Link>
          </span>
        )}
        {labels.map(({ name, value }) => (
          <Link key={name} className="label" href={`/runs?q=${encodeURIComponent(labelWords(name, value))}`}>
            {name}={value}
          </Link>
        ))}
        {origin && (
          <span title={origin.reason}>
            starts from {origin.stageId} of{" "}
            <Link href={runAddress(origin.pipelineId, origin.stageId)}>{origin.pipelineId}</Link> at revision{" "}
            {String(origin.revision)}
          </span>
        )}
        <Link href={recordAddress(pipelineId)}>Audit record</Link>
        <span className="counts">
          submitted <Ago at={createdAt} />
        </span>
        <span className="counts" title={countedText(pipeline)}>
          {hasEnded(pipeline) ? "took " : "elapsed "}
          <Span from={createdAt} to={endOf(pipeline)} />
        </span>
      </p>
      {statusReason !== "" && !isResultVisible && !isRepeated && (
        <p className={isBad ? "notice bad" : "notice asks"}>{statusReason}</p>
      )}
      {waiting.length > maxQuestions && (
        <p className="notice asks">
          <span>
            {waiting.length - maxQuestions} more need your input. <Link href="/inbox">Open the inbox</Link>
          </span>
        </p>
      )}
      {waiting.slice(0, maxQuestions).map(({ escalationId, snapshot }) => (
        <p className="notice asks question" key={escalationId}>
          <span>{snapshot?.problem}</span>
          <Link className="button primary small" href={inboxAddress(escalationId)}>
            Decide now
          </Link>
        </p>
      ))}
    </header>
  );
}

/** Explains the duration. */
function countedText({ createdAt, summary }: Pipeline): string {
  const [createdMs, startedMs] = [msOf(createdAt) ?? 0, msOf(summary?.timing?.startedAt)];
  const before =
    startedMs === undefined ? "" : `, ${formatSpan(startedMs - createdMs)} of it before the first attempt`;
  return `since submission, including waiting time${before}`;
}
