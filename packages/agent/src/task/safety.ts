import { forbiddenAction, forbiddenUse, type TaskEnvelope, type Usage } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import {
  ActionProhibited,
  BudgetSpent,
  ScopeMissing,
  StepLimitReached,
  ToolNotAllowed,
} from "../agent-error.ts";
import type { SpendInput } from "../api/task.ts";

/**
 * Keeps one attempt within its safety context and budget (A §2.5, SAP V2 §4.1): every use of the task is checked before
 * it happens. It is not a sandbox: what `run` does without the task is not checked.
 */
export class Safety {
  readonly #envelope: TaskEnvelope;
  #steps = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  #costMicroUsd = 0;

  constructor(envelope: TaskEnvelope) {
    this.#envelope = envelope;
  }

  /** Called before a tool runs, with its arguments: the hub ends attempts that use forbidden tools. */
  allowTool(name: string, given: JsonObject): void {
    const { safety } = this.#envelope;
    const forbidden = forbiddenUse(safety, { name, arguments: given });
    switch (forbidden?.by) {
      case undefined:
        return;
      case "deny-list":
        throw new ToolNotAllowed(name, "is on the deny list");
      case "allow-list":
        throw new ToolNotAllowed(name, `is not on the allow list (${safety?.toolAllowlist.join(", ")})`);
      case "prohibited-action":
        throw new ActionProhibited(describe(name, given), forbidden.action);
    }
  }

  allowAction(action: string): void {
    const forbidden = forbiddenAction(this.#envelope.safety, action);
    if (forbidden?.by === "prohibited-action") throw new ActionProhibited(action, forbidden.action);
  }

  needScope(scope: string): void {
    if (!this.#envelope.safety?.authScopes.includes(scope)) throw new ScopeMissing(scope);
  }

  countStep(): void {
    const allowed = this.#envelope.safety?.maxAutonomousSteps ?? 0;
    if (allowed > 0 && this.#steps >= allowed) {
      throw new StepLimitReached(allowed, "safety.max_autonomous_steps");
    }
    const granted = this.#envelope.execution?.budget?.maxSteps;
    if (granted !== undefined && this.#steps >= granted) {
      throw new StepLimitReached(granted, "execution.budget.max_steps");
    }
    this.#steps++;
  }

  /** Usage counts even when it exceeds the budget. */
  spend({ inputTokens = 0, outputTokens = 0, costMicroUsd = 0 }: SpendInput): void {
    for (const amount of [inputTokens, outputTokens, costMicroUsd]) {
      if (!Number.isSafeInteger(amount) || amount < 0) {
        throw new RangeError(`usage must be whole numbers, and ${amount} is not`);
      }
    }
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
    this.#costMicroUsd += costMicroUsd;
    const { maxTokens, maxCostMicroUsd } = this.#envelope.execution?.budget ?? {};
    const tokens = this.#inputTokens + this.#outputTokens;
    if (maxTokens !== undefined && tokens > maxTokens) {
      throw new BudgetSpent(`${tokens} tokens of ${maxTokens}`, "execution.budget.max_tokens");
    }
    if (maxCostMicroUsd !== undefined && this.#costMicroUsd > maxCostMicroUsd) {
      const what = `${this.#costMicroUsd} millionths of a dollar of ${maxCostMicroUsd}`;
      throw new BudgetSpent(what, "execution.budget.max_cost_micro_usd");
    }
  }

  usage(): Usage {
    const [inputTokens, outputTokens] = [this.#inputTokens, this.#outputTokens];
    return {
      ...usageOf({ inputTokens, outputTokens, costMicroUsd: this.#costMicroUsd }),
      steps: this.#steps,
    };
  }
}

export function usageOf({ inputTokens = 0, outputTokens = 0, costMicroUsd = 0 }: SpendInput): Usage {
  return {
    $typeName: "vasini.agent.v1.Usage",
    inputTokens: BigInt(inputTokens),
    outputTokens: BigInt(outputTokens),
    costMicroUsd: BigInt(costMicroUsd),
    steps: 0,
  };
}

function describe(name: string, { args, command }: JsonObject): string {
  if (typeof command === "string") return command;
  return [name, ...(Array.isArray(args) ? args : [])].join(" ");
}
