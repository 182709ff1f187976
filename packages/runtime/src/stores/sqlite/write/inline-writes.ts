import type { Batch } from "../../../ports/store.ts";
import { inlineWriteLimits } from "../../limits.ts";

/** One slow write counts as much as four fast ones; three slow writes in a row reach the limit. */
const [slowWeight, slowLimit] = [4, 12];

/**
 * Decides which batches the thread of the hub writes itself. Sending a batch to another thread takes about as long as a fast
 * disk, and nothing else happens meanwhile when pipelines move one by one. When they move together, when agents report turns,
 * and when the disk is slow, the thread of the hub must not wait.
 */
export class InlineWritePolicy {
  readonly #after: number;
  /** Single batches in a row. A negative count is the number of batches to send to the other thread first. */
  #count = 0;
  /** Grows with each slow write, and falls with each fast one. */
  #slowness = 0;

  constructor(after: number) {
    this.#after = after;
  }

  /** Counts a batch. Returns whether to write it in the thread of the hub. */
  isInline(batch: Batch, packedBytes: number, isFree: boolean): boolean {
    const isSingle =
      isFree && packedBytes <= inlineWriteLimits.bytes && batch.transitions.length <= 1 && !hasReports(batch);
    if (!isSingle) {
      this.#count = Math.min(this.#count, 0);
      return false;
    }
    this.#count = Math.min(this.#count + 1, this.#after + 1);
    return this.#count > this.#after;
  }

  /** Records how long an inline write took. */
  took(ms: number): void {
    if (ms > inlineWriteLimits.tooLongMs) this.#slowness += slowLimit;
    else if (ms > inlineWriteLimits.slowMs) this.#slowness += slowWeight;
    else this.#slowness = Math.max(0, this.#slowness - 1);
    if (this.#slowness < slowLimit) return;
    this.#slowness = 0;
    this.#count = -inlineWriteLimits.afterSlow;
  }
}

/** Reports of agents: more of them may follow soon. */
function hasReports({ turns, callsBegun, callsEnded, held, steps }: Batch): boolean {
  return turns.length + callsBegun.length + callsEnded.length + held.length + steps.length > 0;
}
