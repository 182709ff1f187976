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
import type { JsonObject } from "@bufbuild/protobuf";
import type { ToolCall } from "../calls/reply.ts";
import { limits } from "../limits.ts";
import type { ModelTool, ToolOutput } from "../tools/tool.ts";

/** Why a call cannot be made, as the model wrote it; undefined when it can. */
export function refusalOf(tools: readonly ModelTool[], call: ToolCall): string | undefined {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(", ");
    return `there is no tool "${call.name}"; use one of: ${names}`;
  }
  if (call.invalid !== undefined) return call.invalid;
  if (tool.checksArguments) return undefined;
  const violations = validateValue(tool.inputSchema, call.args).map(
    ({ path, rule, message }) => `arguments${path}: ${rule}: ${message}`,
  );
  return violations.length === 0 ? undefined : violations.slice(0, limits.violations).join("\n");
}

/** Makes a call. What the tool could not do is reported to the model. */
export async function runTool(task: Task, tool: ModelTool, given: JsonObject): Promise<ToolOutput> {
  try {
    return await task.tool(tool.name, given, (args, signal) => tool.call(args, { signal, task }));
  } catch (error) {
    if (endsAttempt(error)) throw error;
    task.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    const isForbidden = error instanceof ToolNotAllowed || error instanceof ActionProhibited;
    return failedOutput(isForbidden ? `the call was refused: ${reason}` : `the tool failed: ${reason}`);
  }
}

function endsAttempt(error: unknown): boolean {
  return error instanceof StepLimitReached || error instanceof BudgetSpent || error instanceof TaskStopped;
}

/** A call that is not made: published as a pair of events, and reported to the model. */
export function refuse(
  task: Task,
  { name, args }: Pick<ToolCall, "name" | "args">,
  reason: string,
): ToolOutput {
  task.refuseTool(name, args, reason);
  return failedOutput(reason);
}

export function failedOutput(text: string): ToolOutput {
  return { text, isError: true };
}

/** A tool's output as the model reads it: data, bounded. */
export function toolText({ text, isError }: ToolOutput): string {
  const { length } = text;
  const kept = length <= limits.toolTextLength ? text : text.slice(0, limits.toolTextLength);
  const cut = kept === text ? "" : `\n[${length - kept.length} more characters]`;
  return `${isError ? "The call failed. " : ""}${quoteData(`${kept.toWellFormed()}${cut}`)}`;
}
