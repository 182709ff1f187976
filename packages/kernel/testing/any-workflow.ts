import fc from "fast-check";
import type { WorkflowEdge, WorkflowGraph, WorkflowNode } from "../src/graph/workflow-graph.ts";

const size = 8;

/** Conditions that hold or do not, and two that fail when the data is incomplete. */
const conditions = [
  undefined,
  undefined,
  'response.status == "success"',
  'response.status == "failure"',
  "response.data.score > 0.3",
  "response.data.missing > 1",
  "has(response.data.score) && response.data.score <= 0.5",
];

const anyEdge = fc.record({
  pair: fc.tuple(fc.nat(size - 1), fc.nat(size - 1)),
  kind: fc.constantFrom("default", "default", "default", "error", "back"),
  condition: fc.constantFrom(...conditions),
  maxTimes: fc.integer({ min: 1, max: 3 }),
});
type AnyEdge = typeof anyEdge extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Any graph of up to eight nodes, most of which load: conditions, joins, error edges, bounded edges back, inputs. */
export function anyWorkflow(): fc.Arbitrary<WorkflowGraph> {
  return fc
    .record({
      count: fc.integer({ min: 1, max: size }),
      edges: fc.array(anyEdge, { maxLength: 14 }),
      joins: fc.array(fc.constantFrom("any", "all"), { minLength: size, maxLength: size }),
      mapped: fc.array(fc.nat(3), { minLength: size, maxLength: size }),
      types: fc.array(fc.constantFrom("code", "review", "verify"), { minLength: size, maxLength: size }),
    })
    .map(({ count, edges: drawn, joins, mapped, types }): WorkflowGraph => {
      const edges = goingBack(distinct(drawn.flatMap((edge) => edgeOf(edge, count))));
      const nodes = Array.from({ length: count }, (_, at): WorkflowNode => {
        const before = edges.find(({ to, kind }) => to === nameOf(at) && kind !== "back")?.from;
        const inputs =
          before !== undefined && mapped[at] === 0
            ? { score: `{{${before}.data.score}}` }
            : mapped[at] === 1
              ? { who: "for {{input.company}}" }
              : undefined;
        return {
          ...{ id: nameOf(at), taskType: types[at] ?? "code" },
          ...(before !== undefined && { join: joins[at] ?? "any" }),
          ...(inputs && { inputs }),
        };
      });
      return { nodes, edges, entry: nodes.map(({ id }) => id) };
    });
}

function nameOf(at: number): string {
  return `n${at}`;
}

function edgeOf(
  { pair: [a, b], kind, condition, maxTimes }: AnyEdge,
  count: number,
): readonly WorkflowEdge[] {
  const [low, high] = [Math.min(a, b) % count, Math.max(a, b) % count].sort((x, y) => x - y) as [
    number,
    number,
  ];
  if (kind === "back")
    return [{ from: nameOf(high), to: nameOf(low), kind, maxTimes, ...(condition && { condition }) }];
  if (low === high) return [];
  return [
    {
      from: nameOf(low),
      to: nameOf(high),
      kind: kind as "default" | "error",
      ...(condition && { condition }),
    },
  ];
}

/** Edges back lead to the node itself or to one on the way to it. */
function goingBack(edges: readonly WorkflowEdge[]): readonly WorkflowEdge[] {
  const before = (id: string): ReadonlySet<string> =>
    new Set(
      edges.flatMap(({ from, to, kind }) => (kind !== "back" && to === id ? [from, ...before(from)] : [])),
    );
  return edges.filter(({ from, to, kind }) => kind !== "back" || from === to || before(from).has(to));
}

/** One edge of a kind between two nodes, and one node that takes over when another fails. */
function distinct(edges: readonly WorkflowEdge[]): readonly WorkflowEdge[] {
  const seen = new Set<string>();
  return edges.filter(({ from, to, kind, condition }) => {
    const catches = kind === "error" || condition === 'response.status == "failure"';
    const keys = [`${from}>${to}`, ...(catches && kind !== "back" ? [`${from} fails`] : [])];
    if (keys.some((key) => seen.has(key))) return false;
    for (const key of keys) seen.add(key);
    return true;
  });
}
