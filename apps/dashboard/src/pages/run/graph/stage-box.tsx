import type { AttemptSummary, Pipeline, Stage } from "@baton/contract/messages";
import { stageEndOf, takenFrom } from "../../../design/ends.ts";
import { Sign } from "../../../design/signs.tsx";
import { stageLook } from "../../../design/status.tsx";
import { Span } from "../../../design/time.tsx";
import { setQuery } from "../../../router/location.ts";
import { isUnchecked } from "../ending.ts";

interface StageBoxProps {
  readonly stage: Stage;
  readonly pipeline: Pipeline;
  readonly at: { readonly x: number; readonly y: number };
  readonly isSelected: boolean;
  readonly waits: boolean;
  readonly attempts: readonly AttemptSummary[];
  readonly onFocus: () => void;
}

export function StageBox({ stage, pipeline, at, isSelected, waits, attempts, onFocus }: StageBoxProps) {
  const { stageId, stageName, assignedPackId, taskType, attemptNumber, startedAt } = stage;
  const facts = { waitsForPerson: waits, isUnchecked: isUnchecked(stage, attempts) };
  const { word, brief, tone, sign } = stageLook(stage, pipeline, facts);
  const setAside = attempts.filter((attempt) => attempt.setAside).length;
  // A result from another run has its duration and attempts there.
  const isDoneHere = takenFrom(stage, pipeline) === "";
  return (
    <button
      type="button"
      className={`stage-box ${tone}`}
      style={{ left: at.x, top: at.y }}
      aria-pressed={isSelected}
      onFocus={onFocus}
      onClick={() => setQuery({ stage: stageId, attempt: "" })}
    >
      <span className="stage-sign">
        <Sign name={sign} turns={sign === "running"} />
      </span>
      <strong className="clip">{stageName || stageId}</strong>
      <span className="clip quiet stage-by">{assignedPackId || taskType}</span>
      <span className="stage-word">
        {brief === undefined ? word : <Brief word={word} brief={brief} />}
        {startedAt && isDoneHere && (
          <>
            {" · "}
            <span title={spanText(stage)}>
              <Span from={startedAt} to={stageEndOf(stage, pipeline)} />
            </span>
          </>
        )}
      </span>
      {attemptNumber > 1 && isDoneHere && (
        <span
          className="stage-attempt"
          title={`attempt ${attemptNumber}${setAside > 0 ? `; ${setAside} superseded by a rewind` : ""}`}
        >
          <span className="sr">attempt </span>
          <span aria-hidden="true">×</span>
          {attemptNumber}
          {setAside > 0 && <span className="sr">, {setAside} superseded by a rewind</span>}
        </span>
      )}
    </button>
  );
}

function Brief({ word, brief }: { readonly word: string; readonly brief: string }) {
  return (
    <>
      <span className="sr">{word}</span>
      <span aria-hidden="true" title={word}>
        {brief}
      </span>
    </>
  );
}

/** Explains the duration, which covers all attempts that count. */
function spanText({ attemptNumber, finishedAt }: Stage): string {
  const from =
    attemptNumber > 1 ? "since its first attempt that counts was dispatched" : "since it was dispatched";
  return finishedAt ? `from ${from.slice("since ".length)} to its end` : from;
}
