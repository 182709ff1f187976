/** An invariant does not hold. */
export interface Violation {
  readonly invariant: string;
  readonly detail: string;
}

export class Violations {
  readonly #found: Violation[] = [];

  get all(): readonly Violation[] {
    return this.#found;
  }

  add(invariant: string, detail: string): void {
    this.#found.push({ invariant, detail });
  }

  /** Adds a violation unless it holds. */
  check(holds: boolean, invariant: string, detail: () => string): void {
    if (!holds) this.add(invariant, detail());
  }
}
