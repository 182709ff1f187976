/** An invariant does not hold. */
export class Violation extends Error {
  readonly invariant: string;

  constructor(invariant: string, detail: string) {
    super(detail);
    this.name = "Violation";
    this.invariant = invariant;
  }
}

/** Throws a `Violation` unless it holds. The detail is computed only then. */
export function invariant(holds: boolean, invariant: string, detail: () => string): asserts holds {
  if (!holds) throw new Violation(invariant, detail());
}
