/** Facts about an agent, for the list and for the single view. */
import {
  type AgentAttempt,
  AgentAttemptOutcome,
  type AgentInstance,
  HealthStatus,
} from "@baton/contract/forms";
import { durationMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { describeElapsed, describeMs } from "../../terminal/format.ts";
import { type Piece, piece, type Tone } from "../../terminal/paint.ts";
import { healthLabel } from "../status.ts";

/** A disconnected agent has no health. One whose attempts all fail is failing, whatever it reports. */
export function healthOf({ quarantineReason, goneSince, heartbeat, work }: AgentInstance): Piece {
  if (quarantineReason) return healthLabel(HealthStatus.QUARANTINED);
  if (goneSince) return piece("gone", "quiet");
  const status = heartbeat?.health?.status ?? HealthStatus.UNSPECIFIED;
  return work?.failing && status !== HealthStatus.UNHEALTHY ? piece("failing", "bad") : healthLabel(status);
}

export function loadOf({ heartbeat, goneSince }: AgentInstance): string {
  if (goneSince) return "";
  const capacity = heartbeat?.capacity;
  if (capacity === undefined) return "";
  const queued = capacity.queuedTasks > 0 ? ` +${capacity.queuedTasks}` : "";
  return `${capacity.activeTasks}/${capacity.maxTasks}${queued}`;
}

export function latencyOf({ heartbeat, goneSince }: AgentInstance): string {
  if (goneSince) return "";
  const latency = heartbeat?.health?.avgLatency1m;
  return latency === undefined || durationMs(latency) === 0 ? "" : describeMs(durationMs(latency));
}

export function leaseOf(
  { attached, leaseExpiresAt, goneSince, sandbox }: AgentInstance,
  nowMs: number,
): string {
  if (goneSince) return `gone ${describeElapsed(Math.max(0, nowMs - timestampMs(goneSince)))} ago`;
  // Only programs that the hub starts have a sandbox.
  const how = attached ? "attached" : sandbox === "" ? "listens" : "command";
  if (leaseExpiresAt === undefined) return how;
  const left = timestampMs(leaseExpiresAt) - nowMs;
  return left <= 0 ? "expired" : `${how}, ${describeElapsed(left)}`;
}

/** How many of its last attempts succeeded; empty when none has ended. */
export function successOf({ work }: AgentInstance): Piece {
  const { succeeded = 0, failed = 0 } = work ?? {};
  const counted = succeeded + failed;
  if (counted === 0) return piece("");
  const tone: Tone = failed === 0 ? "good" : succeeded === 0 ? "bad" : "plain";
  return piece(`${succeeded}/${counted}`, tone);
}

/** `3 of 3 failed`, or `the last 3 failed` where others succeeded before; empty when its last attempt was good. */
export function failuresOf({ work }: AgentInstance): string {
  const { succeeded = 0, failed = 0, consecutiveFailures: row = 0 } = work ?? {};
  if (row === 0) return "";
  if (row === succeeded + failed) return `${row} of ${row} failed`;
  return row === 1 ? "the last one failed" : `the last ${row} failed`;
}

/** How busy it was in the last window; empty when the window is too short. */
export function busyOf({ work, goneSince }: AgentInstance): string {
  const windowMs = work?.busyWindow ? durationMs(work.busyWindow) : 0;
  if (goneSince || windowMs < 1000) return "";
  return `${Math.round((work?.busyShare ?? 0) * 100)}% of the last ${describeElapsed(windowMs)}`;
}

export function noteOf(agent: AgentInstance): string {
  return [agent.quarantineReason, sandboxOf(agent), complaintOf(agent), failedOf(agent), disprovedOf(agent)]
    .filter((note) => note !== "")
    .join("; ");
}

/** A command agent without a full sandbox. */
function sandboxOf({ sandbox }: AgentInstance): string {
  if (sandbox === "off") return "sandbox: off";
  return sandbox === "namespaces" ? "weak sandbox: namespaces" : "";
}

/** Why it is unhealthy, as reported by the agent, or by the hub for a command agent. */
export function complaintOf({ heartbeat, goneSince }: AgentInstance): string {
  const health = heartbeat?.health;
  if (goneSince) return "";
  return health === undefined || health.status === HealthStatus.HEALTHY ? "" : health.reason;
}

/** The error of its last attempts, unless its health or quarantine says so already. */
function failedOf(agent: AgentInstance): string {
  const failures = failuresOf(agent);
  if (failures === "" || agent.quarantineReason !== "" || complaintOf(agent) !== "") return "";
  const error = agent.work?.lastFailure?.error ?? "";
  return error === "" ? failures : `${failures}: ${error}`;
}

/** Disproved claims of the agent, and of its pack when other instances have some too. */
export function disprovedOf(agent: AgentInstance): string {
  const { disprovedClaims: own, consecutiveDisprovedClaims: row, packDisprovedClaims: all } = agent;
  if (all === 0 && own === 0) return "";
  const inARow = row > 1 ? `, ${row} in a row` : "";
  const ofPack = all > own ? ` (${all} of its pack)` : "";
  return `${own} disproved${inARow}${ofPack}`;
}

const outcomes: Readonly<Record<AgentAttemptOutcome, Piece>> = {
  [AgentAttemptOutcome.UNSPECIFIED]: piece("unknown", "quiet"),
  [AgentAttemptOutcome.SUCCEEDED]: piece("succeeded", "good"),
  [AgentAttemptOutcome.FAILED]: piece("failed", "bad"),
  [AgentAttemptOutcome.INVALID]: piece("invalid", "bad"),
  [AgentAttemptOutcome.LOST]: piece("lost", "bad"),
  [AgentAttemptOutcome.CANCELLED]: piece("cancelled", "quiet"),
};

/** A newer hub may have more outcomes. */
export function outcomeLabel({ outcome }: AgentAttempt): Piece {
  return outcomes[outcome] ?? outcomes[AgentAttemptOutcome.UNSPECIFIED];
}
