import { type Pipeline, PipelineStatus, type Stage, StageStatus } from "@baton/contract/messages";
import { useState } from "react";
import { orchestrator } from "../../../hub/client.ts";
import { ReasonSheet } from "../reason-sheet.tsx";
import { OverrideSheet } from "./override-sheet.tsx";

interface StageActionsProps {
  readonly pipeline: Pipeline;
  readonly stage: Stage;
  readonly onChanged: () => void;
}

type Asked = "cancel" | "skip" | "override";

/** Actions on one stage (PIP-10). Each is audited with the person and the reason. */
export function StageActions({ pipeline, stage, onChanged }: StageActionsProps) {
  const [asked, ask] = useState<Asked>();
  const done = () => {
    ask(undefined);
    onChanged();
  };
  const { pipelineId } = pipeline;
  const { stageId } = stage;
  const close = () => ask(undefined);
  return (
    <>
      {actionsFor(pipeline, stage).map(([action, name]) => (
        <button key={action} type="button" className="button small" onClick={() => ask(action)}>
          {name}
        </button>
      ))}
      {asked === "cancel" && (
        <ReasonSheet
          title={`Cancel stage ${stageId}`}
          effect="Stops the agent and fails the stage. The failure strategy of the run applies."
          button="Cancel stage"
          isGrave
          onRun={(reason) => orchestrator.cancelStage({ pipelineId, stageId, reason })}
          onDone={done}
          onClose={close}
        />
      )}
      {asked === "skip" && (
        <ReasonSheet
          title={`Skip stage ${stageId}`}
          effect="Skips the stage and every stage that depends on it. The run continues without them."
          button="Skip stage"
          isGrave
          onRun={(reason) => orchestrator.skipStage({ pipelineId, stageId, reason })}
          onDone={done}
          onClose={close}
        />
      )}
      {asked === "override" && (
        <OverrideSheet pipelineId={pipelineId} stage={stage} onDone={done} onClose={close} />
      )}
    </>
  );
}

function actionsFor({ status, policy }: Pipeline, stage: Stage): readonly (readonly [Asked, string])[] {
  if (status !== PipelineStatus.RUNNING && status !== PipelineStatus.PAUSED) return [];
  const { FAILED, READY, DISPATCHED } = StageStatus;
  const isOptional = !stage.config?.required && !policy?.requireAllStages;
  return [
    ...(stage.status === DISPATCHED ? [["cancel", "Cancel"] as const] : []),
    ...(stage.status === FAILED ? [["override", "Override"] as const] : []),
    ...(isOptional && [FAILED, READY, DISPATCHED].includes(stage.status) ? [["skip", "Skip"] as const] : []),
  ];
}
