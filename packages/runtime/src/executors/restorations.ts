import type { Restored } from "../ports/outside.ts";

/** Reports to the caller of a rewind whether its branches were set, which happens after the decision is durable. */
export class Restorations {
  readonly #waiting = new Map<string, (outcome: Restored) => void>();

  /** Resolves when the branches are set or cannot be, or when the hub closes: then they are set after the restart. */
  expect(restoreId: string, closing: AbortSignal): Promise<Restored> {
    return new Promise((resolve) => {
      const stop = () => this.settle(restoreId, later);
      closing.addEventListener("abort", stop, { once: true });
      this.#waiting.set(restoreId, (outcome) => {
        closing.removeEventListener("abort", stop);
        resolve(outcome);
      });
      if (closing.aborted) stop();
    });
  }

  settle(restoreId: string, outcome: Restored): void {
    this.#waiting.get(restoreId)?.(outcome);
    this.#waiting.delete(restoreId);
  }

  /** The rewind was refused: no outcome follows. */
  forget(restoreId: string): void {
    this.settle(restoreId, { ok: true });
  }
}

const later: Restored = {
  ok: false,
  reason: "the hub closes before they are set",
  fix: "start the hub: it sets them then",
};
