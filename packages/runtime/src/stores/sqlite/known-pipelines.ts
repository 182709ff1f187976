/** What the next transition of a pipeline has to know of it. Changed in place while a batch is written. */
export interface KnownPipeline {
  readonly n: number;
  version: number;
  status: string;
  ended: boolean;
  agents: string;
  /** Of the contents in its journal; read when they are needed for a pipeline that was not made since the start. */
  digests: Set<string> | undefined;
}

/** About 20 MB. What is not here is read again. */
const mostKnown = 50_000;
/** About 40 MB. */
const mostDigests = 400_000;

/** The pipelines that moved last. After a batch that failed nothing of it can be trusted. */
export class KnownPipelines {
  readonly #byId = new Map<string, KnownPipeline>();
  #digestCount = 0;

  get(pipelineId: string): KnownPipeline | undefined {
    return this.#byId.get(pipelineId);
  }

  add(pipelineId: string, known: KnownPipeline): void {
    if (this.#byId.size >= mostKnown) this.#forgetOldest();
    this.#byId.set(pipelineId, known);
  }

  /** Says that digests were added to one of them. */
  countDigests(more: number): void {
    this.#digestCount += more;
    while (this.#digestCount > mostDigests && this.#byId.size > 0) this.#forgetOldest();
  }

  forget(pipelineId: string): void {
    this.#digestCount -= this.#byId.get(pipelineId)?.digests?.size ?? 0;
    this.#byId.delete(pipelineId);
  }

  clear(): void {
    this.#byId.clear();
    this.#digestCount = 0;
  }

  #forgetOldest(): void {
    for (const pipelineId of this.#byId.keys()) {
      this.forget(pipelineId);
      return;
    }
  }
}
