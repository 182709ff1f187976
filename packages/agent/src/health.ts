import { type AgentResult, HealthStatus, Outcome } from "@baton/contract";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { AgentDefinition } from "./api/definition.ts";
import { limits } from "./limits.ts";

interface EndedAttempt {
  readonly atMs: number;
  readonly tookMs: number;
  readonly failed: boolean;
}

/** Health of the agent: the outcomes of the last minute, and the tools that did not start (A §3.1). */
export class HealthMonitor {
  readonly #definition: AgentDefinition;
  readonly #now: () => number;
  #ended: EndedAttempt[] = [];
  /** When a declared tool last failed to start. */
  readonly #failedTools = new Map<string, number>();

  constructor(definition: AgentDefinition, now: () => number = () => performance.now()) {
    this.#definition = definition;
    this.#now = now;
  }

  noteEnd(tookMs: number, { status }: AgentResult): void {
    const outcome = status?.outcome;
    const failed = outcome === Outcome.RETRYABLE_FAILURE || outcome === Outcome.NON_RETRYABLE_FAILURE;
    this.#ended.push({ atMs: this.#now(), tookMs, failed });
    if (this.#ended.length > limits.healthSamples) this.#ended.shift();
  }

  /** Only declared tools count. */
  noteTool(tool: string, started: boolean): void {
    if (started) this.#failedTools.delete(tool);
    else if (this.#definition.tools?.includes(tool)) this.#failedTools.set(tool, this.#now());
  }

  health() {
    const since = this.#now() - limits.healthWindowMs;
    this.#ended = this.#ended.filter(({ atMs }) => atMs > since);
    const count = this.#ended.length;
    const failures = this.#ended.filter(({ failed }) => failed).length;
    const total = this.#ended.reduce((sum, { tookMs }) => sum + tookMs, 0);
    // The hub sends no task that needs a degraded tool, so only time can clear it.
    const degradedTools = [...this.#failedTools].filter(([, atMs]) => atMs > since).map(([tool]) => tool);
    const stated = this.#stated();
    const isDegraded = stated === HealthStatus.HEALTHY && degradedTools.length > 0;
    return {
      status: isDegraded ? HealthStatus.DEGRADED : stated,
      errorRate1m: count === 0 ? 0 : failures / count,
      avgLatency1m: durationFromMs(count === 0 ? 0 : Math.round(total / count)),
      degradedTools,
    };
  }

  #stated(): HealthStatus {
    try {
      return statuses[this.#definition.health?.() ?? "healthy"];
    } catch {
      return HealthStatus.UNHEALTHY;
    }
  }
}

const statuses = {
  healthy: HealthStatus.HEALTHY,
  degraded: HealthStatus.DEGRADED,
  unhealthy: HealthStatus.UNHEALTHY,
} as const;
