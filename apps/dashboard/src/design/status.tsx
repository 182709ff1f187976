import { PipelineStatus, StageStatus } from "@baton/contract/messages";
import { Sign, type SignName } from "./signs.tsx";

export type Tone = "busy" | "good" | "asks" | "bad" | "quiet";

interface Look {
  readonly word: string;
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

const waits: Look = { word: "Waits for you", tone: "asks", sign: "waits" };

/** One that has ended waits for nobody, whatever is still asked. */
export function pipelineLook(status: PipelineStatus, waitsForPerson = false): Look {
  return waitsForPerson && status <= PipelineStatus.PAUSED ? waits : pipelines[status];
}

export function stageLook(status: StageStatus, waitsForPerson = false): Look {
  return waitsForPerson && status === StageStatus.DISPATCHED ? waits : stages[status];
}

export function Badge({ word, tone, sign }: Look) {
  return (
    <span className={`badge ${tone}`}>
      <Sign name={sign} turns={sign === "running"} />
      {word}
    </span>
  );
}
