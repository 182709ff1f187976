import type { Schema } from "./schema.ts";

/** Names that do not read as words. */
const titles: Readonly<Record<string, string>> = {
  "contract.io": "Inputs and outputs",
  "contract.non_goals": "Non-goals",
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
  risk_tier: "not set (treated as normal)",
  failure_strategy: "template default, else pause",
  context_level: "stage default",
};

export function emptyWord(path: string): string {
  return emptyWords[path] ?? "not set";
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
  "contract.task_id": "Identifies the task. Made from the title when left empty.",
  risk_tier: "How much damage a wrong result can do. It decides who reviews the result.",
  deadline: "Results after this time are not accepted. In your time zone.",
  timeout: "How long one attempt may take, such as 30m; 30 minutes when left empty.",
  max_retries: "Across all stages; 0 allows none. Default: the template's, else 10.",
  patch_size_limit: "Most changed lines that are accepted. No limit when left empty.",
  failure_strategy: "What happens when a stage fails for good.",
  "budget.max_cost_micro_usd": "Across all stages.",
  "budget.max_tokens": "Tokens read and written by models.",
  "budget.max_steps": "Tool calls and model turns.",
  "workspace.repository": "A git repository. Every attempt gets its own folder and branch.",
  "workspace.path": "A folder that all agents work in directly.",
  "workspace.base_commit": "Where the work starts; HEAD when left empty.",
  "workspace.branch": "The branch of the shared folder.",
  refs: "What the task refers to, as a JSON array of references.",
  inputs: "A JSON object that is passed to the stages.",
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
