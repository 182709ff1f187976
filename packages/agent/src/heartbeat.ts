import { type AgentEndpoint, type AgentHeartbeat, AgentHeartbeatSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { AgentDefinition } from "./definition.ts";
import { startStopwatch } from "./stopwatch.ts";
import type { Vitals } from "./vitals.ts";
import type { Workload } from "./work/workload.ts";

/** The hub passes over a heartbeat that is older than the last: a clock that is set back must not make them so. */
const life = startStopwatch();

export interface Living {
  readonly definition: AgentDefinition;
  readonly instanceId: string;
  readonly workload: Workload;
  readonly vitals: Vitals;
  /** As the hub granted it, or as an agent that listens asks for it. */
  readonly leaseMs?: number | undefined;
  readonly endpoint?: AgentEndpoint;
}

/** How the agent is at this instant (A §3.1 layer 2). */
export function heartbeatOf({
  definition,
  instanceId,
  workload,
  vitals,
  leaseMs,
  endpoint,
}: Living): AgentHeartbeat {
  const { active, queued, closing } = workload;
  const full = Math.max(active, 1);
  return create(AgentHeartbeatSchema, {
    packId: definition.pack,
    packVersion: definition.version,
    instanceId,
    health: vitals.health(),
    capacity: {
      // One that leaves has no place to offer.
      activeTasks: closing ? full : active,
      maxTasks: closing ? full : workload.capacity,
      queuedTasks: queued,
    },
    heartbeatAt: timestampFromMs(life.nowMs()),
    ...(leaseMs !== undefined && { leaseTtl: durationFromMs(leaseMs) }),
    ...(endpoint && { endpoint }),
  });
}
