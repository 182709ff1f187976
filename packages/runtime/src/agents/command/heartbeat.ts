import { type AgentHeartbeat, AgentHeartbeatSchema, HealthStatus } from "@baton/contract";
import { type AttemptNote, deriveHealth } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { hasProgram, programOf } from "./find-program.ts";
import type { CommandPack } from "./settings.ts";

interface HeartbeatOptions {
  readonly nowMs: number;
  readonly leaseTtlMs: number;
  /** Why it cannot work, apart from a missing program. */
  readonly unready: string | undefined;
  readonly plain: (text: string) => string;
}

/** The heartbeat of a command agent; its last attempts and probes decide its health. */
export function commandHeartbeat(
  pack: CommandPack,
  notes: readonly AttemptNote[],
  { nowMs, leaseTtlMs, unready, plain }: HeartbeatOptions,
): AgentHeartbeat {
  const isInstalled = hasProgram(pack);
  const health = deriveHealth(notes, { nowMs, isInstalled, program: programOf(pack), unready });
  const { packId, instanceId } = addressOf(pack);
  return create(AgentHeartbeatSchema, {
    ...{ packId, instanceId, packVersion: pack.manifest.packVersion },
    health: {
      status: HealthStatus[health.status],
      errorRate1m: health.errorRate1m,
      avgLatency1m: durationFromMs(Math.round(health.avgLatencyMs)),
      degradedTools: [...health.degradedTools],
      reason: plain(health.reason),
    },
    capacity: { maxTasks: 1 },
    heartbeatAt: timestampFromMs(nowMs),
    leaseTtl: durationFromMs(leaseTtlMs),
  });
}

/** One instance per pack, with the same name after a restart. */
export function addressOf({ tenantId, manifest: { packId } }: CommandPack) {
  return { tenantId, packId, instanceId: instanceOf(packId) };
}

export function instanceOf(packId: string): string {
  return `${packId}-command`;
}
