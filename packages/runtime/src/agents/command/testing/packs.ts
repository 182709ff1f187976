import { type AgentManifest, AgentManifestSchema, RiskTier } from "@baton/contract";
import type { CommandAgent } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import type { CommandPack } from "../settings.ts";

export function manifestOf(packId = "dev", taskTypes = ["code"]): AgentManifest {
  return create(AgentManifestSchema, {
    packId,
    packVersion: "1.0.0",
    capabilitySchemaVersion: "1.0.0",
    safetyTier: RiskTier.CRITICAL,
    supportedTaskTypes: taskTypes,
    providedTools: ["echo"],
    interface: { supportedSchemaVersions: ["^1.0.0"], acceptedRiskTiers: ["LOW", "NORMAL", "CRITICAL"] },
  });
}

const tenantId = "acme";

export function packOf(command: Partial<CommandAgent>, manifest = manifestOf()): CommandPack {
  const defaults = { envelope: "stdin", env: {}, passEnv: [], extraArgs: [] } as const;
  return { tenantId, manifest, command: { ...defaults, ...command } };
}

/** A pack whose command is a script for Node. */
export function nodePack(script: string, more: Partial<CommandAgent> = {}): CommandPack {
  return packOf({ run: [process.execPath, "--input-type=module", "--eval", script], ...more });
}
