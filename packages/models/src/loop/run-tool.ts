import {
  ActionProhibited,
  BudgetSpent,
  StepLimitReached,
  type Task,
  TaskStopped,
  ToolNotAllowed,
} from "@baton/agent";
import { validateValue } from "@baton/kernel";
import { quoteData } from "@baton/protocols/answer";
import type { ToolCall } from "../calls/reply.ts";
import { limits } from "../limits.ts";
import type { ModelTool, ToolOutput } from "../tools/tool.ts";

/** Runs a call of a model. What the model did wrong, and what the tool could not do, is reported to the model. */
export async function runTool(task: Task, tools: readonly ModelTool[], call: ToolCall): Promise<ToolOutput> {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(", ");
    return refusal(`there is no tool "${call.name}"; use one of: ${names}`);
  }
  if (call.invalid !== undefined) return refusal(call.invalid);
  const violations = validateValue(tool.inputSchema, call.args).map(
    ({ path, rule, message }) => `arguments${path}: ${rule}: ${message}`,
  );
  if (violations.length > 0) return refusal(violations.slice(0, limits.violations).join("\n"));
  try {
    return await task.tool(call.name, call.args, (args, signal) => tool.call(args, { signal, task }));
  } catch (error) {
    if (endsAttempt(error)) throw error;
    task.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    const isForbidden = error instanceof ToolNotAllowed || error instanceof ActionProhibited;
    return refusal(isForbidden ? `the call was refused: ${reason}` : `the tool failed: ${reason}`);
  }
}

function endsAttempt(error: unknown): boolean {
  return error instanceof StepLimitReached || error instanceof BudgetSpent || error instanceof TaskStopped;
}

function refusal(text: string): ToolOutput {
  return { text, isError: true };
}

/** A tool's output as the model reads it: data, bounded. */
export function toolText({ text, isError }: ToolOutput): string {
  const { length } = text;
  const kept = length <= limits.toolTextLength ? text : text.slice(0, limits.toolTextLength);
  const cut = kept === text ? "" : `\n[${length - kept.length} more characters]`;
  return `${isError ? "The call failed. " : ""}${quoteData(`${kept.toWellFormed()}${cut}`)}`;
}
