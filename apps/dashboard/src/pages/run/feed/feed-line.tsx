import { ToolStatus } from "@baton/contract/messages";
import { formatClock, formatSpan } from "../../../design/format-time.ts";
import { Sign } from "../../../design/signs.tsx";
import { type FeedItem, textOf } from "./feed-store.ts";

interface FeedLineProps {
  readonly item: FeedItem;
  readonly withStage: boolean;
  /** Attempts that asked and were answered. */
  readonly answered: ReadonlySet<string>;
}

/** A line of the feed. Agent output is rendered as text only. */
export function FeedLine({ item, withStage, answered }: FeedLineProps) {
  const { kind, atMs, stageId, status, durationMs } = item;
  return (
    <div className={`feed-line ${kind}`}>
      {atMs === 0 ? (
        <span />
      ) : (
        <time className="quiet mono" dateTime={new Date(atMs).toISOString()}>
          {formatClock(atMs)}
        </time>
      )}
      <div className="feed-text wrap">
        {withStage && stageId !== "" && <span className="feed-stage">{stageId}</span>}
        {kind === "tool" && <ToolSign status={status} />}
        {textOf(item, answered)}
        {durationMs !== undefined && <span className="quiet"> {formatSpan(durationMs)}</span>}
      </div>
    </div>
  );
}

function ToolSign({ status }: { readonly status: ToolStatus | undefined }) {
  if (status === undefined) return <Sign name="running" />;
  const word = status === ToolStatus.SUCCESS ? "" : status === ToolStatus.TIMEOUT ? "timed out" : "failed";
  return (
    <span className={status === ToolStatus.SUCCESS ? "tool-good" : "tool-bad"}>
      <Sign name={status === ToolStatus.SUCCESS ? "done" : "failed"} />
      {word !== "" && <span className="sr">{word}</span>}
    </span>
  );
}
