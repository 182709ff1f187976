import type { CacheRecord } from "@baton/contract";

/** What the hub knows about the key of a task, besides the task itself. */
export interface CacheView {
  /** The newest stored record. */
  readonly record?: CacheRecord | undefined;
  /** The pipeline that executes a task of this key. */
  readonly leader?: string | undefined;
  /** Tasks that wait for it. */
  readonly waiters: number;
}

/** The cache in the state of a pipeline; absent where its task is not cached. */
export interface RunCache {
  readonly key: string;
  readonly fingerprint: string;
  /**
   * `open` until it is decided: it looks for an outcome, or waits for an identical task. A `leading` pipeline executes its task,
   * and identical ones wait for it. A `served` one was answered from the cache.
   */
  readonly phase: "open" | "leading" | "served";
  readonly missReason?: string | undefined;
  /** The pipeline whose outcome did not hold when it was checked again. */
  readonly refused?: string | undefined;
  /** Where its answer comes from. */
  readonly source?: CacheSource | undefined;
  /** Tools that its agents used. */
  readonly tools?: readonly string[] | undefined;
  /** SHA-256 of its outcome in the cache, in hexadecimal digits. */
  readonly digest?: string | undefined;
}

export interface CacheSource {
  readonly taskId: string;
  readonly pipelineId: string;
  readonly ageSec: number;
  /** The attempt that it stands for. */
  readonly dispatchId: string;
}
