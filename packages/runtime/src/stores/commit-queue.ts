/** Runs commits one after another (S5). */
export class CommitQueue {
  /** The last commit. It fails as soon as an earlier one fails. */
  #last: Promise<void> = Promise.resolve();

  run(commit: () => Promise<void>): Promise<void> {
    const result = this.#last.then(commit);
    this.#last = result;
    // Callers have seen the failure, so that later commits start again.
    result.catch(() => {
      this.#last = Promise.resolve();
    });
    return result;
  }
}
