/** What is stored one after another, as it was given (S5), where nothing else sees to that. */
export class Succession {
  /** What was given last. It fails as soon as one before it has failed. */
  #last: Promise<void> = Promise.resolve();

  give(store: () => Promise<void>): Promise<void> {
    const given = this.#last.then(store);
    this.#last = given;
    // Whoever gives the next one from here on has heard of it.
    given.catch(() => {
      this.#last = Promise.resolve();
    });
    return given;
  }
}
