import { type AgentHeartbeat, type AgentTransport, HealthStatus } from "@baton/contract";

/** The state that an instance reports. */
export interface Vitals {
  readonly health: ReportedHealth;
  readonly activeTasks: number;
  readonly maxTasks: number;
  readonly queuedTasks: number;
  readonly avgLatencyMs: number;
  readonly errorRate: number;
  /** Why it is unhealthy, for people. */
  readonly reason?: string;
  readonly endpoint?: { readonly uri: string; readonly transport: AgentTransport };
}

/** Without QUARANTINED: only the hub quarantines. */
export type ReportedHealth = "HEALTHY" | "DEGRADED" | "UNHEALTHY";

/** An instance that does not state its health counts as degraded. */
const reported: Readonly<Record<number, ReportedHealth>> = {
  [HealthStatus.UNSPECIFIED]: "DEGRADED",
  [HealthStatus.HEALTHY]: "HEALTHY",
  [HealthStatus.DEGRADED]: "DEGRADED",
  [HealthStatus.UNHEALTHY]: "UNHEALTHY",
  [HealthStatus.QUARANTINED]: "UNHEALTHY",
};

/** Few enough for two different quotients of such numbers to differ as doubles. */
const maxTaskCount = 1_000_000;

export function readVitals({ health, capacity, endpoint }: AgentHeartbeat): Vitals {
  const errorRate = health?.errorRate1m ?? 0;
  return {
    health: reported[health?.status ?? HealthStatus.UNSPECIFIED] ?? "UNHEALTHY",
    activeTasks: within(0, capacity?.activeTasks),
    maxTasks: within(1, capacity?.maxTasks),
    queuedTasks: within(0, capacity?.queuedTasks),
    avgLatencyMs: health?.avgLatency1m ? Math.max(0, toMs(health.avgLatency1m)) : 0,
    errorRate: errorRate >= 0 && errorRate <= 1 ? errorRate : 1, // NaN and values out of range count as the worst.
    ...(health?.reason && { reason: health.reason }),
    ...(endpoint && { endpoint: { uri: endpoint.uri, transport: endpoint.transport } }),
  };
}

/** Sorted and unique, so that lists of the same set are equal item by item. */
export function readTools(tools: readonly string[]): readonly string[] {
  return isSet(tools) ? [...tools] : [...new Set(tools)].sort();
}

function isSet(tools: readonly string[]): boolean {
  for (let at = 1; at < tools.length; at++) {
    if ((tools[at - 1] as string) >= (tools[at] as string)) return false;
  }
  return true;
}

function within(least: number, count = 0): number {
  return Math.min(Math.max(count, least), maxTaskCount);
}

type Duration = NonNullable<AgentHeartbeat["leaseTtl"]>;
type Timestamp = NonNullable<AgentHeartbeat["heartbeatAt"]>;

/** With fractions, so that two heartbeats within one millisecond are ordered. */
export function toMs({ seconds, nanos }: Duration | Timestamp): number {
  return Number(seconds) * 1000 + nanos / 1_000_000;
}
