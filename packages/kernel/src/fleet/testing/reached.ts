/** The transitions of a table that tests have reached; each must match the table. */
export class Reached {
  readonly #table: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly #seen = new Set<string>();

  constructor(table: Readonly<Record<string, Readonly<Record<string, string>>>>) {
    this.#table = table;
  }

  see(from: string, transition: string, to: string): void {
    const expected = this.#table[from]?.[transition];
    if (expected !== to) {
      throw new Error(`${from} went by ${transition} to ${to}; the table says ${expected ?? "it does not"}`);
    }
    this.#seen.add(`${from}.${transition}`);
  }

  /** Transitions that no test has reached. */
  get missing(): readonly string[] {
    const all = Object.entries(this.#table).flatMap(([from, to]) =>
      Object.keys(to).map((event) => `${from}.${event}`),
    );
    return all.filter((name) => !this.#seen.has(name));
  }
}
