export {
  type CompiledCondition,
  type Condition,
  compileCondition,
  evaluateCondition,
  type Truth,
} from "./cel/condition.ts";
export { type CompiledGraph, compileGraph } from "./graph.ts";
export { graphLimits } from "./limits.ts";
export {
  applyMapping,
  type CompiledMapping,
  compileMapping,
  type MappedInputs,
  type Mapping,
  type MappingProblem,
} from "./mapping/mapping.ts";
export { type GraphProblem, type GraphProblemCode, graphProblemCodes, type TextPosition } from "./problem.ts";
export type { KnownNodes } from "./reference.ts";
export {
  failedOutput,
  type NodeOutput,
  nodeOutput,
  type Scope,
  type StatusName,
  statusNames,
} from "./scope.ts";
export type { NodeConfig, WorkflowEdge, WorkflowGraph, WorkflowNode } from "./workflow-graph.ts";
