import { type AgentHeartbeat, AgentHeartbeatSchema, validate } from "@baton/contract";
import { hasTraits, profileKey } from "../candidates/profile-index.ts";
import { readTools, readVitals, toMs } from "../health/vitals.ts";
import { leaseUntil } from "../lease/lease.ts";
import type { FleetLimits } from "../settings.ts";
import { type FleetState, type Instance, isLive, type PackState } from "../state/fleet-state.ts";
import { inheritedConduct } from "../state/inherit-conduct.ts";
import type { FleetRecord, HeartbeatTaken } from "../state/record.ts";
import { auditQuarantine } from "./audit.ts";
import { endLeases, forget } from "./decide-lease.ts";
import { type FleetDecision, nothing, record, refuse } from "./decision.ts";
import type { FullFleetWorld, InputOf } from "./input.ts";
import { type FleetProblem, noName, overLimit, problem } from "./problem.ts";

/** A heartbeat renews the lease of a live instance, and starts one for a new instance or one that was gone (DIS-03). */
export function decideHeartbeat(
  state: FleetState,
  { heartbeat, by }: InputOf<"heartbeat">,
  world: FullFleetWorld,
): FleetDecision {
  const { nowMs, settings } = world;
  const fault = malformed(heartbeat, settings.limits);
  if (fault) return refuse(fault);
  const { packId, instanceId } = heartbeat;
  const pack = state.packs.get(packId);
  const instance = pack?.instances.get(instanceId);
  const packVersion = versionOf(pack, instance, heartbeat.packVersion);
  if (!pack || packVersion === undefined) return refuse(unknownPack(heartbeat));

  // Caps an agent's clock that runs ahead: its later heartbeats would look older than this one.
  const heartbeatAtMs = heartbeat.heartbeatAt ? Math.min(toMs(heartbeat.heartbeatAt), nowMs) : nowMs;
  if (instance && isOvertaken(instance, heartbeatAtMs, world)) return nothing;

  const taken: HeartbeatTaken = {
    kind: "heartbeat-taken",
    packId,
    instanceId,
    packVersion,
    heartbeatAtMs,
    leaseUntilMs: leaseUntil(heartbeat.leaseTtl && toMs(heartbeat.leaseTtl), nowMs, settings),
    vitals: readVitals(heartbeat),
    availableTools: readTools(heartbeat.availableTools),
    degradedTools: readTools(heartbeat.health?.degradedTools ?? []),
    by: by ?? instance?.lastReport?.by ?? "",
    ...(heartbeat.definition.length > 0 && { definition: heartbeat.definition }),
    ...(instance?.knownSinceMs === undefined && { knownSinceMs: nowMs }),
  };
  if (addsProfile(pack, instance, taken) && pack.profiles.size >= settings.limits.profilesPerPack) {
    const { profilesPerPack } = settings.limits;
    return refuse(overLimit("heartbeat", pack.profiles.size + 1, profilesPerPack, "sets of tools in a pack"));
  }
  if (!instance) return admitNew(state, pack, taken, world);
  // The same dispatches are lost whether or not a tick ran between the end of the lease and this heartbeat.
  const lapsed = instance.presence === "LIVE" && !isLive(instance, nowMs);
  return record(lapsed ? [...endLeases(state, [instance], world), taken] : [taken]);
}

/** Whether a newer heartbeat arrived first. One that is older by more than a lease was not delayed: a clock was set back. */
function isOvertaken(
  instance: Instance,
  heartbeatAtMs: number,
  { nowMs, settings }: FullFleetWorld,
): boolean {
  const olderByMs = (instance.lastReport?.heartbeatAtMs ?? heartbeatAtMs) - heartbeatAtMs;
  return olderByMs > 0 && (isLive(instance, nowMs) || olderByMs <= settings.leaseTtlMs.max);
}

/** A full fleet forgets the instance that has been gone longest. */
function admitNew(
  state: FleetState,
  pack: PackState,
  taken: HeartbeatTaken,
  { nowMs: atMs, settings: { limits } }: FullFleetWorld,
): FleetDecision {
  const { packId, instanceId, by } = taken;
  const conduct = inheritedConduct(pack, instanceId, by);
  const audit = conduct?.inheritedFrom ? [auditQuarantine({ packId, instanceId }, conduct)] : [];
  const records: FleetRecord[] = [taken];
  if (conduct) records.push({ kind: "conduct-inherited", packId, instanceId, conduct, atMs });
  if (state.instanceCount < limits.instances) return { records, audit };
  const [oldest] = state.gone;
  if (oldest) return { records: [forget(oldest), ...records], audit };
  return refuse(overLimit("heartbeat.instance_id", state.instanceCount + 1, limits.instances, "instances"));
}

/** The stated version, or the version of the last heartbeat, or the only registered one. */
function versionOf(
  pack: PackState | undefined,
  instance: Instance | undefined,
  stated: string,
): string | undefined {
  if (stated !== "") return pack?.manifests.has(stated) ? stated : undefined;
  if (instance?.lastReport) return instance.lastReport.packVersion;
  return pack?.manifests.size === 1 ? pack.manifests.keys().next().value : undefined;
}

function unknownPack({ packId, packVersion }: AgentHeartbeat): FleetProblem {
  const what = packVersion === "" ? `pack "${packId}"` : `version ${packVersion} of pack "${packId}"`;
  const message = packVersion === "" ? `${what} is not known in exactly one version` : `${what} is not known`;
  return problem("BATON-FLEET-004", "heartbeat.pack_version", message);
}

function addsProfile(pack: PackState, instance: Instance | undefined, taken: HeartbeatTaken): boolean {
  if (instance?.profile && hasTraits(instance.profile, taken)) return false;
  return !pack.profiles.has(profileKey(taken));
}

function malformed(heartbeat: AgentHeartbeat, limits: FleetLimits): FleetProblem | undefined {
  const { instanceId, availableTools, health } = heartbeat;
  const degradedTools = health?.degradedTools ?? [];
  const tools = availableTools.length + degradedTools.length;
  if (tools > limits.toolsPerInstance) {
    return overLimit("heartbeat.available_tools", tools, limits.toolsPerInstance, "tools");
  }
  let longest = instanceId.length;
  for (const { length } of availableTools) longest = Math.max(longest, length);
  for (const { length } of degradedTools) longest = Math.max(longest, length);
  if (longest > limits.nameLength) {
    return overLimit("heartbeat", longest, limits.nameLength, "characters of a name");
  }
  const [violation] = validate(AgentHeartbeatSchema, heartbeat);
  if (violation) return problem("BATON-FLEET-001", `heartbeat.${violation.field}`, violation.message);
  return noName("heartbeat.instance_id", instanceId);
}
