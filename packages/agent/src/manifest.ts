import {
  type AgentManifest,
  AgentManifestSchema,
  AgentRole,
  RiskTier,
  schemaVersion,
  validate,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { AgentDefinition, RiskTierName, RoleName } from "./api/definition.ts";
import { checkDefinition, invalidOption } from "./check-definition.ts";
import { limits } from "./limits.ts";

const tiers: Record<RiskTierName, RiskTier> = {
  low: RiskTier.LOW,
  normal: RiskTier.NORMAL,
  critical: RiskTier.CRITICAL,
};

const roles: Record<RoleName, AgentRole> = {
  researcher: AgentRole.RESEARCHER,
  architect: AgentRole.ARCHITECT,
  developer: AgentRole.DEVELOPER,
  reviewer: AgentRole.REVIEWER,
};

/** The manifest of a definition (A §3.1 layer 1). Throws `AgentError` for one that the hub would refuse. */
export function manifestOf(definition: AgentDefinition): AgentManifest {
  checkDefinition(definition);
  const safetyTier = definition.safetyTier ?? "normal";
  const { maxTaskDurationMs } = definition;
  const manifest = create(AgentManifestSchema, {
    packId: definition.pack,
    packVersion: definition.version,
    capabilitySchemaVersion: definition.capabilitySchemaVersion ?? "1.0.0",
    minOrchestratorVersion: definition.minOrchestratorVersion ?? "",
    safetyTier: tiers[safetyTier],
    supportedTaskTypes: [...definition.taskTypes],
    providedTools: [...(definition.tools ?? [])],
    requiredTools: [...(definition.requiredTools ?? [])],
    ownerDomains: [...(definition.ownerDomains ?? [])],
    interface: {
      supportedSchemaVersions: [...(definition.supportedSchemaVersions ?? [`^${schemaVersion}`])],
      acceptedRiskTiers: (definition.acceptedRiskTiers ?? tiersUpTo(safetyTier)).map(wireName),
      maxConcurrentTasks: definition.maxConcurrentTasks ?? 0,
      ...(maxTaskDurationMs !== undefined && { maxTaskDuration: durationFromMs(maxTaskDurationMs) }),
    },
    role: roleOf(definition),
    description: definition.description ?? "",
    ...(definition.dataSchema && { dataSchema: definition.dataSchema }),
  });
  const [violation] = validate(AgentManifestSchema, manifest);
  if (violation) throw invalidOption(violation.field, violation.message);
  return manifest;
}

export function roleOf({ role = "developer" }: AgentDefinition): AgentRole {
  return roles[role];
}

/** How many tasks this process runs at once. */
export function capacityOf({ capacity, maxConcurrentTasks }: AgentDefinition): number {
  const stated = capacity ?? maxConcurrentTasks ?? 1;
  const most = maxConcurrentTasks ?? limits.capacity;
  if (Number.isInteger(stated) && stated >= 1 && stated <= Math.min(most, limits.capacity)) return stated;
  throw invalidOption("capacity", `must be a whole number from 1 to ${Math.min(most, limits.capacity)}`);
}

function tiersUpTo(highest: RiskTierName): readonly RiskTierName[] {
  const names: readonly RiskTierName[] = ["low", "normal", "critical"];
  return names.filter((name) => tiers[name] <= tiers[highest]);
}

function wireName(name: RiskTierName): string {
  return `RISK_TIER_${name.toUpperCase()}`;
}
