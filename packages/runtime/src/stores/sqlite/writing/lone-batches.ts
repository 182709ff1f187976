import type { Batch } from "../../../ports/store.ts";
import { loneLimits } from "../../limits.ts";

/** So many fast ones make good for a slow one, and three slow ones in a row are too many. */
const [fastForOneSlow, tooSlow] = [4, 12];

/**
 * Tells when the thread that asks had better write itself. Handing a batch over and hearing of it takes about as long as a
 * fast disk does, and nothing else is done meanwhile when pipelines move one by one. Where they come together, where agents
 * talk, and where the disk is slow, the thread of the hub must not wait.
 */
export class LoneBatches {
  readonly #after: number;
  /** How many came one by one, up to now. Below zero, so many are still to be handed over. */
  #count = 0;
  /** Grows with each that was slow, and falls with each that was not. */
  #slowness = 0;

  constructor(after: number) {
    this.#after = after;
  }

  /** Counts a batch. Whether it is written at once. */
  isAlone(batch: Batch, packedBytes: number, isFree: boolean): boolean {
    const isLone =
      isFree && packedBytes <= loneLimits.bytes && batch.transitions.length <= 1 && !hasTold(batch);
    if (!isLone) {
      this.#count = Math.min(this.#count, 0);
      return false;
    }
    this.#count = Math.min(this.#count + 1, this.#after + 1);
    return this.#count > this.#after;
  }

  /** Says how long one took that was written at once. */
  took(ms: number): void {
    if (ms > loneLimits.tooLongMs) this.#slowness += tooSlow;
    else if (ms > loneLimits.slowMs) this.#slowness += fastForOneSlow;
    else this.#slowness = Math.max(0, this.#slowness - 1);
    if (this.#slowness < tooSlow) return;
    this.#slowness = 0;
    this.#count = -loneLimits.afterSlow;
  }
}

/** Whether agents tell what they do: much more of it may follow. */
function hasTold({ turns, callsBegun, callsEnded, held }: Batch): boolean {
  return turns.length + callsBegun.length + callsEnded.length + held.length > 0;
}
