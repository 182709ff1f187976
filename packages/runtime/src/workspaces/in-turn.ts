/** Does what concerns the same thing one after another, in the order in which it was asked for. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>();

  do<Value>(about: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(about) ?? Promise.resolve();
    const done = before.then(work, work);
    const settled = done.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(about, settled);
    void settled.then(() => {
      if (this.#last.get(about) === settled) this.#last.delete(about);
    });
    return done;
  }
}
