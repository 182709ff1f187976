import type { Pipeline, Stage } from "@baton/contract/messages";
import { stageEndOf, takenFrom } from "../../../design/ends.ts";
import { Sign } from "../../../design/signs.tsx";
import { stageLook } from "../../../design/status.tsx";
import { Span } from "../../../design/time.tsx";
import { setQuery } from "../../../router/location.ts";

interface StageBoxProps {
  readonly stage: Stage;
  readonly pipeline: Pipeline;
  readonly at: { readonly x: number; readonly y: number };
  readonly isSelected: boolean;
  readonly waits: boolean;
}

export function StageBox({ stage, pipeline, at, isSelected, waits }: StageBoxProps) {
  const { stageId, stageName, assignedPackId, taskType, attemptNumber, startedAt } = stage;
  const { word, tone, sign } = stageLook(stage, pipeline, waits);
  // What was done in another run took time and attempts there.
  const isDoneHere = takenFrom(stage, pipeline) === "";
  return (
    <button
      type="button"
      className={`stage-box ${tone}`}
      style={{ left: at.x, top: at.y }}
      aria-pressed={isSelected}
      onClick={() => setQuery({ stage: stageId, attempt: "" })}
    >
      <span className="stage-sign">
        <Sign name={sign} turns={sign === "running"} />
      </span>
      <strong className="clip">{stageName || stageId}</strong>
      <span className="clip quiet stage-by">{assignedPackId || taskType}</span>
      <span className="stage-word">
        {word}
        {startedAt && isDoneHere && (
          <>
            {" · "}
            <Span from={startedAt} to={stageEndOf(stage, pipeline)} />
          </>
        )}
      </span>
      {attemptNumber > 1 && isDoneHere && (
        <span className="stage-attempt" title={`attempt ${attemptNumber}`}>
          <span className="sr">attempt </span>
          <span aria-hidden="true">×</span>
          {attemptNumber}
        </span>
      )}
    </button>
  );
}
