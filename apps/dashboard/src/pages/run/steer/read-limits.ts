import type { Budget } from "@baton/contract/messages";
import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";

/** The typed texts. */
export interface LimitFields {
  readonly tokens: string;
  readonly usd: string;
  readonly steps: string;
  readonly hours: string;
}

export const noLimits: LimitFields = { tokens: "", usd: "", steps: "", hours: "" };

export interface Limits {
  readonly budget?: { maxTokens?: bigint; maxCostMicroUsd?: bigint; maxSteps?: number };
  readonly deadline?: Timestamp;
}

export type ReadLimits =
  | { readonly ok: true; readonly limits: Limits }
  | { readonly ok: false; readonly problem: string };

/** Parses the typed limits. Empty fields are omitted. */
export function readLimits({ tokens, usd, steps, hours }: LimitFields, nowMs: number): ReadLimits {
  const given = [tokens, usd, steps, hours].map((text) => text.trim());
  const [tokenText = "", usdText = "", stepText = "", hourText = ""] = given;
  if (given.every((text) => text === "")) return wrong("Enter a limit first.");
  if (!isCount(tokenText) || !isCount(stepText)) return wrong("Tokens and steps must be whole numbers.");
  if (!/^(\d{1,9}(\.\d{1,6})?)?$/.test(usdText)) return wrong("Dollars must be an amount such as 2.50.");
  const hoursAhead = Number(hourText);
  if (hourText !== "" && !(hoursAhead > 0 && hoursAhead < 1e5))
    return wrong("The deadline must be a number of hours from now, such as 2.");
  const budget = {
    ...(tokenText !== "" && { maxTokens: BigInt(tokenText) }),
    ...(usdText !== "" && { maxCostMicroUsd: BigInt(Math.round(Number(usdText) * 1e6)) }),
    ...(stepText !== "" && { maxSteps: Number(stepText) }),
  };
  return {
    ok: true,
    limits: {
      ...(Object.keys(budget).length > 0 && { budget }),
      ...(hourText !== "" && { deadline: timestampFromMs(nowMs + hoursAhead * 3_600_000) }),
    },
  };
}

function isCount(text: string): boolean {
  return /^\d{0,9}$/.test(text);
}

function wrong(problem: string): ReadLimits {
  return { ok: false, problem };
}

export function budgetText(budget: Budget | undefined): string {
  const { maxTokens, maxCostMicroUsd, maxSteps } = budget ?? {};
  const parts = [
    ...(maxTokens === undefined ? [] : [`${maxTokens} tokens`]),
    ...(maxCostMicroUsd === undefined ? [] : [`$${Number(maxCostMicroUsd) / 1e6}`]),
    ...(maxSteps === undefined ? [] : [`${maxSteps} steps`]),
  ];
  return parts.join(", ") || "no limit";
}
