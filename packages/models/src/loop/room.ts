import type { Task } from "@baton/agent";
import type { AgentResult } from "@baton/contract";
import type { CallUsage, WorstCase } from "../calls/usage.ts";

interface Left {
  readonly tokensLeft?: number | undefined;
  readonly costLeftMicroUsd?: number | undefined;
}

type BudgetTask = Task & {
  budget?(): Left;
  outOfBudget?(worst: WorstCase): AgentResult;
};

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
  readonly #task: BudgetTask;
  #tokens = 0;
  #costMicroUsd = 0;

  constructor(task: Task) {
    this.#task = task;
  }

  /** Throws `NoRoom`. */
  check(worst: WorstCase): void {
    const { tokensLeft, costLeftMicroUsd } = this.#task.budget?.() ?? this.#left();
    const isOver =
      worst.tokens > (tokensLeft ?? Number.POSITIVE_INFINITY) ||
      (worst.costMicroUsd ?? 0) > (costLeftMicroUsd ?? Number.POSITIVE_INFINITY);
    if (isOver) throw new NoRoom(worst);
  }

  spend(usage: CallUsage): void {
    this.#tokens += usage.inputTokens + usage.outputTokens;
    this.#costMicroUsd += usage.costMicroUsd;
    this.#task.spend(usage);
  }

  /** Asks for a larger budget, with what was spent and what is missing. */
  end(worst: WorstCase): AgentResult {
    if (this.#task.outOfBudget !== undefined) return this.#task.outOfBudget(worst);
    const { tokensLeft, costLeftMicroUsd } = this.#left();
    const spent = `${this.#tokens} tokens and ${this.#costMicroUsd} millionths of a dollar are spent`;
    const left = [
      ...(tokensLeft === undefined ? [] : [`${tokensLeft} tokens`]),
      ...(costLeftMicroUsd === undefined ? [] : [`${costLeftMicroUsd} millionths of a dollar`]),
    ].join(" and ");
    const cost = worst.costMicroUsd === undefined ? "" : ` and ${worst.costMicroUsd} millionths of a dollar`;
    const reason = `the next model call may need ${worst.tokens} tokens${cost}; ${left} are left, ${spent}`;
    return this.#task.escalate(reason, { code: "BUDGET_SPENT", noEvidence: reason });
  }

  #left(): Left {
    const { maxTokens, maxCostMicroUsd } = this.#task.envelope.execution?.budget ?? {};
    return {
      tokensLeft: maxTokens === undefined ? undefined : Number(maxTokens) - this.#tokens,
      costLeftMicroUsd:
        maxCostMicroUsd === undefined ? undefined : Number(maxCostMicroUsd) - this.#costMicroUsd,
    };
  }
}
