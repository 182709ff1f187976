import type { Restored } from "../ports/outside.ts";

/** Lets whoever asked for a rewind hear what became of the branches, which are set once the decision is durable. */
export class Restorations {
  readonly #waiting = new Map<string, (outcome: Restored) => void>();

  /** Resolves when the branches are set or cannot be; at the latest when the hub closes: then its next life sets them. */
  expect(restoreId: string, closing: AbortSignal): Promise<Restored> {
    return new Promise((resolve) => {
      const stop = () => this.told(restoreId, later);
      closing.addEventListener("abort", stop, { once: true });
      this.#waiting.set(restoreId, (outcome) => {
        closing.removeEventListener("abort", stop);
        resolve(outcome);
      });
      if (closing.aborted) stop();
    });
  }

  told(restoreId: string, outcome: Restored): void {
    this.#waiting.get(restoreId)?.(outcome);
    this.#waiting.delete(restoreId);
  }

  /** It was not decided: nobody will be told. */
  forget(restoreId: string): void {
    this.told(restoreId, { ok: true });
  }
}

const later: Restored = {
  ok: false,
  reason: "the hub closes before they are set",
  fix: "start the hub: it sets them then",
};
