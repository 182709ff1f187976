import type { Task } from "@baton/agent";
import type { AgentResult } from "@baton/contract";
import type { WorstCase } from "../calls/usage.ts";

/** A call was not made, because its worst case does not fit into what is left. */
export class NoRoom extends Error {
  override readonly name = "NoRoom";
  readonly worst: WorstCase;
  constructor(worst: WorstCase) {
    super("the budget has no room for another model call");
    this.worst = worst;
  }
}

/** The budget of an attempt, asked before every call. */
export class Room {
  readonly #task: Task;

  constructor(task: Task) {
    this.#task = task;
  }

  /** Throws `NoRoom`. */
  check(worst: WorstCase): void {
    const left = this.#task.budget();
    const isOver =
      worst.tokens > (left.tokensLeft ?? Number.POSITIVE_INFINITY) ||
      (worst.costMicroUsd ?? 0) > (left.costLeftMicroUsd ?? Number.POSITIVE_INFINITY);
    if (isOver) throw new NoRoom(worst);
  }

  /** Asks for room for the worst case. What was spent before is not repeated, because calls are stored. */
  end({ tokens, costMicroUsd }: WorstCase): AgentResult {
    return this.#task.outOfBudget({
      needed: {
        tokens,
        ...(costMicroUsd !== undefined && { costMicroUsd }),
      },
      reason: "for the next call of the model",
    });
  }
}
