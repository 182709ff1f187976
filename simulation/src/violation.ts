/** Something that must never happen, happened. */
export class Violation extends Error {
  readonly invariant: string;

  constructor(invariant: string, detail: string) {
    super(detail);
    this.name = "Violation";
    this.invariant = invariant;
  }
}

/** Demands that something holds. The detail is only worked out when it does not. */
export function demand(holds: boolean, invariant: string, detail: () => string): asserts holds {
  if (!holds) throw new Violation(invariant, detail());
}
