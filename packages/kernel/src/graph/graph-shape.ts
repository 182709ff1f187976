import type { JsonObject } from "@bufbuild/protobuf";
import { checkNames } from "./graph-names.ts";
import { graphLimits } from "./limits.ts";
import { type GraphProblem, listNames, problem } from "./problem.ts";
import { findCycle, topologicalOrder } from "./topology.ts";
import type { WorkflowEdge, WorkflowGraph, WorkflowNode } from "./workflow-graph.ts";

/** A graph without structural faults. */
export interface GraphShape {
  /** The index of each node in the graph, by id. */
  readonly indexes: ReadonlyMap<string, number>;
  readonly ids: ReadonlySet<string>;
  /** Nodes in topological order. */
  readonly order: readonly WorkflowNode[];
  /** All predecessors of a node, direct and indirect. */
  readonly before: ReadonlyMap<string, ReadonlySet<string>>;
  /** The schemas of the data of nodes, where known. */
  readonly schemas: ReadonlyMap<string, JsonObject>;
}

export type Shaped =
  | { readonly ok: true; readonly shape: GraphShape }
  | { readonly ok: false; readonly problems: readonly GraphProblem[] };

export function shapeOf(graph: WorkflowGraph): Shaped {
  const unsound = checkNames(graph);
  if (unsound.length > 0) return { ok: false, problems: unsound };

  const positions = new Map(graph.nodes.map(({ id }, position) => [id, position]));
  const dependsOn: number[][] = graph.nodes.map(() => []);
  for (const { from, to, kind } of graph.edges) {
    if (kind !== "back") dependsOn[positions.get(to) ?? 0]?.push(positions.get(from) ?? 0);
  }
  const order = topologicalOrder(dependsOn)?.flatMap((position) => graph.nodes[position] ?? []);
  if (!order) {
    const cycle = (findCycle(dependsOn) ?? []).map((position) => graph.nodes[position]?.id).join(" → ");
    const fix = 'give the edge that goes back kind "back" and a bound, such as max_times: 3';
    return {
      ok: false,
      problems: [problem("BATON-GRAPH-010", "edges", `the edges form a cycle: ${cycle}`, fix)],
    };
  }
  const before = comeBefore(order, graph.edges);
  const problems = [
    ...checkDepth(order, graph.edges),
    ...checkReachable(graph, before),
    ...checkBackEdges(graph.edges, before),
  ];
  return problems.length > 0
    ? { ok: false, problems }
    : {
        ok: true,
        shape: {
          indexes: positions,
          ids: new Set(positions.keys()),
          order,
          before,
          schemas: schemasOf(graph),
        },
      };
}

function schemasOf({ nodes }: WorkflowGraph): ReadonlyMap<string, JsonObject> {
  return new Map(
    nodes.flatMap(({ id, dataSchema, config }): [string, JsonObject][] => {
      const schema = dataSchema ?? config?.outputSchema;
      return schema ? [[id, schema]] : [];
    }),
  );
}

/** The nodes on the longest path. */
function depthOf(order: readonly WorkflowNode[], edges: readonly WorkflowEdge[]): number {
  const incoming = Map.groupBy(
    edges.filter(({ kind }) => kind !== "back"),
    ({ to }) => to,
  );
  const depths = new Map<string, number>();
  let deepest = 0;
  for (const { id } of order) {
    const before = (incoming.get(id) ?? []).map(({ from }) => depths.get(from) ?? 0);
    const depth = 1 + before.reduce((most, one) => Math.max(most, one), 0);
    depths.set(id, depth);
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function checkDepth(order: readonly WorkflowNode[], edges: readonly WorkflowEdge[]): GraphProblem[] {
  const depth = depthOf(order, edges);
  if (depth <= graphLimits.depth) return [];
  const message = `the longest path has ${depth} nodes, more than the ${graphLimits.depth} that are allowed`;
  return [problem("BATON-GRAPH-002", "edges", message, "let one node do the work of several in a row")];
}

function comeBefore(
  order: readonly WorkflowNode[],
  edges: readonly WorkflowEdge[],
): Map<string, Set<string>> {
  const before = new Map(order.map(({ id }) => [id, new Set<string>()]));
  const incoming = Map.groupBy(
    edges.filter(({ kind }) => kind !== "back"),
    ({ to }) => to,
  );
  for (const { id } of order) {
    const own = before.get(id);
    for (const from of new Set(incoming.get(id)?.map((edge) => edge.from))) {
      own?.add(from);
      for (const earlier of before.get(from) ?? []) own?.add(earlier);
    }
  }
  return before;
}

/** An isolated node is most likely a mistake, unless it is an entry. */
function checkReachable(graph: WorkflowGraph, before: GraphShape["before"]): GraphProblem[] {
  const { nodes, edges, entry } = graph;
  const connected = new Set(edges.flatMap(({ from, to, kind }) => (kind === "back" ? [] : [from, to])));
  const entries = new Set(entry);
  return nodes.flatMap(({ id }, position) => {
    const isReached = entry
      ? entries.has(id) || !entries.isDisjointFrom(before.get(id) ?? new Set())
      : nodes.length === 1 || connected.has(id);
    if (isReached) return [];
    const fix = "add an edge that leads to it, or remove it";
    return [problem("BATON-GRAPH-011", `nodes[${position}]`, `nothing leads to ${listNames([id])}`, fix)];
  });
}

function checkBackEdges(edges: readonly WorkflowEdge[], before: GraphShape["before"]): GraphProblem[] {
  return edges.flatMap(({ from, to, kind, maxTimes }, position) => {
    const at = `edges[${position}]`;
    if (kind !== "back") {
      if (maxTimes === undefined) return [];
      return [
        problem("BATON-GRAPH-012", `${at}.maxTimes`, "only an edge back has a bound", 'give it kind "back"'),
      ];
    }
    const found: GraphProblem[] = [];
    const most = graphLimits.backEdgeTimes;
    if (maxTimes === undefined || !Number.isInteger(maxTimes) || maxTimes < 1 || maxTimes > most) {
      const message = maxTimes === undefined ? "an edge back needs a bound" : `${maxTimes} is no bound`;
      found.push(
        problem("BATON-GRAPH-012", `${at}.maxTimes`, message, `give it a whole number from 1 to ${most}`),
      );
    }
    if (from !== to && !before.get(from)?.has(to)) {
      const message = `${listNames([to])} does not come before ${listNames([from])}`;
      found.push(problem("BATON-GRAPH-012", at, message, "go back to a node on the way here"));
    }
    return found;
  });
}
