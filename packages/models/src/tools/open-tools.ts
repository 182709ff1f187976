import type { ToolSource } from "@baton/kernel";
import { commandTool } from "./command-tool.ts";
import { httpTool } from "./http-tool.ts";
import { McpServer } from "./mcp/mcp-server.ts";
import type { ToolSurroundings } from "./surroundings.ts";
import type { ModelTool, ToolServer } from "./tool.ts";

export interface OpenTools {
  readonly tools: readonly ModelTool[];
  /** Connects nothing yet; called once per attempt. */
  readonly openServers: () => readonly ToolServer[];
}

/** The tools of a pack. */
export function openTools(sources: readonly ToolSource[], surroundings: ToolSurroundings): OpenTools {
  return {
    tools: sources.flatMap((source) => {
      if (source.kind === "command") return [commandTool(source, surroundings)];
      return source.kind === "http" ? [httpTool(source, surroundings)] : [];
    }),
    openServers: () =>
      sources.flatMap((source) => (source.kind === "mcp" ? [new McpServer(source, surroundings)] : [])),
  };
}
