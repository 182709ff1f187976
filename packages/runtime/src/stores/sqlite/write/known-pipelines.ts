import { LRUCache } from "lru-cache";

/** The state of a pipeline that the next transition needs. Changed in place while a batch is written. */
export interface KnownPipeline {
  readonly n: number;
  version: number;
  status: string;
  ended: boolean;
  agents: string;
  labels: string;
  /** Digests of the contents in its journal; read on demand for older pipelines. */
  digests: Set<string> | undefined;
}

/** About 20 MB. Others are read again. */
const maxCached = 50_000;
/** About 40 MB. */
const maxDigests = 400_000;

/** The pipelines that changed last. To be cleared after a failed batch. */
export class KnownPipelines {
  readonly #byId = new LRUCache<string, KnownPipeline>({
    max: maxCached,
    dispose: ({ digests }) => {
      this.#digestCount -= digests?.size ?? 0;
    },
  });
  #digestCount = 0;

  get(pipelineId: string): KnownPipeline | undefined {
    return this.#byId.get(pipelineId);
  }

  add(pipelineId: string, known: KnownPipeline): void {
    this.#byId.set(pipelineId, known);
  }

  /** Counts digests that were added to a pipeline. */
  countDigests(more: number): void {
    this.#digestCount += more;
    while (this.#digestCount > maxDigests && this.#byId.size > 0) this.#byId.pop();
  }

  forget(pipelineId: string): void {
    this.#byId.delete(pipelineId);
  }

  clear(): void {
    this.#byId.clear();
    this.#digestCount = 0;
  }
}
