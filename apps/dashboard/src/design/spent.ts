import type { ModelUsage, Usage } from "@baton/contract/messages";

type Cost = Pick<Usage, "costMicroUsd" | "costUnknown">;

/** Empty where no cost is stated. A cost that is partly unknown is never given as the whole. */
export function costText({ costMicroUsd, costUnknown }: Cost): string {
  const dollars = costMicroUsd > 0n ? `$${(Number(costMicroUsd) / 1e6).toFixed(4)}` : "";
  if (!costUnknown) return dollars;
  return dollars === "" ? "cost unknown" : `more than ${dollars}`;
}

export function tokensText(
  usage: Pick<ModelUsage, "inputTokens" | "outputTokens" | "cacheReadTokens">,
): string {
  const cached = usage.cacheReadTokens > 0n ? ` (${grouped(usage.cacheReadTokens)} from a cache)` : "";
  return `${grouped(usage.inputTokens)} tokens read${cached}, ${grouped(usage.outputTokens)} written`;
}

/** Such as `anthropic/claude: 3 calls, 1,200 tokens read, 90 written, $0.0100`. */
export function modelText(spent: ModelUsage): string {
  const calls = spent.calls === 0 ? "" : `${spent.calls} ${spent.calls === 1 ? "call" : "calls"}`;
  return `${modelName(spent)}: ${[calls, tokensText(spent), costText(spent)].filter(Boolean).join(", ")}`;
}

export function modelName({ provider, model }: Pick<ModelUsage, "provider" | "model">): string {
  return [provider, model].filter(Boolean).join("/");
}

export function grouped(number: bigint): string {
  return number.toLocaleString("en-US");
}
