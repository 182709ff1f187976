import { type AgentResult, HealthStatus, Outcome } from "@baton/contract";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { AgentDefinition } from "./definition.ts";
import { limits } from "./limits.ts";

interface Ended {
  readonly atMs: number;
  readonly tookMs: number;
  readonly failed: boolean;
}

/** How the agent is: what became of the tasks of the last minute, and which of its tools did not start (A §3.1). */
export class Vitals {
  readonly #definition: AgentDefinition;
  readonly #now: () => number;
  #ended: Ended[] = [];
  /** When a declared tool last failed to start. */
  readonly #broken = new Map<string, number>();

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

  /** Only a tool that the agent promised counts: to lack any other is no illness. */
  noteTool(tool: string, started: boolean): void {
    if (started) this.#broken.delete(tool);
    else if (this.#definition.tools?.includes(tool)) this.#broken.set(tool, this.#now());
  }

  health() {
    const since = this.#now() - limits.healthWindowMs;
    this.#ended = this.#ended.filter(({ atMs }) => atMs > since);
    const count = this.#ended.length;
    const failures = this.#ended.filter(({ failed }) => failed).length;
    const total = this.#ended.reduce((sum, { tookMs }) => sum + tookMs, 0);
    // Nobody sends a task that needs a broken tool, so only time can show that it works again.
    const degradedTools = [...this.#broken].filter(([, atMs]) => atMs > since).map(([tool]) => tool);
    return {
      status: this.#status(degradedTools),
      errorRate1m: count === 0 ? 0 : failures / count,
      avgLatency1m: durationFromMs(count === 0 ? 0 : Math.round(total / count)),
      degradedTools,
    };
  }

  #status(degradedTools: readonly string[]): HealthStatus {
    const stated = this.#stated();
    if (stated !== HealthStatus.HEALTHY) return stated;
    return degradedTools.length > 0 ? HealthStatus.DEGRADED : HealthStatus.HEALTHY;
  }

  #stated(): HealthStatus {
    try {
      return statuses[this.#definition.health?.() ?? "healthy"];
    } catch {
      return HealthStatus.UNHEALTHY; // An agent that cannot say how it is, is not well.
    }
  }
}

const statuses = {
  healthy: HealthStatus.HEALTHY,
  degraded: HealthStatus.DEGRADED,
  unhealthy: HealthStatus.UNHEALTHY,
} as const;
