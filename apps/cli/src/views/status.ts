import {
  HealthStatus,
  type Pipeline,
  PipelineStatus,
  RiskTier,
  type Stage,
  StageStatus,
} from "@baton/contract/forms";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { hasEnded } from "../queries/run-state.ts";
import { type Piece, piece, type Signs, type Tone } from "../terminal/paint.ts";

/** How a state is printed: the specification's word, a tone and a sign. */
interface StatusLabel {
  readonly word: string;
  readonly tone: Tone;
  readonly sign: keyof Signs;
}

const pipelines: Readonly<Record<PipelineStatus, StatusLabel>> = {
  [PipelineStatus.UNSPECIFIED]: { word: "unknown", tone: "quiet", sign: "open" },
  [PipelineStatus.PENDING]: { word: "pending", tone: "quiet", sign: "open" },
  [PipelineStatus.RUNNING]: { word: "running", tone: "busy", sign: "busy" },
  [PipelineStatus.PAUSED]: { word: "paused", tone: "asks", sign: "asks" },
  [PipelineStatus.COMPLETED]: { word: "completed", tone: "good", sign: "done" },
  [PipelineStatus.FAILED]: { word: "failed", tone: "bad", sign: "failed" },
  [PipelineStatus.ABORTED]: { word: "aborted", tone: "bad", sign: "failed" },
};

const stages: Readonly<Record<StageStatus, StatusLabel>> = {
  [StageStatus.UNSPECIFIED]: { word: "unknown", tone: "quiet", sign: "open" },
  [StageStatus.PENDING]: { word: "pending", tone: "quiet", sign: "open" },
  [StageStatus.READY]: { word: "ready", tone: "plain", sign: "open" },
  [StageStatus.DISPATCHED]: { word: "dispatched", tone: "busy", sign: "busy" },
  [StageStatus.COMPLETED]: { word: "completed", tone: "good", sign: "done" },
  [StageStatus.FAILED]: { word: "failed", tone: "bad", sign: "failed" },
  [StageStatus.SKIPPED]: { word: "skipped", tone: "quiet", sign: "left" },
  [StageStatus.REJECTED]: { word: "rejected", tone: "asks", sign: "asks" },
};

const healths: Readonly<Record<HealthStatus, Piece>> = {
  [HealthStatus.UNSPECIFIED]: piece("unknown", "quiet"),
  [HealthStatus.HEALTHY]: piece("healthy", "good"),
  [HealthStatus.DEGRADED]: piece("degraded", "asks"),
  [HealthStatus.UNHEALTHY]: piece("unhealthy", "bad"),
  [HealthStatus.QUARANTINED]: piece("quarantined", "bad"),
};

const risks: Readonly<Record<RiskTier, string>> = {
  [RiskTier.UNSPECIFIED]: "",
  [RiskTier.LOW]: "low",
  [RiskTier.NORMAL]: "normal",
  [RiskTier.CRITICAL]: "critical",
};

/** A newer hub may have more states. */
const unknown: StatusLabel = { word: "unknown", tone: "quiet", sign: "open" };

export function pipelineStatusLabel(status: PipelineStatus): StatusLabel {
  return pipelines[status] ?? unknown;
}

const waiting: StatusLabel = { word: "waiting", tone: "asks", sign: "asks" };

/** The state of a run: its status, but `waiting` while a question to a person is open. */
export function runStateLabel({ status, waitsForPerson }: Pipeline): StatusLabel {
  return waitsForPerson ? waiting : pipelineStatusLabel(status);
}

/** Labels of stages that a run left unfinished when it ended. */
const leftBehind: Readonly<Partial<Record<StageStatus, StatusLabel>>> = {
  [StageStatus.PENDING]: { word: "never started", tone: "quiet", sign: "left" },
  [StageStatus.READY]: { word: "never started", tone: "quiet", sign: "left" },
  [StageStatus.DISPATCHED]: { word: "stopped", tone: "bad", sign: "failed" },
};

export function stageLabel({ status }: Stage, pipeline: Pipeline): StatusLabel {
  return (hasEnded(pipeline) ? leftBehind[status] : undefined) ?? stages[status] ?? unknown;
}

export function stageStatusLabel(status: StageStatus): StatusLabel {
  return stages[status] ?? unknown;
}

/** When a stage ended, by itself or with its run; undefined before. */
export function endOf({ finishedAt }: Stage, pipeline: Pipeline): Timestamp | undefined {
  return finishedAt ?? (hasEnded(pipeline) ? pipeline.updatedAt : undefined);
}

export function healthLabel(status: HealthStatus): Piece {
  return healths[status] ?? piece("unknown", "quiet");
}

export function describeRisk(tier: RiskTier): string {
  return risks[tier] ?? "";
}
