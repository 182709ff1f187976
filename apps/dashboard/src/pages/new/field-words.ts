import type { Schema } from "./schema.ts";

/** Names that do not read as words. */
const titles: Readonly<Record<string, string>> = {
  "contract.io": "Inputs and outputs",
  "contract.non_goals": "Not asked for",
  risk_tier: "Risk",
  timeout: "Time per attempt",
  max_retries: "Retries",
  patch_size_limit: "Largest patch, in lines",
  failure_strategy: "When a stage fails",
  "budget.max_cost_micro_usd": "Cost, in US dollars",
  "budget.max_tokens": "Tokens",
  "budget.max_steps": "Steps",
  "workspace.path": "Shared folder",
};

/** What it means to choose nothing. */
const emptyWords: Readonly<Record<string, string>> = {
  risk_tier: "not stated (treated as normal)",
  failure_strategy: "as the template says, else pause",
  context_level: "as each stage says",
};

export function emptyWord(path: string): string {
  return emptyWords[path] ?? "not stated";
}

/** "RISK_TIER_CRITICAL" reads "critical", "FAILURE_STRATEGY_FAIL_FAST" "fail fast". */
export function wordOf(name: string): string {
  return name
    .replace(/^(RISK_TIER|PRIORITY|FAILURE_STRATEGY|CONTEXT_LEVEL)_/, "")
    .toLowerCase()
    .replaceAll("_", " ");
}

/** Where the form does more than its schema says. */
const helps: Readonly<Record<string, string>> = {
  "contract.task_id": "Identifies the task. It is made from the title where you write none.",
  risk_tier: "How much damage it can do; it decides who reviews the result. Not stated is treated as normal.",
  deadline: "After this time a result is of no use. In your time zone.",
  timeout: "How long one attempt may take, such as 30m; 30 minutes when left empty.",
  max_retries: "Of all stages together; 0 allows none. Left empty, the template decides, else 10.",
  patch_size_limit: "Changed lines that are accepted at the most. Left empty, there is no limit.",
  failure_strategy: "What happens when a stage fails for good.",
  "budget.max_cost_micro_usd": "What all stages together may cost.",
  "budget.max_tokens": "Tokens that models may read and write.",
  "budget.max_steps": "Tool calls and model turns.",
  "workspace.repository": "A git repository: every attempt gets a folder and a branch of its own.",
  "workspace.path": "A folder that agents and the hub share as it is, instead of folders of their own.",
  "workspace.base_commit": "The commit that the work starts from; HEAD when left empty.",
  "workspace.branch": "The branch that the shared folder is on.",
  refs: "What the task refers to, as a JSON array of references.",
  inputs: "A JSON object of whatever the stages are to be given. Leave it empty where that is nothing.",
};

/** What the form fills in by itself. */
export const filledIn: ReadonlySet<string> = new Set(["contract.task_id"]);

/** "acceptanceCriteria" reads "Acceptance criteria". */
export function titleOf(name: string, path: string): string {
  return titles[path] ?? capital(snake(name).replaceAll("_", " "));
}

/** The first sentence of the description, without the note where it comes from. */
export function helpOf({ description = "" }: Schema, path: string): string {
  return helps[path] ?? capital(description.replace(/^Addition \([^)]*\): /, "").split("\n")[0] ?? "");
}

export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
