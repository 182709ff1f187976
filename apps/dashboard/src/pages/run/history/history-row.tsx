import { Fragment } from "react";
import { formatAgo } from "../../../design/format-time.ts";
import type { Tone } from "../../../design/status.tsx";
import { useNow } from "../../../design/time.tsx";
import type { Entry, Step } from "./entries.ts";

interface HistoryRowProps {
  readonly entry: Entry;
  /** The current state of the run. */
  readonly isNow: boolean;
  readonly onChoose: () => void;
}

export function HistoryRow({ entry, isNow, onChoose }: HistoryRowProps) {
  const { target, steps, commit, abandoned, reason, atMs } = entry;
  const now = useNow();
  const button = abandoned ? "Return to here" : "Rewind to here";
  const iso = new Date(atMs).toISOString();
  return (
    <li className={abandoned ? "history-row abandoned" : "history-row"}>
      <span className="history-revision mono">{target ? String(target.revision) : ""}</span>
      <span className="history-what">
        {steps.map((step) => (
          <StepText key={step.stageId} step={step} />
        ))}
        {abandoned && <span className="badge">abandoned</span>}
        {reason !== "" && <span className="quiet wrap history-why">{reason}</span>}
      </span>
      <span className="history-commit mono quiet" title={commit}>
        {commit.slice(0, 10)}
      </span>
      <time className="history-when quiet" dateTime={iso} title={iso}>
        {formatAgo(atMs, now)}
      </time>
      {(isNow || !target) && <span className="history-now quiet">{isNow ? "Current" : ""}</span>}
      {!isNow && target && (
        <button
          type="button"
          className="button small"
          aria-label={`${button}: ${target.stageId || "the run"} ${wordOf(target.toStatus)}, revision ${target.revision}`}
          onClick={onChoose}
        >
          {button}
        </button>
      )}
    </li>
  );
}

function StepText({ step: { stageId, statuses } }: { readonly step: Step }) {
  return (
    <span className="history-way">
      <strong className="wrap">{stageId || "Run"}</strong>{" "}
      {statuses.map((status, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a status may occur twice.
        <Fragment key={index}>
          {index > 0 && <span className="quiet"> → </span>}
          <span className={index === 0 ? "quiet" : `history-to ${toneOf(status)}`}>{wordOf(status)}</span>
        </Fragment>
      ))}
    </span>
  );
}

/** "at work" for DISPATCHED, as elsewhere on the page. */
export function wordOf(status: string): string {
  if (status === "DISPATCHED") return "at work";
  return status === "NONE" ? "none" : status.toLowerCase().replaceAll("_", " ");
}

function toneOf(status: string): Tone {
  if (status === "COMPLETED") return "good";
  if (["FAILED", "REJECTED", "ABORTED", "RETRIED"].includes(status)) return "bad";
  if (status === "DISPATCHED" || status === "RUNNING") return "busy";
  return status === "PAUSED" || status === "READY" ? "asks" : "quiet";
}
