import type { Task } from "@baton/agent";
import type { AgentResult } from "@baton/contract";
import type { CallUsage, WorstCase } from "../calls/usage.ts";

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
  /** Whether calls of this attempt are paid again in the next one. */
  readonly #repeats: boolean;
  #tokens = 0;
  #costMicroUsd = 0;

  constructor(task: Task, repeats: boolean) {
    this.#task = task;
    this.#repeats = repeats;
  }

  /** Throws `NoRoom`. */
  check(worst: WorstCase): void {
    const left = this.#task.budget();
    const isOver =
      worst.tokens > (left.tokensLeft ?? Number.POSITIVE_INFINITY) ||
      (worst.costMicroUsd ?? 0) > (left.costLeftMicroUsd ?? Number.POSITIVE_INFINITY);
    if (isOver) throw new NoRoom(worst);
  }

  /** Spending is counted by the step of the call. */
  noteSpent(usage: CallUsage): void {
    this.#tokens += usage.inputTokens + usage.outputTokens;
    this.#costMicroUsd += usage.costMicroUsd;
  }

  /** Asks for more room: at least the worst case, and whatever has to be repeated before. */
  end({ tokens, costMicroUsd }: WorstCase): AgentResult {
    const [again, againMicroUsd] = this.#repeats ? [this.#tokens, this.#costMicroUsd] : [0, 0];
    return this.#task.outOfBudget({
      needed: {
        tokens: tokens + again,
        ...(costMicroUsd !== undefined && { costMicroUsd: costMicroUsd + againMicroUsd }),
      },
      reason: "for the next call of the model",
    });
  }
}
