import type { Schema } from "./schema.ts";

/** Names that do not read as words. */
const titles: Readonly<Record<string, string>> = { io: "Inputs and outputs", nonGoals: "Not asked for" };

/** Where the form does more than its schema says. */
const helps: Readonly<Record<string, string>> = {
  "contract.task_id": "Identifies the task. It is made from the title where you write none.",
  inputs: "A JSON object of whatever the stages are to be given. Leave it empty where that is nothing.",
};

/** What the form fills in by itself. */
export const filledIn: ReadonlySet<string> = new Set(["contract.task_id"]);

/** "acceptanceCriteria" reads "Acceptance criteria". */
export function titleOf(name: string): string {
  const words = snake(name).replaceAll("_", " ");
  return titles[name] ?? capital(words);
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
