import { type AgentEndpoint, type AgentHeartbeat, AgentHeartbeatSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { AgentDefinition } from "./api/definition.ts";
import type { HealthMonitor } from "./health.ts";
import { startStopwatch } from "./time.ts";
import type { Workload } from "./work/workload.ts";

/** The hub ignores a heartbeat older than the last, so heartbeats must stay in order when the clock is set back. */
const clock = startStopwatch();

export interface HeartbeatSource {
  readonly definition: AgentDefinition;
  readonly instanceId: string;
  readonly workload: Workload;
  readonly health: HealthMonitor;
  /** As granted by the hub, or as requested by an agent that listens. */
  readonly leaseMs?: number | undefined;
  readonly endpoint?: AgentEndpoint;
}

/** The current state of the agent (A §3.1 layer 2). */
export function heartbeatOf(source: HeartbeatSource): AgentHeartbeat {
  const { definition, instanceId, workload, health, leaseMs, endpoint } = source;
  const { active, queued, closing } = workload;
  const full = Math.max(active, 1);
  return create(AgentHeartbeatSchema, {
    packId: definition.pack,
    packVersion: definition.version,
    instanceId,
    health: health.health(),
    capacity: {
      // An agent that closes has no free capacity.
      activeTasks: closing ? full : active,
      maxTasks: closing ? full : workload.capacity,
      queuedTasks: queued,
    },
    heartbeatAt: timestampFromMs(clock.nowMs()),
    ...(leaseMs !== undefined && { leaseTtl: durationFromMs(leaseMs) }),
    ...(endpoint && { endpoint }),
    definition: digestsOf(definition),
  });
}

function digestsOf({ digests }: AgentDefinition): { readonly part: string; readonly digest: string }[] {
  return Object.entries(digests?.() ?? {}).map(([part, digest]) => ({ part, digest }));
}
