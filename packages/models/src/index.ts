export {
  type ModelAgentOptions,
  startModelAgent,
  withModel,
} from "./agent/model-agent.ts";
export type { ModelCall, ModelCalls } from "./calls/replaced-calls.ts";
export { limits } from "./limits.ts";
export type { ModelTool, ToolContext, ToolOutput } from "./tools/tool.ts";
