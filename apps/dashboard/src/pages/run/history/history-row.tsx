import type { Transition } from "@baton/contract/messages";
import { Ago } from "../../../design/time.tsx";
import { toneOf, wordOf } from "./words.ts";

interface HistoryRowProps {
  readonly transition: Transition;
  /** The run stands here: there is nothing to go back to. */
  readonly isNow: boolean;
  readonly onChoose: () => void;
}

export function HistoryRow({ transition, isNow, onChoose }: HistoryRowProps) {
  const { revision, at, stageId, fromStatus, toStatus, commit, abandoned, rewoundTo, by, reason } =
    transition;
  const button = abandoned ? "Return to here" : "Rewind to here";
  const what = `${stageId || "the run"} ${wordOf(toStatus)}`;
  return (
    <li className={abandoned ? "history-row abandoned" : "history-row"}>
      <span className="history-revision mono">{String(revision)}</span>
      <span className="history-what">
        <strong className="wrap">{stageId || "The run"}</strong>{" "}
        <span className="quiet">{wordOf(fromStatus)} →</span>{" "}
        <span className={`history-to ${toneOf(toStatus)}`}>{wordOf(toStatus)}</span>
        {rewoundTo > 0n && stageId === "" && (
          <span className="quiet">
            {" "}
            rewound to {String(rewoundTo)} by {by}: {reason}
          </span>
        )}
        {abandoned && <span className="badge">abandoned</span>}
      </span>
      <span className="history-commit mono quiet" title={commit}>
        {commit.slice(0, 10)}
      </span>
      <span className="history-when quiet">
        <Ago at={at} />
      </span>
      {isNow ? (
        <span className="history-now quiet">now</span>
      ) : (
        <button
          type="button"
          className="button small"
          aria-label={`${button}: ${what}, revision ${revision}`}
          onClick={onChoose}
        >
          {button}
        </button>
      )}
    </li>
  );
}
