import { type Condition, compileCondition } from "./cel/condition.ts";
import type { GraphShape } from "./graph-shape.ts";
import { type GraphProblem, listNames, problem } from "./problem.ts";
import type { WorkflowEdge } from "./workflow-graph.ts";

export interface CompiledEdge {
  readonly edge: WorkflowEdge;
  /** Undefined for an edge without a condition or with an invalid one. */
  readonly condition: Condition | undefined;
}

/** Compiles the conditions of all edges; adds their faults to `problems`. */
export function compileEdges(
  edges: readonly WorkflowEdge[],
  { ids, before, schemas }: GraphShape,
  problems: GraphProblem[],
): readonly CompiledEdge[] {
  return edges.map((edge, position) => {
    const at = `edges[${position}].condition`;
    if (edge.condition === undefined) return { edge, condition: undefined };
    const compiled = compileCondition(edge.condition, { nodes: ids, schemas, responseOf: edge.from });
    if (!compiled.ok) {
      problems.push({ ...compiled.problem, at });
      return { edge, condition: undefined };
    }
    const { condition } = compiled;
    // A back edge is decided when its own node has answered, any other when its target may run.
    const reader = edge.kind === "back" ? edge.from : edge.to;
    const others = condition.nodes.filter((id) => id !== edge.from);
    problems.push(...checkReads(others, reader, before, at));
    return { edge, condition };
  });
}

/** Checks that every node that is read ends before the reader starts. */
export function checkReads(
  nodes: readonly string[],
  reader: string,
  before: GraphShape["before"],
  at: string,
): GraphProblem[] {
  const early = nodes.filter((id) => !before.get(reader)?.has(id));
  if (early.length === 0) return [];
  const message = `${listNames(early)} may not have run before ${listNames([reader])}`;
  const fix = `add an edge from ${listNames(early)}, or read a node that comes before`;
  return [problem("BATON-GRAPH-014", at, message, fix)];
}
