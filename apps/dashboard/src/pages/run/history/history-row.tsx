import { Fragment } from "react";
import { formatAgo } from "../../../design/format-time.ts";
import { useNow } from "../../../design/time.tsx";
import type { Entry, Way } from "./entries.ts";
import { toneOf, wordOf } from "./words.ts";

interface HistoryRowProps {
  readonly entry: Entry;
  /** The run stands here: there is nothing to go back to. */
  readonly isNow: boolean;
  readonly onChoose: () => void;
}

export function HistoryRow({ entry, isNow, onChoose }: HistoryRowProps) {
  const { target, ways, commit, abandoned, reason, atMs } = entry;
  const now = useNow();
  const button = abandoned ? "Return to here" : "Rewind to here";
  const iso = new Date(atMs).toISOString();
  return (
    <li className={abandoned ? "history-row abandoned" : "history-row"}>
      <span className="history-revision mono">{target ? String(target.revision) : ""}</span>
      <span className="history-what">
        {ways.map((way) => (
          <WayText key={way.stageId} way={way} />
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
      {(isNow || !target) && <span className="history-now quiet">{isNow ? "now" : ""}</span>}
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

function WayText({ way: { stageId, steps } }: { readonly way: Way }) {
  return (
    <span className="history-way">
      <strong className="wrap">{stageId || "The run"}</strong>{" "}
      {steps.map((step, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place, and one may come twice.
        <Fragment key={place}>
          {place > 0 && <span className="quiet"> → </span>}
          <span className={place === 0 ? "quiet" : `history-to ${toneOf(step)}`}>{wordOf(step)}</span>
        </Fragment>
      ))}
    </span>
  );
}
