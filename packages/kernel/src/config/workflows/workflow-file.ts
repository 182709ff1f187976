import {
  BudgetSchema,
  ContextPropagationSchema,
  ContractSchema,
  HandoffPolicySchema,
  type PipelinePolicy,
  PipelinePolicySchema,
  RiskTierSchema,
} from "@baton/contract";
import { create, type JsonObject } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { graphLimits } from "../../graph/limits.ts";
import type { NodeConfig } from "../../graph/workflow-graph.ts";
import { checkJsonSchema } from "../../json-schema/check-schema.ts";
import type { Problem } from "../../problem.ts";
import { fields, list, optional, required, type ValuesOf } from "../lists-and-fields.ts";
import { enumShape, messageShape } from "../message-shape.ts";
import { Reading } from "../reading.ts";
import { anyMapping, choice, flag, positiveDuration, text, whole } from "../shape.ts";

/** A workflow as its file states it. Positions in it are those of the file. */
export interface WorkflowFile {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly start: string | undefined;
  readonly ends: readonly string[] | undefined;
  readonly nodes: readonly FileNode[];
  readonly edges: readonly FileEdge[];
  readonly policy: PipelinePolicy;
}

export interface FileNode {
  readonly id: string;
  readonly name: string | undefined;
  /** What does its work: a task type, a pack, or both; or another workflow. */
  readonly taskType: string | undefined;
  readonly pack: string | undefined;
  readonly workflow: string | undefined;
  readonly inputs: JsonObject | undefined;
  readonly join: "any" | "all" | undefined;
  readonly config: NodeConfig;
}

export interface FileEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: "default" | "error" | "back";
  readonly condition: string | undefined;
  readonly maxTimes: number | undefined;
}

export type WorkflowReading =
  | { readonly ok: true; readonly workflow: WorkflowFile }
  | {
      readonly ok: false;
      readonly problems: readonly Problem[];
      /** Its name, if it is readable: others may refer to it. */
      readonly name: string;
    };

/** Names that templates and conditions use for something else. */
const taken: readonly string[] = ["input", "nodes", "response"];

