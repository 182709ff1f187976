/** A case that the agent did not pass: what the protocol asks for, and what was there instead. */
export class Failed extends Error {
  override readonly name = "Failed";
  readonly expected: string;
  readonly seen: string;

  constructor(expected: string, seen: string) {
    super(`expected ${expected}; saw ${seen}`);
    this.expected = expected;
    this.seen = seen;
  }
}

/** A case that cannot be asked of this agent. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}

export function expectThat(holds: boolean, expected: string, seen: string): asserts holds {
  if (!holds) throw new Failed(expected, seen);
}

export function expectEqual(what: string, seen: unknown, expected: unknown): void {
  expectThat(seen === expected, `${what} ${show(expected)}`, show(seen));
}

function show(value: unknown): string {
  return typeof value === "string" ? `"${value}"` : String(value);
}
