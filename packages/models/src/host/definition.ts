import type { AgentDefinition, RiskTierName, RoleName } from "@baton/agent";
import { AgentManifestSchema, AgentRole, RiskTier } from "@baton/contract";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";

const tiers: Readonly<Record<number, RiskTierName>> = {
  [RiskTier.LOW]: "low",
  [RiskTier.NORMAL]: "normal",
  [RiskTier.CRITICAL]: "critical",
};

const roles: Readonly<Record<number, RoleName>> = {
  [AgentRole.RESEARCHER]: "researcher",
  [AgentRole.ARCHITECT]: "architect",
  [AgentRole.DEVELOPER]: "developer",
  [AgentRole.REVIEWER]: "reviewer",
};

/** The definition whose manifest is this one: the hub refuses another manifest for the same version of a pack. */
export function definitionOf(json: JsonValue): Omit<AgentDefinition, "run"> {
  const manifest = fromJson(AgentManifestSchema, json);
  const { interface: spoken, dataSchema } = manifest;
  const { maxTaskDuration, maxConcurrentTasks = 0 } = spoken ?? {};
  const role = roles[manifest.role];
  return {
    ...{ pack: manifest.packId, version: manifest.packVersion, taskTypes: manifest.supportedTaskTypes },
    ...{ tools: manifest.providedTools, requiredTools: manifest.requiredTools },
    ...{ ownerDomains: manifest.ownerDomains, description: manifest.description },
    ...{ capabilitySchemaVersion: manifest.capabilitySchemaVersion },
    minOrchestratorVersion: manifest.minOrchestratorVersion,
    safetyTier: tiers[manifest.safetyTier] ?? "normal",
    supportedSchemaVersions: spoken?.supportedSchemaVersions ?? [],
    acceptedRiskTiers: (spoken?.acceptedRiskTiers ?? []).map(tierOf),
    ...(role !== undefined && { role }),
    ...(dataSchema && { dataSchema }),
    ...(maxConcurrentTasks > 0 && { maxConcurrentTasks }),
    ...(maxTaskDuration && { maxTaskDurationMs: durationMs(maxTaskDuration) }),
  };
}

function tierOf(name: string): RiskTierName {
  return name.replace("RISK_TIER_", "").toLowerCase() as RiskTierName;
}
