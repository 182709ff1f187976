import { graphLimits } from "./limits.ts";
import { type GraphProblem, listNames, problem } from "./problem.ts";
import type { WorkflowGraph, WorkflowNode } from "./workflow-graph.ts";

/** Checks that node ids are usable and unique, and that every edge connects known nodes. */
export function checkNames(graph: WorkflowGraph): GraphProblem[] {
  const { nodes, edges } = graph;
  const sizes = [
    ...checkSize(nodes.length, graphLimits.nodes, "nodes"),
    ...checkSize(edges.length, graphLimits.edges, "edges"),
  ];
  return sizes.length > 0 ? sizes : [...checkNodes(nodes), ...checkEnds(graph)];
}

function checkSize(found: number, allowed: number, what: "nodes" | "edges"): GraphProblem[] {
  const fix = "split the graph, or let one node do the work of several";
  if (found > allowed)
    return [
      problem("BATON-GRAPH-002", what, `${found} ${what} are more than the ${allowed} that are allowed`, fix),
    ];
  return found === 0 && what === "nodes"
    ? [problem("BATON-GRAPH-009", what, "the graph has no nodes", "add one")]
    : [];
}

function checkNodes(nodes: readonly WorkflowNode[]): GraphProblem[] {
  const seen = new Set<string>();
  return nodes.flatMap(({ id, taskType }, position) => {
    const at = `nodes[${position}]`;
    const found: GraphProblem[] = [];
    const isUsable =
      id !== "" && id.length <= graphLimits.nodeIdChars && id.isWellFormed() && !/\p{Cc}/u.test(id);
    if (!isUsable) {
      const fix = `use 1 to ${graphLimits.nodeIdChars} printable characters`;
      found.push(problem("BATON-GRAPH-009", `${at}.id`, `${listNames([id])} cannot be a node's id`, fix));
    } else if (seen.has(id)) {
      found.push(
        problem(
          "BATON-GRAPH-009",
          `${at}.id`,
          `${listNames([id])} is used twice`,
          "give each node an id of its own",
        ),
      );
    }
    if (taskType === "") {
      found.push(
        problem(
          "BATON-GRAPH-009",
          `${at}.taskType`,
          "the node has no task type",
          "name one of the routing policy",
        ),
      );
    }
    seen.add(id);
    return found;
  });
}

function checkEnds({ nodes, edges, entry = [] }: WorkflowGraph): GraphProblem[] {
  const known = new Set(nodes.map(({ id }) => id));
  const check = (at: string, id: string): GraphProblem[] =>
    known.has(id)
      ? []
      : [
          problem(
            "BATON-GRAPH-003",
            at,
            `there is no node ${listNames([id])}`,
            `use one of ${listNames(known)}`,
          ),
        ];
  return [
    ...edges.flatMap(({ from, to }, position) => [
      ...check(`edges[${position}].from`, from),
      ...check(`edges[${position}].to`, to),
    ]),
    ...entry.flatMap((id, position) => check(`entry[${position}]`, id)),
  ];
}
