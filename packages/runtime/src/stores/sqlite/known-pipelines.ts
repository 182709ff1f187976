/** What the next transition of a pipeline has to know of it. Changed in place while a batch is written. */
export interface KnownPipeline {
  readonly n: number;
  version: number;
  status: string;
  ended: boolean;
}

/** About 20 MB. What is not here is read again. */
const mostKnown = 50_000;

/** The pipelines that moved last. After a batch that failed nothing of it can be trusted. */
export class KnownPipelines {
  readonly #byId = new Map<string, KnownPipeline>();

  get(pipelineId: string): KnownPipeline | undefined {
    return this.#byId.get(pipelineId);
  }

  add(pipelineId: string, known: KnownPipeline): void {
    if (this.#byId.size >= mostKnown) this.#forgetOldest();
    this.#byId.set(pipelineId, known);
  }

  /** Pipelines that have ended rarely move again. */
  forget(pipelineId: string): void {
    this.#byId.delete(pipelineId);
  }

  clear(): void {
    this.#byId.clear();
  }

  #forgetOldest(): void {
    for (const pipelineId of this.#byId.keys()) {
      this.#byId.delete(pipelineId);
      return;
    }
  }
}
