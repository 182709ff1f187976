export {
  type ModelAgentOptions,
  startModelAgent,
  withModel,
} from "./agent/model-agent.ts";
export { limits } from "./limits.ts";
export type { ModelTool, ToolContext, ToolOutput } from "./tools/tool.ts";
