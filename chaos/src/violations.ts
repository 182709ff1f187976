/** Something that must never happen, happened. */
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

  /** Notes it when it does not hold. */
  demand(holds: boolean, invariant: string, detail: () => string): void {
    if (!holds) this.add(invariant, detail());
  }
}
