import { type PipelineState, type StageState, waitOf } from "@baton/kernel";

/** Those who wait for the same, in the order in which they began to. */
interface Line {
  /** They wait for their turn. */
  readonly queued: Set<string>;
  /** A person was asked about them, as of those for whom there was no room in the queue: they come behind. */
  readonly asked: Set<string>;
}

/**
 * Who waits for an agent. A change of the fleet wakes the first of each type of task, and the next when that one was
 * served: who comes first is served first, and a busy fleet is not asked again by everybody whenever one task ends. One that
 * is not let into the queue must not be the first while others are in it: it would be refused, and nobody behind it woken.
 */
export class Waiters {
  /** By tenant and type of task. */
  readonly #lines = new Map<string, Line>();
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
    for (const key of keys) this.#join(key, pipelineId, queued > 0 ? "queued" : "asked");
    if (keys.size === 0) this.#waits.delete(pipelineId);
    else this.#waits.set(pipelineId, { keys: [...keys], queued });
  }

  #join(key: string, pipelineId: string, as: keyof Line): void {
    const line = this.#lines.get(key) ?? { queued: new Set(), asked: new Set() };
    this.#lines.set(key, line);
    line[as === "queued" ? "asked" : "queued"].delete(pipelineId);
    line[as].add(pipelineId);
  }

  #leave(key: string, pipelineId: string): void {
    const line = this.#lines.get(key);
    line?.queued.delete(pipelineId);
    line?.asked.delete(pipelineId);
    if (line?.queued.size === 0 && line.asked.size === 0) this.#lines.delete(key);
  }

  /** The first of every type of task of a tenant. */
  first(tenantId: string): readonly string[] {
    const found: string[] = [];
    if (this.#lines.size === 0) return found;
    const prefix = queueKey(tenantId, "");
    for (const [key, { queued, asked }] of this.#lines) {
      if (!key.startsWith(prefix)) continue;
      for (const pipelineId of queued.size > 0 ? queued : asked) {
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
