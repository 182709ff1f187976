/**
 * Which messages of an agent are processed. They are acknowledged in order: all up to a number.
 *
 * Numbers only grow on a stream, and each stream of a session begins with the oldest that is not acknowledged. So every number
 * up to the highest was received, even if it cannot be acknowledged yet because an earlier one is outstanding.
 */
export class Acknowledgements {
  /** Ascending. */
  readonly #outstanding = new Set<bigint>();
  #highest: bigint;
  #acknowledged: bigint;

  constructor(acknowledged: bigint) {
    this.#highest = acknowledged;
    this.#acknowledged = acknowledged;
  }

  /** All messages up to this one are processed. */
  get acknowledged(): bigint {
    return this.#acknowledged;
  }

  get outstanding(): number {
    return this.#outstanding.size;
  }

  /** False for a message that was received before. */
  begin(sequence: bigint): boolean {
    if (sequence <= this.#highest) return false;
    this.#highest = sequence;
    this.#outstanding.add(sequence);
    return true;
  }

  /** True when `acknowledged` has moved. */
  end(sequence: bigint): boolean {
    this.#outstanding.delete(sequence);
    const [oldest = this.#highest + 1n] = this.#outstanding;
    if (oldest - 1n <= this.#acknowledged) return false;
    this.#acknowledged = oldest - 1n;
    return true;
  }
}
