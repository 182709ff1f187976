import { type PipelineState, type StageState, servingOrderKey, waitOf } from "@baton/kernel";
import { ServingOrder } from "./serving-order.ts";

/** Pipelines that wait for the same task type, in serving order (`servedBy` of the kernel). */
interface Line {
  /** Waiting for a busy agent. */
  readonly queued: ServingOrder;
  /** Escalated, for instance because the queue was full. Served after `queued`. */
  readonly asked: ServingOrder;
}

/**
 * Pipelines that wait for an agent. A change of the fleet wakes the first of each task type, and the next one after it was
 * served, so that not every waiting pipeline retries whenever a task ends. A pipeline outside the queue must not come first while
 * others are in it: it would be refused, and none behind it woken.
 */
export class Waiters {
  /** By tenant and task type. */
  readonly #lines = new Map<string, Line>();
  /** By pipeline: the keys of its lines, and the number of its stages in the queue. */
  readonly #waits = new Map<string, { readonly keys: readonly string[]; readonly queued: number }>();
  /** By tenant: the queue of one tenant does not affect another. */
  readonly #queued = new Map<string, number>();

  /** Stages of a tenant that wait for a busy agent, without escalated ones. */
  queueDepth(tenantId: string): number {
    return this.#queued.get(tenantId) ?? 0;
  }

  update(state: PipelineState): void {
    const { tenantId, life, stages, plan } = state;
    const waits = life.status === "RUNNING" && stages.some(waitsForAgent);
    if (!waits && !this.#waits.has(state.id)) return; // The usual case.
    const keys = new Map<string, number>();
    let queued = 0;
    if (waits) {
      for (const [index, stage] of stages.entries()) {
        const wait = waitOf(stage);
        if (wait?.kind !== "agent") continue;
        const key = queueKey(tenantId, plan.stages[index]?.taskType ?? "");
        const moment = servingOrderKey(state.task.priority, wait.sinceMs ?? 0);
        keys.set(key, Math.min(moment, keys.get(key) ?? moment));
        if (wait.escalationId === undefined) queued++;
      }
    }
    this.#set(state, keys, queued);
  }

  #set({ id: pipelineId, tenantId }: PipelineState, keys: ReadonlyMap<string, number>, queued: number): void {
    const before = this.#waits.get(pipelineId);
    if (!before && keys.size === 0) return;
    const depth = this.queueDepth(tenantId) + queued - (before?.queued ?? 0);
    if (depth > 0) this.#queued.set(tenantId, depth);
    else this.#queued.delete(tenantId);
    for (const key of before?.keys ?? []) if (!keys.has(key)) this.#leave(key, pipelineId);
    for (const [key, moment] of keys) this.#join(key, pipelineId, queued > 0 ? "queued" : "asked", moment);
    if (keys.size === 0) this.#waits.delete(pipelineId);
    else this.#waits.set(pipelineId, { keys: [...keys.keys()], queued });
  }

  #join(key: string, pipelineId: string, as: keyof Line, moment: number): void {
    const line = this.#lines.get(key) ?? { queued: new ServingOrder(), asked: new ServingOrder() };
    this.#lines.set(key, line);
    line[as === "queued" ? "asked" : "queued"].leave(pipelineId);
    line[as].join(pipelineId, moment);
  }

  #leave(key: string, pipelineId: string): void {
    const line = this.#lines.get(key);
    line?.queued.leave(pipelineId);
    line?.asked.leave(pipelineId);
    if (line?.queued.size === 0 && line.asked.size === 0) this.#lines.delete(key);
  }

  /** The first pipeline of every task type of a tenant, in serving order: task types may share agents. */
  first(tenantId: string): readonly string[] {
    if (this.#lines.size === 0) return [];
    const prefix = queueKey(tenantId, "");
    const found = this.#lines.entries().flatMap(([key, { queued, asked }]) => {
      const first = key.startsWith(prefix) ? (queued.first ?? asked.first) : undefined;
      return first ? [first] : [];
    });
    return [...found].sort((a, b) => a.servedBy - b.servedBy).map(({ id }) => id);
  }

  /** Some of the waiting pipelines, in rotation: an agent for the first of a line may not suit the others. */
  some(count: number): readonly string[] {
    const ids = [...this.#waits.keys()].slice(0, count);
    for (const id of ids) {
      const waits = this.#waits.get(id);
      if (!waits || ids.length >= this.#waits.size) continue;
      this.#waits.delete(id);
      this.#waits.set(id, waits);
    }
    return ids;
  }

  isWaiting(pipelineId: string): boolean {
    return this.#waits.has(pipelineId);
  }
}

function waitsForAgent(stage: StageState): boolean {
  return waitOf(stage)?.kind === "agent";
}

/** No tenant's id contains a line break. */
function queueKey(tenantId: string, taskType: string): string {
  return `${tenantId}\n${taskType}`;
}
