import { type Condition, compileCondition, evaluateCondition } from "./cel/condition.ts";
import { rewriteResponse } from "./cel/rewrite-response.ts";
import type { GraphShape } from "./graph-shape.ts";
import { type GraphProblem, listNames, problem } from "./problem.ts";
import { referenceTo } from "./reference.ts";
import { failedOutput, type NodeOutput, type StatusName } from "./scope.ts";
import type { WorkflowEdge } from "./workflow-graph.ts";

export interface CompiledEdge {
  readonly edge: WorkflowEdge;
  /** Undefined for an edge without a condition or with an invalid one. */
  readonly condition: Condition | undefined;
}

/** Compiles the conditions of all edges; adds their faults to `problems`. */
export function compileEdges(
  edges: readonly WorkflowEdge[],
  { ids, before }: GraphShape,
  problems: GraphProblem[],
): readonly CompiledEdge[] {
  return edges.map((edge, position) => {
    const at = `edges[${position}].condition`;
    if (edge.condition === undefined) return { edge, condition: undefined };
    const compiled = compileCondition(edge.condition, { nodes: ids });
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

/** The condition of an edge as CEL over named nodes, so that the terms of several edges can be joined. */
export function edgeTerm(edge: WorkflowEdge, condition: Condition | undefined): string {
  const from = referenceTo(edge.from);
  const own = condition && rewriteResponse(condition.program.ast, edge.from);
  // Tested first: a skipped node has no status, and reading it is an error, which routes as failure.
  const terms = [`${from}.ran`];
  if (edge.kind === "error" || !own || !catchesFailure(edge, condition)) {
    const status: StatusName = edge.kind === "error" ? "failure" : "success";
    terms.push(`${from}.status == "${status}"`);
  }
  if (own) terms.push(`(${endsInComment(own) ? `${own}\n` : own})`);
  return terms.join(" && ");
}

/** A comment at the end would hide the bracket after it. */
function endsInComment(source: string): boolean {
  return (source.split("\n").at(-1) ?? "").includes("//");
}

/**
 * Whether the edge handles failure (SACP §2.2, §4.1 `response.status == "failure"`). It does when its condition reads the
 * status and holds for a failure without other content; also when that is an error, but it does not hold for a success.
 */
export function catchesFailure(edge: WorkflowEdge, condition: Condition | undefined): boolean {
  if (edge.kind === "error") return true;
  if (edge.kind === "back" || !condition?.readsStatus) return false;
  const afterFailure = truthAfter(condition, failedOutput(""));
  if (afterFailure !== "error") return afterFailure === "true";
  return truthAfter(condition, { ...failedOutput(""), status: "success" }) === "false";
}

function truthAfter(condition: Condition, response: NodeOutput): "true" | "false" | "error" {
  return evaluateCondition(condition, { response, nodes: new Map() }).kind;
}
