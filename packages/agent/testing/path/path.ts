import type { Usage } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";

/** What happened in a run, or in one attempt of an agent, as plain data for assertions. */
export interface RunPath {
  /** Empty for an attempt without a hub. */
  readonly runId: string;
  /** Such as `completed`, `failed`, `paused`; `waiting` with an open question. Of an attempt, its outcome. */
  readonly status: string;
  /** Nodes in the order in which their attempts were sent: one that is visited twice is there twice. */
  readonly nodes: readonly string[];
  readonly attempts: readonly VisitedNode[];
  /** Decided edges in the order of the decisions. Of an edge that is not a way back, the last decision. */
  readonly edges: readonly PathEdge[];
  /** Tool calls in the order in which they began. */
  readonly tools: readonly ToolUse[];
  /** Questions to people, open and answered. */
  readonly questions: readonly AskedQuestion[];
  readonly usage: Usage;
  /** The last answer of each node. */
  readonly answers: Readonly<Record<string, PathAnswer>>;
}

export interface VisitedNode {
  readonly node: string;
  readonly attempt: number;
  readonly pack: string;
  /** Such as `accepted`, `rejected`, `retried`, `answered`, `sent_back`, `failed`, `cancelled`; `running` until it ends. */
  readonly ending: string;
}

export interface PathEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: "default" | "error" | "back";
  readonly taken: boolean;
  readonly condition: string;
  /** What the condition read. */
  readonly values: JsonObject;
  readonly reason: string;
}

export interface ToolUse {
  readonly node: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** `unknown`: the call has no end. */
  readonly status: "success" | "failure" | "timeout" | "unknown";
}

export interface AskedQuestion {
  readonly node: string;
  /** Such as `clarification`, `budget`, `review`. */
  readonly kind: string;
  readonly question: string;
  readonly isOpen: boolean;
}

export interface PathAnswer {
  readonly status: string;
  readonly message: string;
  readonly data: JsonObject;
}
