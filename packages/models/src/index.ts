export type { ModelTool, ToolContext, ToolOutput } from "./tools/tool.ts";
