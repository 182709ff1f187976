import { type AgentInstance, HealthStatus } from "@baton/contract/forms";
import { durationMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { full, nameOf } from "../hub/find-agent.ts";
import { type Piece, piece } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { type Column, renderTable } from "../terminal/table.ts";
import { describeElapsed, describeMs } from "../terminal/time.ts";
import { showHealth } from "./status.ts";

const columns: readonly Column[] = [
  { heading: "AGENT" },
  { heading: "VERSION", spare: true },
  { heading: "HEALTH" },
  { heading: "LOAD", right: true },
  { heading: "LATENCY", right: true, spare: true },
  { heading: "LEASE" },
  { heading: "TASK TYPES", spare: true },
  { heading: "NOTE", flexible: true },
];

export function renderAgents(look: Look, agents: readonly AgentInstance[], nowMs: number): readonly string[] {
  return renderTable(
    look,
    columns,
    agents.map((agent) => [
      piece(full(nameOf(agent))),
      piece(agent.manifest?.packVersion ?? ""),
      healthOf(agent),
      piece(loadOf(agent)),
      piece(latencyOf(agent)),
      piece(leaseOf(agent, nowMs), "quiet"),
      piece((agent.manifest?.supportedTaskTypes ?? []).join(", ")),
      piece(noteOf(agent), "asks"),
    ]),
  );
}

/** One that is gone is neither well nor unwell. */
function healthOf({ quarantineReason, goneSince, heartbeat }: AgentInstance): Piece {
  if (quarantineReason) return showHealth(HealthStatus.QUARANTINED);
  if (goneSince) return piece("gone", "quiet");
  return showHealth(heartbeat?.health?.status ?? HealthStatus.UNSPECIFIED);
}

function loadOf({ heartbeat, goneSince }: AgentInstance): string {
  if (goneSince) return "";
  const capacity = heartbeat?.capacity;
  if (capacity === undefined) return "";
  const queued = capacity.queuedTasks > 0 ? ` +${capacity.queuedTasks}` : "";
  return `${capacity.activeTasks}/${capacity.maxTasks}${queued}`;
}

function latencyOf({ heartbeat, goneSince }: AgentInstance): string {
  if (goneSince) return "";
  const latency = heartbeat?.health?.avgLatency1m;
  return latency === undefined || durationMs(latency) === 0 ? "" : describeMs(durationMs(latency));
}

function leaseOf({ attached, leaseExpiresAt, goneSince }: AgentInstance, nowMs: number): string {
  if (goneSince) return `gone ${describeElapsed(Math.max(0, nowMs - timestampMs(goneSince)))} ago`;
  const how = attached ? "attached" : "listens";
  if (leaseExpiresAt === undefined) return how;
  const left = timestampMs(leaseExpiresAt) - nowMs;
  return left <= 0 ? "expired" : `${how}, ${describeElapsed(left)}`;
}

function noteOf(agent: AgentInstance): string {
  return [agent.quarantineReason, sandboxOf(agent), complaintOf(agent), disprovedOf(agent)]
    .filter((note) => note !== "")
    .join("; ");
}

/** A command that is not kept apart as it should be. */
function sandboxOf({ sandbox }: AgentInstance): string {
  if (sandbox === "off") return "sandbox: off";
  return sandbox === "namespaces" ? "weak sandbox: namespaces" : "";
}

/** Why it is not well, as it says itself, or as the hub says of a command. */
function complaintOf({ heartbeat, goneSince }: AgentInstance): string {
  const health = heartbeat?.health;
  if (goneSince) return "";
  return health === undefined || health.status === HealthStatus.HEALTHY ? "" : health.reason;
}

/** How often its word did not hold; and how often that of its pack, when other instances were caught too. */
function disprovedOf(agent: AgentInstance): string {
  const { disprovedClaims: own, consecutiveDisprovedClaims: row, packDisprovedClaims: all } = agent;
  if (all === 0 && own === 0) return "";
  const inARow = row > 1 ? `, ${row} in a row` : "";
  const ofPack = all > own ? ` (${all} of its pack)` : "";
  return `${own} disproved${inARow}${ofPack}`;
}
