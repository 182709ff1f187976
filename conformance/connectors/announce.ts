import {
  type AgentEndpoint,
  AgentHeartbeatSchema,
  AgentManifestSchema,
  HealthStatus,
  RegisterAgentRequestSchema,
  RiskTier,
  SendHeartbeatRequestSchema,
} from "@baton/contract";
import type { Caller, Hub } from "@baton/runtime";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampNow } from "@bufbuild/protobuf/wkt";

export const agentCaller: Caller = { tenantId: "acme", id: "agent-key", kind: "agent" };

export const manifest = create(AgentManifestSchema, {
  packId: "dev",
  packVersion: "1.0.0",
  capabilitySchemaVersion: "1.0.0",
  minOrchestratorVersion: "0.1.0",
  safetyTier: RiskTier.CRITICAL,
  supportedTaskTypes: ["code"],
  interface: {
    supportedSchemaVersions: ["^1.0.0"],
    acceptedRiskTiers: ["LOW", "NORMAL", "CRITICAL"],
    maxConcurrentTasks: 4,
  },
});

export type Where = Pick<AgentEndpoint, "uri" | "transport">;

export function heartbeat(endpoint?: Where, leaseMs = 30_000) {
  return create(AgentHeartbeatSchema, {
    packId: "dev",
    instanceId: "dev-1",
    packVersion: "1.0.0",
    health: { status: HealthStatus.HEALTHY },
    capacity: { maxTasks: 4 },
    heartbeatAt: timestampNow(),
    leaseTtl: durationFromMs(leaseMs),
    ...(endpoint && { endpoint }),
  });
}

/** How an agent that listens makes itself known. */
export async function announce(hub: Hub, endpoint: Where, leaseMs?: number): Promise<void> {
  await hub.registerAgent(agentCaller, create(RegisterAgentRequestSchema, { manifest }));
  const request = create(SendHeartbeatRequestSchema, { heartbeat: heartbeat(endpoint, leaseMs) });
  await hub.sendHeartbeat(agentCaller, request);
}
