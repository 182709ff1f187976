import type { SpendRow, Usage } from "@baton/contract/messages";
import { costText, grouped, modelName } from "../../design/spent.ts";

export const groups = [
  { id: "day", name: "Day" },
  { id: "model", name: "Model" },
  { id: "agent", name: "Agent" },
  { id: "template", name: "Template" },
] as const;

export type Group = (typeof groups)[number]["id"];
export type Amount = "cost" | "tokens";

/** Dollars or tokens. */
export function measureOf({ usage }: Pick<SpendRow, "usage">, amount: Amount): number {
  if (!usage) return 0;
  if (amount === "tokens") return Number(usage.inputTokens + usage.outputTokens);
  return Number(usage.costMicroUsd) / 1e6;
}

export function measureText(value: number, amount: Amount): string {
  if (amount === "tokens") return `${value.toLocaleString("en-US", { notation: "compact" })} tokens`;
  return `$${value.toFixed(value >= 1 || value === 0 ? 2 : 4)}`;
}

export function totalText(usage: Usage | undefined): string {
  const tokens = usage ? usage.inputTokens + usage.outputTokens : 0n;
  if (!usage || tokens + usage.costMicroUsd === 0n) return "";
  return [`${grouped(tokens)} tokens`, costText(usage)].filter(Boolean).join(", ");
}

export function nameOf(row: SpendRow, group: Group): string {
  switch (group) {
    case "day":
      return row.day;
    case "model":
      return modelName(row) || "not stated";
    case "agent":
      return row.packId;
    case "template":
      return row.templateId || "no template";
  }
}
