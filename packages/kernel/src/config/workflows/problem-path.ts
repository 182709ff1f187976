import type { Stage } from "@baton/contract";
import type { GraphProblem } from "../../graph/problem.ts";
import type { WorkflowNode } from "../../graph/workflow-graph.ts";
import type { Problem } from "../../problem.ts";
import type { FileProblem } from "./nesting.ts";
import type { WorkflowFile } from "./workflow-file.ts";

/** A problem of the graph of one file, at its path in the file. */
export function fromGraph({ code, at, message, fix, position }: GraphProblem): FileProblem {
  const path = at
    .replace(/^entry\[\d+\]/, "start")
    .replace(/\.maxTimes$/, ".max_times")
    .replace(/\.taskType$/, ".task_type");
  const where = position ? ` (at ${position.line}:${position.column} of the text)` : "";
  return { code, at: path === "" ? "workflow" : `workflow.${path}`, message: `${message}${where}`, fix };
}

/** A problem of a graph with the nodes of nested workflows, at the node of the file that it comes from. */
export function fromFlat(
  problem: GraphProblem,
  file: WorkflowFile,
  nodes: readonly WorkflowNode[],
): FileProblem {
  const [, index] = /^nodes\[(\d+)\]/.exec(problem.at) ?? [];
  const id = index === undefined ? undefined : nodes[Number(index)]?.id;
  return { ...fromGraph(problem), at: id === undefined ? "workflow" : placeOf(file, id) };
}

/** A problem of the plan of a workflow, at the setting of the node. */
export function fromPlan(problem: Problem, file: WorkflowFile, stages: readonly Stage[]): FileProblem {
  const { code, at, message, fix } = problem;
  const [, index, id, rest = ""] = /^stages(?:\[(\d+)\]|\.(.+?))\.config\.?(.*)$/.exec(at) ?? [];
  const stageId = id ?? (index === undefined ? undefined : stages[Number(index)]?.stageId);
  if (stageId === undefined)
    return { code, at: at.startsWith("policy") ? `workflow.${at}` : "workflow", message, fix };
  const setting = settings.find(([prefix]) => rest.startsWith(prefix));
  const place = placeOf(file, stageId);
  return {
    code,
    at: setting ? `${place}.${setting[1]}${rest.slice(setting[0].length)}` : place,
    message,
    fix,
  };
}

/** Settings of a stage, and what the file calls them. */
const settings: readonly (readonly [stage: string, node: string])[] = [
  ["output_schema", "data_schema"],
  ["contract_template", "contract"],
  ["context_propagation", "context_propagation"],
  ["budget", "budget"],
  ["timeout", "timeout"],
  ["input_mapping", "inputs"],
  ["pack_id", "pack"],
];

/** The node of a file that a flat node comes from. */
function placeOf({ nodes }: WorkflowFile, flatId: string): string {
  const [id] = flatId.split(".");
  const position = nodes.findIndex((node) => node.id === id);
  return position < 0 ? "workflow" : `workflow.nodes[${position}]`;
}
