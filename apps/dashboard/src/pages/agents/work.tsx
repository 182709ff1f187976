import { type AgentAttempt, AgentAttemptOutcome, type AgentWork } from "@baton/contract/messages";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { useState } from "react";
import { formatSpan } from "../../design/format-time.ts";
import { Badge } from "../../design/status.tsx";
import { Ago, Span } from "../../design/time.tsx";
import { Link } from "../../router/link.tsx";
import { runAddress } from "../../router/routes.ts";

const outcomes = {
  [AgentAttemptOutcome.UNSPECIFIED]: { word: "Unknown", tone: "quiet", sign: "pending" },
  [AgentAttemptOutcome.SUCCEEDED]: { word: "Succeeded", tone: "good", sign: "done" },
  [AgentAttemptOutcome.FAILED]: { word: "Failed", tone: "bad", sign: "failed" },
  [AgentAttemptOutcome.INVALID]: { word: "Invalid result", tone: "bad", sign: "failed" },
  [AgentAttemptOutcome.LOST]: { word: "Lost", tone: "bad", sign: "failed" },
  [AgentAttemptOutcome.CANCELLED]: { word: "Cancelled", tone: "quiet", sign: "stopped" },
} as const;

/** `3 of 3 failed`, or `last 3 failed` where others succeeded before. */
export function describeFailures({ succeeded, failed, consecutiveFailures: row }: AgentWork): string {
  return row === succeeded + failed ? `${row} of ${row} failed` : `last ${row} failed`;
}

/** The success rate of recent attempts, with one mark per attempt, the newest last. */
export function Success({ work }: { readonly work: AgentWork | undefined }) {
  const { succeeded = 0, failed = 0, recentAttempts = [] } = work ?? {};
  const counted = succeeded + failed;
  if (counted === 0) return <span className="quiet">–</span>;
  return (
    <span className="success">
      <span>
        {succeeded} of {counted}
      </span>
      <span className="outcomes" aria-hidden="true">
        {recentAttempts.toReversed().map(({ dispatchId, endedAt, outcome }) => (
          <i key={`${dispatchId} ${endedAt?.seconds} ${endedAt?.nanos}`} className={outcomes[outcome].tone} />
        ))}
      </span>
    </span>
  );
}

export function Busy({ work }: { readonly work: AgentWork | undefined }) {
  const windowMs = work?.busyWindow ? durationMs(work.busyWindow) : 0;
  if (!work || windowMs < 1_000) return null;
  // Whole minutes do not flicker with every poll.
  const window = windowMs < 60_000 ? `${Math.floor(windowMs / 1_000)} s` : formatSpan(wholeMinutes(windowMs));
  return (
    <p className="quiet busy-share">
      {Math.round(work.busyShare * 100)}% busy, last <span className="busy-window">{window}</span>
    </p>
  );
}

function wholeMinutes(ms: number): number {
  return Math.floor(ms / 60_000) * 60_000;
}

/** The last error and the recent attempts of an instance. */
export function RecentWork({ work, of }: { readonly work: AgentWork; readonly of: string }) {
  const [isOpen, setOpen] = useState(false);
  const { lastFailure, recentAttempts } = work;
  const count = recentAttempts.length;
  return (
    <div className="recent-work">
      {lastFailure && (
        <p className="wrap last-error">
          <span className="quiet">
            Last error <Ago at={lastFailure.endedAt} /> in <RunLink attempt={lastFailure} />:
          </span>{" "}
          {lastFailure.error || outcomes[lastFailure.outcome].word}
        </p>
      )}
      {count > 0 && (
        <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{count === 1 ? "1 recent attempt" : `${count} recent attempts`}</summary>
          {isOpen && (
            <ul aria-label={`Recent attempts of ${of}`}>
              {recentAttempts.map((attempt) => (
                <li key={`${attempt.dispatchId} ${attempt.endedAt?.seconds} ${attempt.endedAt?.nanos}`}>
                  <Badge {...outcomes[attempt.outcome]} />
                  <RunLink attempt={attempt} />
                  <span className="quiet">
                    <Ago at={attempt.endedAt} />, took <Span from={attempt.startedAt} to={attempt.endedAt} />
                  </span>
                  {attempt.error !== "" && <span className="wrap attempt-error">{attempt.error}</span>}
                </li>
              ))}
            </ul>
          )}
        </details>
      )}
    </div>
  );
}

function RunLink({ attempt: { pipelineId, stageId } }: { readonly attempt: AgentAttempt }) {
  return (
    <Link href={runAddress(pipelineId, stageId)}>
      <span className="mono wrap">
        {pipelineId}/{stageId}
      </span>
    </Link>
  );
}
