import type { ModelUsage, Usage } from "@baton/contract";

/** What is known of spending beyond its amounts. Absent is zero, none or no; older records have none of it. */
export interface SpendDetail extends TokenDetail {
  /** Some of it has no price. */
  readonly costUnknown?: true;
  readonly models?: readonly ModelSpend[];
}

interface TokenDetail {
  /** Among the input tokens. */
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Among the output tokens. */
  readonly reasoningTokens?: number;
}

export interface ModelSpend extends TokenDetail {
  readonly provider: string;
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicroUsd: number;
  readonly costUnknown?: true;
}

/** Models that are counted by name, as many as `Usage.models` may have. Further ones share the last place. */
export const maxModels = 64;
const maxNameLength = 256;
const otherModels = { provider: "", model: "other models" };

const tokenKinds = ["cacheReadTokens", "cacheWriteTokens", "reasoningTokens"] as const;

export function detailOf(usage: Usage): SpendDetail {
  return {
    ...tokensOf(usage),
    ...(usage.costUnknown && { costUnknown: true }),
    ...(usage.models.length > 0 && { models: usage.models.slice(0, maxModels).map(modelOf) }),
  };
}

/** A result is read before it is validated. */
export function isCredibleDetail(usage: Usage): boolean {
  const tokens = [usage, ...usage.models].flatMap((one) => tokenKinds.map((kind) => one[kind]));
  const others = usage.models.flatMap(({ inputTokens, outputTokens, costMicroUsd }) => [
    inputTokens,
    outputTokens,
    costMicroUsd,
  ]);
  return usage.models.every(({ calls }) => calls >= 0) && [...tokens, ...others].every((one) => one >= 0n);
}

export function addDetails(a: SpendDetail, b: SpendDetail): SpendDetail {
  const models = addModels(a.models, b.models);
  return {
    ...addTokens(a, b),
    ...((a.costUnknown || b.costUnknown) && { costUnknown: true }),
    ...(models && { models }),
  };
}

function addModels(a: SpendDetail["models"], b: SpendDetail["models"]): readonly ModelSpend[] | undefined {
  if (!a || !b) return a ?? b;
  const sums = [...a];
  for (const one of b) {
    const known = sums.findIndex((sum) => isSame(sum, one));
    if (known >= 0) sums[known] = addModel(sums[known] as ModelSpend, one);
    else if (sums.length < maxModels) sums.push(one);
    else sums[maxModels - 1] = { ...addModel(sums[maxModels - 1] as ModelSpend, one), ...otherModels };
  }
  return sums;
}

export function isSame(
  a: Pick<ModelSpend, "provider" | "model">,
  b: Pick<ModelSpend, "provider" | "model">,
): boolean {
  return a.provider === b.provider && a.model === b.model;
}

function addModel(a: ModelSpend, b: ModelSpend): ModelSpend {
  return {
    provider: a.provider,
    model: a.model,
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costMicroUsd: a.costMicroUsd + b.costMicroUsd,
    ...addTokens(a, b),
    ...((a.costUnknown || b.costUnknown) && { costUnknown: true }),
  };
}

/** What is in `a` and not yet in `b`. A cost is unknown only where it was not known before. */
export function detailBeyond(a: SpendDetail, b: SpendDetail): SpendDetail {
  const models = (a.models ?? []).flatMap((one): ModelSpend[] => {
    const counted = b.models?.find((other) => isSame(one, other));
    const rest = counted ? modelBeyond(one, counted) : one;
    const isSomething = rest.calls + rest.inputTokens + rest.outputTokens + rest.costMicroUsd > 0;
    return isSomething || rest.costUnknown ? [rest] : [];
  });
  return {
    ...tokensBeyond(a, b),
    ...(a.costUnknown && !b.costUnknown && { costUnknown: true }),
    ...(models.length > 0 && { models }),
  };
}

function modelBeyond(a: ModelSpend, b: ModelSpend): ModelSpend {
  const beyond = (of: (one: ModelSpend) => number) => Math.max(0, of(a) - of(b));
  return {
    provider: a.provider,
    model: a.model,
    calls: beyond((one) => one.calls),
    inputTokens: beyond((one) => one.inputTokens),
    outputTokens: beyond((one) => one.outputTokens),
    costMicroUsd: beyond((one) => one.costMicroUsd),
    ...tokensBeyond(a, b),
    ...(a.costUnknown && !b.costUnknown && { costUnknown: true }),
  };
}

function tokensBeyond(a: TokenDetail, b: TokenDetail): TokenDetail {
  const rests: { -readonly [Kind in keyof TokenDetail]: number } = {};
  for (const kind of tokenKinds) {
    const rest = (a[kind] ?? 0) - (b[kind] ?? 0);
    if (rest > 0) rests[kind] = rest;
  }
  return rests;
}

function addTokens(a: TokenDetail, b: TokenDetail): TokenDetail {
  const sums: { -readonly [Kind in keyof TokenDetail]: number } = {};
  for (const kind of tokenKinds) {
    const sum = (a[kind] ?? 0) + (b[kind] ?? 0);
    if (sum > 0) sums[kind] = sum;
  }
  return sums;
}

function tokensOf(usage: Pick<Usage, keyof TokenDetail>): TokenDetail {
  const tokens: { -readonly [Kind in keyof TokenDetail]: number } = {};
  for (const kind of tokenKinds) if (usage[kind] > 0n) tokens[kind] = Number(usage[kind]);
  return tokens;
}

function modelOf(usage: ModelUsage): ModelSpend {
  return {
    // The results that are refused have names of any length.
    provider: usage.provider.slice(0, maxNameLength),
    model: usage.model.slice(0, maxNameLength),
    calls: usage.calls,
    inputTokens: Number(usage.inputTokens),
    outputTokens: Number(usage.outputTokens),
    costMicroUsd: Number(usage.costMicroUsd),
    ...tokensOf(usage),
    ...(usage.costUnknown && { costUnknown: true }),
  };
}

/** The fields of `Usage` beside its amounts. */
export function usageDetail(detail: SpendDetail) {
  return {
    ...tokenFields(detail),
    costUnknown: detail.costUnknown ?? false,
    models: (detail.models ?? []).map(
      (one): ModelUsage => ({
        $typeName: "vasini.agent.v1.ModelUsage",
        provider: one.provider,
        model: one.model,
        calls: one.calls,
        inputTokens: BigInt(one.inputTokens),
        outputTokens: BigInt(one.outputTokens),
        costMicroUsd: BigInt(one.costMicroUsd),
        ...tokenFields(one),
        costUnknown: one.costUnknown ?? false,
      }),
    ),
  };
}

function tokenFields({ cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 }: TokenDetail) {
  return {
    cacheReadTokens: BigInt(cacheReadTokens),
    cacheWriteTokens: BigInt(cacheWriteTokens),
    reasoningTokens: BigInt(reasoningTokens),
  };
}
