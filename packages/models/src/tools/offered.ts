import type { Task } from "@baton/agent";
import { ModelFailure, shorten } from "../failure.ts";
import { limits } from "../limits.ts";
import { ruleFault } from "./ask.ts";
import type { ModelTool, ServedTool, ToolServer } from "./tool.ts";

/** The tools of a server whose definition is the accepted one. The others are offered when a person has accepted them. */
export async function offeredBy(task: Task, server: ToolServer): Promise<readonly ServedTool[]> {
  const served = await server.list(task.signal);
  if (served.length === 0) return served;
  if (served.length > limits.tools)
    throw tooMany(`the MCP server "${server.name}" offers ${served.length} tools`);
  const accepted = new Set(await task.pinTools(served));
  return served.filter(({ name }) => accepted.has(name));
}

/** Throws a `ModelFailure` for tools that no model can be offered together. */
export function checkedTools(tools: readonly ModelTool[]): readonly ModelTool[] {
  if (tools.length > limits.tools) throw tooMany(`there are ${tools.length} tools`);
  for (const [index, tool] of tools.entries()) {
    const { name } = tool;
    if (tools.findIndex((other) => other.name === name) < index)
      throw new ModelFailure(
        "TOOLS_UNUSABLE",
        `two tools have the name "${name}"; rename one in model.tools`,
      );
    const fault = ruleFault(tool);
    if (fault !== undefined)
      throw new ModelFailure(
        "TOOLS_UNUSABLE",
        `the rule in ask of "${name}" cannot be used: ${shorten(fault)}`,
      );
  }
  return tools;
}

function tooMany(what: string): ModelFailure {
  const message = `${what}, and a model may be offered ${limits.tools}; name those to offer in mcp.tools`;
  return new ModelFailure("TOOLS_UNUSABLE", message);
}
