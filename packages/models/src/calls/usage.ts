import type { ModelPrice } from "@baton/kernel";

/** What a call used, as `task.spend` counts it. */
export interface CallUsage {
  /** Those of the cache included. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Reasoning included. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** Millionths of a US dollar. */
  readonly costMicroUsd: number;
  /** The model has no price, or its provider reported no tokens. */
  readonly costUnknown: boolean;
  /** The model's name at the provider. */
  readonly model: string;
  readonly provider: string;
}

/** Token counts as the AI SDK reports them; providers leave some out. */
export interface ReportedTokens {
  readonly inputTokens: number | undefined;
  readonly inputTokenDetails?: {
    readonly cacheReadTokens: number | undefined;
    readonly cacheWriteTokens: number | undefined;
  };
  readonly outputTokens: number | undefined;
  readonly outputTokenDetails?: { readonly reasoningTokens: number | undefined };
}

interface PricedModel {
  readonly model: string;
  readonly provider: string;
  readonly price?: ModelPrice;
}

/** The tokens and the cost of one call. Prices are dollars per million tokens, which is millionths of a dollar per token. */
export function callUsage(tokens: ReportedTokens, { model, provider, price }: PricedModel): CallUsage {
  const inputTokens = count(tokens.inputTokens);
  const outputTokens = count(tokens.outputTokens);
  const cacheReadTokens = Math.min(inputTokens, count(tokens.inputTokenDetails?.cacheReadTokens));
  const cacheWriteTokens = Math.min(
    inputTokens - cacheReadTokens,
    count(tokens.inputTokenDetails?.cacheWriteTokens),
  );
  const reasoningTokens = Math.min(outputTokens, count(tokens.outputTokenDetails?.reasoningTokens));
  const isCounted = tokens.inputTokens !== undefined && tokens.outputTokens !== undefined;
  const plainTokens = inputTokens - cacheReadTokens - cacheWriteTokens;
  const cost = price
    ? plainTokens * price.input +
      cacheReadTokens * price.cacheRead +
      cacheWriteTokens * price.cacheWrite +
      outputTokens * price.output
    : 0;
  return {
    ...{ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens, model, provider },
    // Rounding first removes the error of binary fractions, which would add a millionth.
    costMicroUsd: Math.ceil(Number(cost.toFixed(6))),
    costUnknown: price === undefined || !isCounted,
  };
}

function count(tokens: number | undefined): number {
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0 ? Math.round(tokens) : 0;
}

/** The most that a call may use. */
export interface WorstCase {
  readonly tokens: number;
  /** Undefined: the model has no price. */
  readonly costMicroUsd?: number;
}

/** The most that a call may use: never more input than the context window, and all of it may be written to the cache. */
export function worstCase(
  inputTokens: number,
  maxOutputTokens: number,
  { contextWindow, price }: { readonly contextWindow: number; readonly price?: ModelPrice },
): WorstCase {
  const input = Math.min(inputTokens, contextWindow);
  const tokens = input + maxOutputTokens;
  if (price === undefined) return { tokens };
  const inputPrice = Math.max(price.input, price.cacheWrite, price.cacheRead);
  return { tokens, costMicroUsd: Math.ceil(input * inputPrice + maxOutputTokens * price.output) };
}
