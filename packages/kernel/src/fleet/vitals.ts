import { type AgentHeartbeat, type AgentTransport, HealthStatus } from "@baton/contract";
import { toMs } from "./milliseconds.ts";

/** What an instance says of itself. */
export interface Vitals {
  readonly health: ReportedHealth;
  readonly activeTasks: number;
  readonly maxTasks: number;
  readonly queuedTasks: number;
  readonly avgLatencyMs: number;
  readonly errorRate: number;
  /** Why it is not well, for people. */
  readonly reason?: string;
  readonly endpoint?: { readonly uri: string; readonly transport: AgentTransport };
}

/** Quarantine is not among them: only the hub says that. */
export type ReportedHealth = "HEALTHY" | "DEGRADED" | "UNHEALTHY";

/** Who does not say how it is counts as degraded; who says it is shut out is not well. */
const reported: Readonly<Record<number, ReportedHealth>> = {
  [HealthStatus.UNSPECIFIED]: "DEGRADED",
  [HealthStatus.HEALTHY]: "HEALTHY",
  [HealthStatus.DEGRADED]: "DEGRADED",
  [HealthStatus.UNHEALTHY]: "UNHEALTHY",
  [HealthStatus.QUARANTINED]: "UNHEALTHY",
};

/** More tasks than anyone does at once, and few enough for the product of two such numbers to be exact. */
const mostTasks = 1_000_000;

export function readVitals({ health, capacity, endpoint }: AgentHeartbeat): Vitals {
  const errorRate = health?.errorRate1m ?? 0;
  return {
    health: reported[health?.status ?? HealthStatus.UNSPECIFIED] ?? "UNHEALTHY",
    activeTasks: within(0, capacity?.activeTasks),
    maxTasks: within(1, capacity?.maxTasks),
    queuedTasks: within(0, capacity?.queuedTasks),
    avgLatencyMs: health?.avgLatency1m ? Math.max(0, toMs(health.avgLatency1m)) : 0,
    errorRate: errorRate >= 0 && errorRate <= 1 ? errorRate : 1, // NaN and nonsense count as the worst.
    ...(health?.reason && { reason: health.reason }),
    ...(endpoint && { endpoint: { uri: endpoint.uri, transport: endpoint.transport } }),
  };
}

/** Sorted, each once, so that two lists of the same set are equal item by item. */
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
  return Math.min(Math.max(count, least), mostTasks);
}