const nodeId = text({
  most: 64,
  pattern: /^[A-Za-z](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/,
  must: "be an id: letters, digits, hyphens and underscores, after a letter",
  fix: "write it such as email-validator",
});

const workflowName = text({
  most: 128,
  pattern: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/,
  must: "be a name: letters, digits, hyphens, underscores and dots",
  fix: "write it such as find-the-email",
});

const nodeFields = {
  id: required(nodeId, "The id of the node, by which edges, conditions and inputs refer to it."),
  name: optional(text(), "A name for people."),
  task_type: optional(text(), "The type of task; the routing policy has a route for it."),
  pack: optional(
    text(),
    "The only pack that may take it. The routing policy has to allow it. Without task_type the first type of the pack.",
  ),
  workflow: optional(workflowName, "The workflow that stands here, with its own nodes and edges."),
  inputs: optional(
    anyMapping(),
    "Its inputs, with templates such as {{researcher.data.guesses}} and {{input.question}}. By default those of the task.",
  ),
  join: optional(
    choice("a join", { any: "any", all: "all" } as const, "any"),
    "Whether one of the edges that lead to it must be taken, or all. any if left out.",
  ),
  budget: optional(messageShape(BudgetSchema), "What it may spend."),
  timeout: optional(positiveDuration, "How long one attempt may take."),
  risk: optional(
    enumShape(RiskTierSchema, "a risk tier"),
    "Its risk, where it differs from that of the task.",
  ),
  retries: optional(whole(0, 99), "How often it is tried again after a failure. 2 if left out."),
  data_schema: optional(anyMapping(), "The JSON Schema that the data of its answer must satisfy."),
  may_complete: optional(
    flag,
    "Whether its agent may end the whole run successfully, with the status completed. No if left out.",
  ),
  contract: optional(messageShape(ContractSchema), "What its task says instead of the run's task."),
  context_propagation: optional(
    messageShape(ContextPropagationSchema),
    "Which context of earlier nodes it receives.",
  ),
};

const edgeFields = {
  from: required(text(), "The node that it leaves."),
  to: required(text(), "The node that it leads to."),
  kind: optional(
    choice("a kind of edge", { default: "default", error: "error", back: "back" } as const, "default"),
    "default: taken after success, or after failure when the condition reads the status failure. error: taken after failure. back: goes back to an earlier node.",
    "default" as const,
  ),
  condition: optional(
    text({ least: 1, most: graphLimits.conditionChars }),
    "CEL over `response`, the answer of the node that the edge leaves, and over other nodes.",
  ),
  max_times: optional(
    whole(1, graphLimits.backEdgeTimes),
    "How often an edge back may be taken. Required for it, and only there.",
  ),
};

const workflowFields = {
  name: required(workflowName, "What a task names to be run by this workflow."),
  title: optional(text(), "A name for people."),
  description: optional(text(), "What it is for."),
  start: optional(nodeId, "The node that runs first. By default every node that no edge leads to."),
  ends: optional(
    list(nodeId, { least: 1, most: graphLimits.nodes, example: "ends: [publish]" }),
    "The nodes whose answers are the result. By default every node that no edge leaves.",
  ),
  nodes: required(
    list(fields(nodeFields, "Node"), { least: 1, most: graphLimits.nodes, example: "- id: work" }),
    "The agents and workflows that work in it.",
  ),
  edges: optional(
    list(fields(edgeFields, "Edge"), { most: graphLimits.edges }),
    "Where the work goes from each node.",
    [],
  ),
  policy: optional(messageShape(PipelinePolicySchema), "What holds for the run as a whole."),
};

/** `workflows/NAME.yaml`. */
export const workflowShape = fields(
  { workflow: required(fields(workflowFields), "A graph of agents.") },
  "Workflow",
);

/** Reads the content of the file. References between nodes are checked by `compileWorkflows`. */
export function readWorkflow(content: unknown): WorkflowReading {
  const file = new Reading(content);
  const given = workflowShape.read(file).workflow;
  const reading = file.at("workflow");
  const nodes = reading.at("nodes").items();
  const workflow: WorkflowFile = {
    ...{ name: given.name, title: given.title ?? given.name, description: given.description ?? "" },
    ...{ start: given.start, ends: given.ends },
    nodes: given.nodes.map((node, index) => makeNode(node, nodes[index] ?? reading)),
    edges: (given.edges ?? []).map(({ from, to, kind, condition, max_times: maxTimes }) => ({
      ...{ from, to, kind, condition, maxTimes },
    })),
    policy: create(PipelinePolicySchema, given.policy ?? {}),
  };
  return file.problems.length === 0
    ? { ok: true, workflow }
    : { ok: false, problems: file.problems, name: workflow.name };
}

type GivenNode = ValuesOf<typeof nodeFields>;

function makeNode(given: GivenNode, reading: Reading): FileNode {
  const { id, name, task_type: taskType, pack, workflow, join, retries, risk } = given;
  if (taken.includes(id))
    reading.at("id").reportInconsistent(`"${id}" has another meaning in conditions`, "use another id");
  checkWorker(given, reading);
  const schema = given.data_schema;
  for (const { path, message } of schema ? checkJsonSchema(schema) : [])
    reading
      .at(`data_schema${path}`)
      .reportInconsistent(message, "write a JSON Schema that an answer can satisfy");
  return {
    ...{ id, name, taskType, pack, workflow, join },
    inputs: given.inputs as JsonObject | undefined,
    config: {
      ...(given.budget && { budget: create(BudgetSchema, given.budget) }),
      ...(given.timeout !== undefined && { timeout: durationFromMs(given.timeout) }),
      ...(risk !== undefined && { riskTier: risk }),
      ...(retries !== undefined && {
        handoffPolicy: create(HandoffPolicySchema, { retry: { maxAttempts: retries + 1 } }),
      }),
      ...(schema && { outputSchema: schema as JsonObject }),
      ...(given.contract && { contractTemplate: create(ContractSchema, given.contract) }),
      ...(given.context_propagation && {
        contextPropagation: create(ContextPropagationSchema, given.context_propagation),
      }),
      ...(pack !== undefined && { packId: pack }),
      ...(given.may_complete && { mayComplete: true }),
    },
  };
}

/** Settings of agents, which a node that is a workflow has for each of its own nodes. */
const ofAgents = [
  ...(["task_type", "pack", "budget", "timeout", "risk", "retries"] as const),
  ...(["data_schema", "contract", "context_propagation", "may_complete"] as const),
];

function checkWorker(given: GivenNode, reading: Reading): void {
  if (given.workflow === undefined) {
    if (given.task_type !== undefined || given.pack !== undefined) return;
    const fix = "add task_type: TYPE, pack: PACK or workflow: NAME";
    reading.reportInconsistent("nothing says who does the work of this node", fix);
    return;
  }
  for (const name of ofAgents)
    if (given[name] !== undefined)
      reading
        .at(name)
        .reportInconsistent("is not for a node that is a workflow", "set it at the nodes of that workflow");
}
