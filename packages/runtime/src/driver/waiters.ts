import { type PipelineState, type StageState, waitOf } from "@baton/kernel";

/**
 * Who waits for an agent. A change of the fleet wakes the first of each type of task, and the next when that one was
 * served: who comes first is served first, and a busy fleet is not asked again by everybody whenever one task ends.
 */
export class Waiters {
  /** By tenant and type of task; in the order in which they began to wait. */
  readonly #queues = new Map<string, Set<string>>();
  /** By pipeline: what it waits for, and how many of its stages only wait for their turn. */
  readonly #waits = new Map<string, { readonly keys: readonly string[]; readonly queued: number }>();
  /** By tenant: no tenant sees, or is held up by, what another one has waiting. */
  readonly #queued = new Map<string, number>();

  /** Stages of a tenant that wait for a busy fleet; those a person was asked about do not queue. */
  queueDepth(tenantId: string): number {
    return this.#queued.get(tenantId) ?? 0;
  }

  update(state: PipelineState): void {
    const { tenantId, life, stages, plan } = state;
    const waits = life.status === "RUNNING" && stages.some(waitsForAgent);
    if (!waits && !this.#waits.has(state.id)) return; // As it is with most.
    const keys = new Set<string>();
    let queued = 0;
    if (waits) {
      for (const [place, stage] of stages.entries()) {
        const wait = waitOf(stage);
        if (wait?.kind !== "agent") continue;
        keys.add(queueKey(tenantId, plan.stages[place]?.taskType ?? ""));
        if (wait.escalationId === undefined) queued++;
      }
    }
    this.#set(state, keys, queued);
  }

  #set({ id: pipelineId, tenantId }: PipelineState, keys: ReadonlySet<string>, queued: number): void {
    const before = this.#waits.get(pipelineId);
    if (!before && keys.size === 0) return;
    const depth = this.queueDepth(tenantId) + queued - (before?.queued ?? 0);
    if (depth > 0) this.#queued.set(tenantId, depth);
    else this.#queued.delete(tenantId);
    for (const key of before?.keys ?? []) if (!keys.has(key)) this.#leave(key, pipelineId);
    for (const key of keys) {
      const queue = this.#queues.get(key) ?? new Set();
      this.#queues.set(key, queue.add(pipelineId));
    }
    if (keys.size === 0) this.#waits.delete(pipelineId);
    else this.#waits.set(pipelineId, { keys: [...keys], queued });
  }

  #leave(key: string, pipelineId: string): void {
    const queue = this.#queues.get(key);
    queue?.delete(pipelineId);
    if (queue?.size === 0) this.#queues.delete(key);
  }

  /** The first of every type of task of a tenant. */
  first(tenantId: string): readonly string[] {
    const found: string[] = [];
    if (this.#queues.size === 0) return found;
    const prefix = queueKey(tenantId, "");
    for (const [key, queue] of this.#queues) {
      if (!key.startsWith(prefix)) continue;
      for (const pipelineId of queue) {
        found.push(pipelineId);
        break;
      }
    }
    return found;
  }

  /** Some of all who wait, others the next time: not every one can be served by whoever serves the first. */
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
