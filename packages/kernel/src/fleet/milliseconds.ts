import type { AgentHeartbeat } from "@baton/contract";

type Duration = NonNullable<AgentHeartbeat["leaseTtl"]>;
type Timestamp = NonNullable<AgentHeartbeat["heartbeatAt"]>;

/** With fractions: two heartbeats within one millisecond still have an order. */
export function toMs({ seconds, nanos }: Duration | Timestamp): number {
  return Number(seconds) * 1000 + nanos / 1_000_000;
}
