import type { StageConfig } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";

/** A workflow as people draw it: agents, and the ways between them (SACP §4). */
export interface WorkflowGraph {
  readonly nodes: readonly WorkflowNode[];
  readonly edges: readonly WorkflowEdge[];
  /** Where it begins. Left out, it begins at every node that no edge leads to and that some edge leaves. */
  readonly entry?: readonly string[];
}

export interface WorkflowNode {
  readonly id: string;
  readonly taskType: string;
  /** A name for people; the id if left out. */
  readonly name?: string;
  /** The node's inputs, with templates such as `{{node.data.path}}` (SACP §4.2). */
  readonly inputs?: JsonObject;
  /** Whether one of its incoming edges is enough, or all must be taken. Either way it waits until all are decided. */
  readonly join?: "any" | "all";
  readonly config?: NodeConfig;
}

/** What a stage is given besides what the graph decides. */
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
  >
>;

export interface WorkflowEdge {
  readonly from: string;
  readonly to: string;
  /**
   * `default`: taken after success. A condition that asks for the status `failure` makes it the way of failure, as in
   * SACP §4.1.
   * `error`: taken after failure.
   * `back`: goes back, at most `maxTimes` times; without a condition, when the node asks for it (SACP §11).
   */
  readonly kind?: "default" | "error" | "back";
  /** CEL; `response` is the answer of the node that the edge leaves. */
  readonly condition?: string;
  readonly maxTimes?: number;
}
