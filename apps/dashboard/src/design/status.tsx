import { type Pipeline, PipelineStatus, type Stage, StageStatus } from "@baton/contract/messages";
import { hasEnded, takenFrom } from "./ends.ts";
import { Sign, type SignName } from "./signs.tsx";

export type Tone = "busy" | "good" | "asks" | "bad" | "quiet";

interface Look {
  readonly word: string;
  /** For narrow places, beside the sign. */
  readonly brief?: string;
  readonly tone: Tone;
  readonly sign: SignName;
}

const pending: Look = { word: "Pending", tone: "quiet", sign: "pending" };

const pipelines: Readonly<Record<PipelineStatus, Look>> = {
  [PipelineStatus.UNSPECIFIED]: pending,
  [PipelineStatus.PENDING]: pending,
  [PipelineStatus.RUNNING]: { word: "Running", tone: "busy", sign: "running" },
  [PipelineStatus.PAUSED]: { word: "Paused", tone: "asks", sign: "waits" },
  [PipelineStatus.COMPLETED]: { word: "Completed", tone: "good", sign: "done" },
  [PipelineStatus.FAILED]: { word: "Failed", tone: "bad", sign: "failed" },
  [PipelineStatus.ABORTED]: { word: "Aborted", tone: "quiet", sign: "stopped" },
};

const stages: Readonly<Record<StageStatus, Look>> = {
  [StageStatus.UNSPECIFIED]: pending,
  [StageStatus.PENDING]: pending,
  [StageStatus.READY]: { word: "Ready", tone: "asks", sign: "pending" },
  [StageStatus.DISPATCHED]: { word: "At work", tone: "busy", sign: "running" },
  [StageStatus.COMPLETED]: { word: "Completed", tone: "good", sign: "done" },
  [StageStatus.FAILED]: { word: "Failed", tone: "bad", sign: "failed" },
  [StageStatus.SKIPPED]: { word: "Skipped", tone: "quiet", sign: "skipped" },
  [StageStatus.REJECTED]: { word: "Rejected", tone: "bad", sign: "back" },
};

const waiting: Look = { word: "Waiting", tone: "asks", sign: "waits" };

export function pipelineLook(status: PipelineStatus): Look {
  return pipelines[status];
}

/** The state of a run: `waiting` while a question is open, otherwise the status of its pipeline. */
export function runLook({ status, waitsForPerson }: Pipeline): Look {
  return waitsForPerson ? waiting : pipelines[status];
}

const takenOver: Look = { word: "Taken over", tone: "good", sign: "done" };

/** Stages that had not ended when their run ended. */
const leftBehind: Partial<Readonly<Record<StageStatus, Look>>> = {
  [StageStatus.PENDING]: { word: "Never started", tone: "quiet", sign: "pending" },
  [StageStatus.READY]: { word: "Never started", tone: "quiet", sign: "pending" },
  [StageStatus.DISPATCHED]: { word: "Stopped", tone: "quiet", sign: "stopped" },
};

/** Completed on the agent's word alone. */
const unchecked: Look = { word: "Completed, unchecked", brief: "Unchecked", tone: "asks", sign: "done" };

interface StageFacts {
  readonly waitsForPerson?: boolean;
  /** The result was accepted without checks. */
  readonly isUnchecked?: boolean;
}

export function stageLook(
  stage: Stage,
  pipeline: Pipeline,
  { waitsForPerson = false, isUnchecked = false }: StageFacts = {},
): Look {
  const { status } = stage;
  if (hasEnded(pipeline) && leftBehind[status]) return leftBehind[status];
  if (status === StageStatus.COMPLETED && takenFrom(stage, pipeline) !== "") return takenOver;
  if (status === StageStatus.COMPLETED && isUnchecked) return unchecked;
  const canWait = status === StageStatus.DISPATCHED || status === StageStatus.READY;
  return waitsForPerson && canWait ? waiting : stages[status];
}

export function stageStatusLook(status: StageStatus): Look {
  return stages[status];
}

export function Badge({ word, tone, sign }: Look) {
  return (
    <span className={`badge ${tone}`}>
      <Sign name={sign} turns={sign === "running"} />
      {word}
    </span>
  );
}
