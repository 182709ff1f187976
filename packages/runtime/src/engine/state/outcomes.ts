import type { CacheRecord } from "@baton/contract";
import { type CacheView, type PipelineState, waitOf } from "@baton/kernel";
import { LRUCache } from "lru-cache";

/** The pipelines of one key. */
interface Line {
  /** Executes the task. There may be two after a rewind. */
  readonly leaders: Set<string>;
  readonly waiting: Set<string>;
}

/** Memory for records of the cache, in bytes; the store has all of them. */
const recordBytes = 32 * 1024 * 1024;
/** What a known absence takes. */
const absentBytes = 200;

/**
 * The newest outcome of each key that was asked for lately, who executes a task of it, and who waits (SAP-05). The store has the
 * records, and the open pipelines have the rest.
 */
export class Outcomes {
  readonly #records = new LRUCache<string, { readonly record: CacheRecord | undefined }>({
    maxSize: recordBytes,
  });
  readonly #lines = new Map<string, Line>();
  readonly #role = new Map<string, "leading" | "waiting">();

  /** Whether the newest record of the key, or its absence, is known. */
  knows(key: string): boolean {
    return this.#records.has(key);
  }

  /** The newest record of the key, decided or read. What was decided is newer than what a read returns. */
  set(key: string, record: CacheRecord | undefined, bytes: number): void {
    this.#records.set(key, { record }, { size: Math.max(absentBytes, bytes) });
  }

  view(key: string): CacheView {
    const line = this.#lines.get(key);
    const [leader] = line?.leaders ?? [];
    return { record: this.#records.get(key)?.record, leader, waiters: line?.waiting.size ?? 0 };
  }

  /** Returns the pipelines to wake: all that wait when there is an outcome for them, else the next one, which is executed. */
  update(state: PipelineState): readonly string[] {
    const { id, cache } = state;
    if (!cache) return [];
    const role = roleOf(state);
    const before = this.#role.get(id);
    if (role === undefined && before === undefined) return [];
    const line = this.#lines.get(cache.key) ?? { leaders: new Set(), waiting: new Set() };
    line.leaders.delete(id);
    if (role !== "waiting") line.waiting.delete(id);
    if (role === undefined) this.#role.delete(id);
    else {
      this.#role.set(id, role);
      line[role === "leading" ? "leaders" : "waiting"].add(id);
    }
    if (line.leaders.size === 0 && line.waiting.size === 0) this.#lines.delete(cache.key);
    else this.#lines.set(cache.key, line);
    if (line.leaders.size > 0 || role === "waiting") return [];
    // When one of those that wait has left, the others are awake already, or only the next one is wanted.
    const answersAll = before === "leading" && this.#records.peek(cache.key)?.record !== undefined;
    return answersAll ? [...line.waiting] : firstOf(line);
  }

  /** Those that wait and have nobody to wait for: after a restart, or when the hub lost a wake. */
  abandoned(): readonly string[] {
    return [...this.#lines.values()].flatMap(({ leaders, waiting }) =>
      leaders.size > 0 ? [] : firstOf({ waiting }),
    );
  }
}

function firstOf({ waiting }: Pick<Line, "waiting">): readonly string[] {
  const [first] = waiting;
  return first === undefined ? [] : [first];
}

/**
 * One that failed, or waits for a person without an attempt under way, no longer leads, nor does one whose answer needs a decision
 * about its alignment: the next one is executed.
 */
function roleOf({ life, cache, stages, alignments }: PipelineState): "leading" | "waiting" | undefined {
  if (life.status === "COMPLETED" || life.status === "FAILED" || life.status === "ABORTED") return undefined;
  const isAtWork = stages.some((stage) => stage.status === "DISPATCHED" && !waitOf(stage));
  const goesOn = life.status !== "PAUSED" && !stages.some(({ status }) => status === "FAILED");
  if (alignments?.get(0)?.phase === "asking" && cache?.phase === "leading") return undefined;
  if (cache?.phase === "leading") return isAtWork || goesOn ? "leading" : undefined;
  const waits = cache?.phase === "open" && life.status === "RUNNING";
  return waits && stages.some((stage) => waitOf(stage)?.kind === "identical") ? "waiting" : undefined;
}
