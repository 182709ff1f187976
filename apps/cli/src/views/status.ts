import {
  HealthStatus,
  type Pipeline,
  PipelineStatus,
  RiskTier,
  type Stage,
  StageStatus,
} from "@baton/contract/forms";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { hasEnded } from "../hub/standing.ts";
import { type Piece, piece, type Signs, type Tone } from "../terminal/ink.ts";

/** How a state is shown: the specification's word, and a sign for a glance. */
interface Shown {
  readonly word: string;
  readonly tone: Tone;
  readonly sign: keyof Signs;
}

const pipelines: Readonly<Record<PipelineStatus, Shown>> = {
  [PipelineStatus.UNSPECIFIED]: { word: "unknown", tone: "quiet", sign: "open" },
  [PipelineStatus.PENDING]: { word: "pending", tone: "quiet", sign: "open" },
  [PipelineStatus.RUNNING]: { word: "running", tone: "busy", sign: "busy" },
  [PipelineStatus.PAUSED]: { word: "paused", tone: "asks", sign: "asks" },
  [PipelineStatus.COMPLETED]: { word: "completed", tone: "good", sign: "done" },
  [PipelineStatus.FAILED]: { word: "failed", tone: "bad", sign: "failed" },
  [PipelineStatus.ABORTED]: { word: "aborted", tone: "bad", sign: "failed" },
};

const stages: Readonly<Record<StageStatus, Shown>> = {
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

/** A newer hub may know more states than we do. */
const unknown: Shown = { word: "unknown", tone: "quiet", sign: "open" };

export function showPipelineStatus(status: PipelineStatus): Shown {
  return pipelines[status] ?? unknown;
}

const waiting: Shown = { word: "waiting", tone: "asks", sign: "asks" };

/** The state of a run: the status of its pipeline, but `waiting` while a question to a person is open. */
export function showState({ status, waitsForPerson }: Pipeline): Shown {
  return waitsForPerson ? waiting : showPipelineStatus(status);
}

/** A pipeline that ended early leaves its stages as they were: nobody works on them any more. */
const leftBehind: Readonly<Partial<Record<StageStatus, Shown>>> = {
  [StageStatus.PENDING]: { word: "never started", tone: "quiet", sign: "left" },
  [StageStatus.READY]: { word: "never started", tone: "quiet", sign: "left" },
  [StageStatus.DISPATCHED]: { word: "stopped", tone: "bad", sign: "failed" },
};

export function showStage({ status }: Stage, pipeline: Pipeline): Shown {
  return (hasEnded(pipeline) ? leftBehind[status] : undefined) ?? stages[status] ?? unknown;
}

export function showStageStatus(status: StageStatus): Shown {
  return stages[status] ?? unknown;
}

/** When a stage came to rest, by itself or with its pipeline; undefined while it goes on. */
export function endOf({ finishedAt }: Stage, pipeline: Pipeline): Timestamp | undefined {
  return finishedAt ?? (hasEnded(pipeline) ? pipeline.updatedAt : undefined);
}

export function showHealth(status: HealthStatus): Piece {
  return healths[status] ?? piece("unknown", "quiet");
}

export function describeRisk(tier: RiskTier): string {
  return risks[tier] ?? "";
}
