import type { Schema } from "./schema.ts";

/** Titles that cannot be derived from the field name. */
const titles: Readonly<Record<string, string>> = {
  "contract.io": "Inputs and outputs",
  "contract.non_goals": "Non-goals",
  risk_tier: "Risk",
  timeout: "Timeout per attempt",
  max_retries: "Retries",
  patch_size_limit: "Maximum patch size (lines)",
  failure_strategy: "When a stage fails",
  "budget.max_cost_micro_usd": "Cost (US dollars)",
  "budget.max_tokens": "Tokens",
  "budget.max_steps": "Steps",
  "workspace.path": "Shared folder",
};

const emptyWords: Readonly<Record<string, string>> = {
  risk_tier: "not set (treated as normal)",
  failure_strategy: "template default, else pause",
  context_level: "stage default",
};

export function emptyWord(path: string): string {
  return emptyWords[path] ?? "not set";
}

/** "critical" for RISK_TIER_CRITICAL, "fail fast" for FAILURE_STRATEGY_FAIL_FAST. */
export function wordOf(name: string): string {
  return name
    .replace(/^(RISK_TIER|PRIORITY|FAILURE_STRATEGY|CONTEXT_LEVEL)_/, "")
    .toLowerCase()
    .replaceAll("_", " ");
}

/** Help texts that replace the description in the schema. */
const helps: Readonly<Record<string, string>> = {
  "contract.task_id": "Identifies the task. Default: derived from the title.",
  risk_tier: "The damage that a wrong result can do. Determines who reviews the result.",
  deadline: "Results after this time are not accepted. Your time zone.",
  timeout: "The longest time one attempt may take, such as 45m. Default: 30m.",
  max_retries: "Across all stages. Default: as in the template, or 10.",
  patch_size_limit: "The largest number of changed lines. Default: no limit.",
  failure_strategy: "Applies when a stage fails after all retries.",
  "budget.max_cost_micro_usd": "Across all stages.",
  "budget.max_tokens": "Tokens read and written by models.",
  "budget.max_steps": "Tool calls and model turns.",
  "workspace.repository": "A git repository. Every attempt gets its own folder and branch.",
  "workspace.path": "A folder that all agents work in directly.",
  "workspace.base_commit": "The commit to start from. Default: HEAD.",
  "workspace.branch": "The branch of the shared folder.",
  refs: "A JSON array of references that the task needs.",
  inputs: "A JSON object that is passed to the stages.",
};

/** Fields that the form fills in. */
export const filledIn: ReadonlySet<string> = new Set(["contract.task_id"]);

export function titleOf(name: string, path: string): string {
  return titles[path] ?? capital(snake(name).replaceAll("_", " "));
}

/** The first line of the description, without its origin. */
export function helpOf({ description = "" }: Schema, path: string): string {
  return helps[path] ?? capital(description.replace(/^Addition \([^)]*\): /, "").split("\n")[0] ?? "");
}

export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
