/** Which of an agent's messages are dealt with. They are acknowledged in order: all up to one. */
export class Acknowledgements {
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
    if (sequence <= this.#acknowledged || this.#outstanding.has(sequence)) return false;
    this.#outstanding.add(sequence);
    if (sequence > this.#highest) this.#highest = sequence;
    return true;
  }

  /** True when more can be acknowledged now than before. */
  end(sequence: bigint): boolean {
    this.#outstanding.delete(sequence);
    const [oldest] = this.#outstanding;
    if (oldest !== undefined && oldest < sequence) return false;
    let upTo = this.#highest;
    for (const open of this.#outstanding) if (open <= upTo) upTo = open - 1n;
    if (upTo <= this.#acknowledged) return false;
    this.#acknowledged = upTo;
    return true;
  }
}
