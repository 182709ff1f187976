/**
 * Which of an agent's messages are dealt with. They are acknowledged in order: all up to one.
 *
 * Numbers only grow on a stream, and each stream of a session begins with the oldest that is not acknowledged. So a number up
 * to the highest that has come was taken, also when it is dealt with and cannot be acknowledged yet, because one before it
 * waits.
 */
export class Acknowledgements {
  /** In the order of their numbers. */
  readonly #outstanding = new Set<bigint>();
  #highest: bigint;
  #acknowledged: bigint;

  constructor(acknowledged: bigint) {
    this.#highest = acknowledged;
    this.#acknowledged = acknowledged;
  }

  /** All messages up to this one are dealt with. */
  get acknowledged(): bigint {
    return this.#acknowledged;
  }

  get outstanding(): number {
    return this.#outstanding.size;
  }

  /** False for a message that was dealt with before, or is being dealt with. */
  begin(sequence: bigint): boolean {
    if (sequence <= this.#highest) return false;
    this.#highest = sequence;
    this.#outstanding.add(sequence);
    return true;
  }

  /** True when more can be acknowledged now than before. */
  end(sequence: bigint): boolean {
    this.#outstanding.delete(sequence);
    const [oldest = this.#highest + 1n] = this.#outstanding;
    if (oldest - 1n <= this.#acknowledged) return false;
    this.#acknowledged = oldest - 1n;
    return true;
  }
}
