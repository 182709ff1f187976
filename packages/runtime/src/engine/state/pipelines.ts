import { hasEnded, type PipelineState } from "@baton/kernel";
import { NewerForm, readRecords } from "../../journal/codec.ts";
import { ContentFinder } from "../../journal/contents.ts";
import type { StoredJournal } from "../../ports/store.ts";
import { DamagedJournal, StoreUnavailable } from "../../ports/store-error.ts";
import type { Kernel } from "../kernel.ts";

/** Folds the records of a journal, as many as `upTo` says. Throws `StoreUnavailable` when they cannot be read. */
export function replayJournal(
  { pipelineId, texts, contents }: StoredJournal,
  evolve: Kernel["evolve"],
  upTo = Number.POSITIVE_INFINITY,
): PipelineState | undefined {
  const finder = new ContentFinder(contents);
  let state: PipelineState | undefined;
  try {
    for (const text of texts) {
      for (const record of readRecords(text, finder)) {
        if (state && state.version >= upTo) return state;
        state = evolve(state, record);
      }
    }
  } catch (error) {
    if (error instanceof NewerForm) throw writtenByNewer(pipelineId, error);
    throw new DamagedJournal(pipelineId, error instanceof Error ? error.message : String(error), error);
  }
  return state;
}

function writtenByNewer(pipelineId: string, error: NewerForm): StoreUnavailable {
  return new StoreUnavailable("BATON-STORE-002", `pipeline "${pipelineId}" is ${error.message}`, {
    fix: "start the version of Baton that has written it, or a newer one",
    mayPass: false,
    cause: error,
  });
}

/** Pipelines in memory: all open ones, and the last that ended. */
export class Pipelines {
  readonly #open = new Map<string, PipelineState>();
  /** Oldest first. */
  readonly #ended = new Map<string, PipelineState>();
  readonly #endedKept: number;

  constructor(endedKept: number) {
    this.#endedKept = endedKept;
  }

  get(pipelineId: string): PipelineState | undefined {
    return this.#open.get(pipelineId) ?? this.#ended.get(pipelineId);
  }

  open(): Iterable<PipelineState> {
    return this.#open.values();
  }

  set(state: PipelineState): void {
    if (!hasEnded(state)) {
      if (!this.#open.has(state.id)) this.#ended.delete(state.id); // A rewind has reopened it.
      this.#open.set(state.id, state);
      return;
    }
    this.#open.delete(state.id);
    this.#ended.delete(state.id);
    this.#ended.set(state.id, state);
  }

  /** Removes the oldest ended pipelines beyond the limit from both, as long as both have the same state of them. */
  forgetWith(other: Pipelines): void {
    for (const [id, state] of this.#ended) {
      if (this.#ended.size <= this.#endedKept || other.get(id) !== state) break;
      this.#ended.delete(id);
      other.#ended.delete(id);
    }
  }
}
