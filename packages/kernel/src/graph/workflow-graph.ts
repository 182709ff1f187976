import type { StageConfig } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";

/** A workflow as people draw it: agents as nodes, and edges between them (SACP §4). */
export interface WorkflowGraph {
  readonly nodes: readonly WorkflowNode[];
  readonly edges: readonly WorkflowEdge[];
  /** The entry nodes. By default every connected node without incoming edges. */
  readonly entry?: readonly string[];
}

export interface WorkflowNode {
  readonly id: string;
  readonly taskType: string;
  /** A name for people; by default the id. */
  readonly name?: string;
  /** The node's inputs, with templates such as `{{node.data.path}}` (SACP §4.2). */
  readonly inputs?: JsonObject;
  /** Whether one or all of its incoming edges must be taken. Either way it waits until all are decided. */
  readonly join?: "any" | "all";
  readonly config?: NodeConfig;
  /** The schema of its answer's data, for checks of what others read; by default that of its configuration. */
  readonly dataSchema?: JsonObject | undefined;
}

/** Stage settings that the graph does not decide. */
export type NodeConfig = Partial<
  Pick<
    StageConfig,
    | "contractTemplate"
    | "handoffPolicy"
    | "required"
    | "contextPropagation"
    | "budget"
    | "timeout"
    | "riskTier"
    | "outputSchema"
    | "packId"
    | "mayComplete"
  >
>;

export interface WorkflowEdge {
  readonly from: string;
  readonly to: string;
  /**
   * `default`: taken after success, or after failure when its condition reads the status `failure` (SACP §4.1).
   * `error`: taken after failure.
   * `back`: a back edge, taken at most `maxTimes` times; without a condition, when the node requests it (SACP §11).
   */
  readonly kind?: "default" | "error" | "back";
  /** CEL; `response` is the answer of the node that the edge leaves. */
  readonly condition?: string;
  readonly maxTimes?: number;
}
