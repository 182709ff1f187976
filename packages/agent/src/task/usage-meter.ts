import type { Budget, ModelUsage, Usage } from "@baton/contract";
import { BudgetSpent } from "../agent-error.ts";
import type { SpendInput } from "../api/task.ts";
import { limits } from "../limits.ts";

const amounts = [
  "inputTokens",
  "outputTokens",
  "costMicroUsd",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;

/** Counts what an attempt spends on models, in all and by model (SAP V2 §4.2). */
export class UsageMeter {
  readonly #budget: Budget | undefined;
  readonly #spent = {
    inputTokens: 0,
    outputTokens: 0,
    costMicroUsd: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
  #costUnknown = false;
  /** By provider and model. */
  readonly #models = new Map<string, ModelUsage>();

  constructor(budget: Budget | undefined) {
    this.#budget = budget;
  }

  get tokens(): number {
    return this.#spent.inputTokens + this.#spent.outputTokens;
  }

  get costMicroUsd(): number {
    return this.#spent.costMicroUsd;
  }

  /** Usage counts even when it exceeds the budget. */
  spend(input: SpendInput): void {
    check(input);
    const tokens = (input.inputTokens ?? 0) + (input.outputTokens ?? 0);
    const costUnknown = input.costUnknown ?? (input.costMicroUsd === undefined && tokens > 0);
    if (input.model !== undefined) this.#countModel(input.model, input, costUnknown);
    for (const kind of amounts) this.#spent[kind] += input[kind] ?? 0;
    this.#costUnknown ||= costUnknown;
    this.#checkBudget();
  }

  usage(steps: number): Usage {
    return {
      $typeName: "vasini.agent.v1.Usage",
      inputTokens: BigInt(this.#spent.inputTokens),
      outputTokens: BigInt(this.#spent.outputTokens),
      costMicroUsd: BigInt(this.#spent.costMicroUsd),
      steps,
      cacheReadTokens: BigInt(this.#spent.cacheReadTokens),
      cacheWriteTokens: BigInt(this.#spent.cacheWriteTokens),
      reasoningTokens: BigInt(this.#spent.reasoningTokens),
      costUnknown: this.#costUnknown,
      models: [...this.#models.values()],
    };
  }

  #countModel(model: string, input: SpendInput, costUnknown: boolean): void {
    const { provider = "" } = input;
    const named = `${provider}\n${model}`;
    const isOneMore = !this.#models.has(named) && this.#models.size >= limits.models - 1;
    // Usage counts in any case, so that further models share an entry.
    const key = isOneMore ? "" : named;
    const sum = this.#models.get(key) ?? (isOneMore ? noUsage("", "other models") : noUsage(provider, model));
    for (const kind of amounts) sum[kind] += BigInt(input[kind] ?? 0);
    sum.calls++;
    sum.costUnknown ||= costUnknown;
    this.#models.set(key, sum);
  }

  #checkBudget(): void {
    const { maxTokens, maxCostMicroUsd } = this.#budget ?? {};
    if (maxTokens !== undefined && this.tokens > maxTokens) {
      throw new BudgetSpent(`${this.tokens} tokens of ${maxTokens}`, "execution.budget.max_tokens");
    }
    if (maxCostMicroUsd !== undefined && this.costMicroUsd > maxCostMicroUsd) {
      const what = `${this.costMicroUsd} millionths of a dollar of ${maxCostMicroUsd}`;
      throw new BudgetSpent(what, "execution.budget.max_cost_micro_usd");
    }
  }
}

/** The usage of one call. */
export function usageOf(input: SpendInput): Usage {
  const meter = new UsageMeter(undefined);
  meter.spend(input);
  return meter.usage(0);
}

function check(input: SpendInput): void {
  for (const kind of amounts) {
    const amount = input[kind] ?? 0;
    if (Number.isSafeInteger(amount) && amount >= 0) continue;
    throw new RangeError(`usage must be whole numbers, and ${amount} is not`);
  }
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = input;
  const { reasoningTokens = 0, model, provider = "" } = input;
  if (cacheReadTokens + cacheWriteTokens > inputTokens)
    throw new RangeError("the tokens of the cache are among the input tokens, and there are more of them");
  if (reasoningTokens > outputTokens)
    throw new RangeError("the reasoning tokens are among the output tokens, and there are more of them");
  if (model === undefined ? provider !== "" : model === "")
    throw new RangeError("usage of a provider names the model");
  if ((model ?? "").length > limits.modelName || provider.length > limits.modelName)
    throw new RangeError(`the name of a model or provider has at most ${limits.modelName} characters`);
}

function noUsage(provider: string, model: string): ModelUsage {
  return {
    $typeName: "vasini.agent.v1.ModelUsage",
    provider,
    model,
    calls: 0,
    inputTokens: 0n,
    outputTokens: 0n,
    cacheReadTokens: 0n,
    cacheWriteTokens: 0n,
    reasoningTokens: 0n,
    costMicroUsd: 0n,
    costUnknown: false,
  };
}
