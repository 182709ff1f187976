import { EdgeKind, type Stage, StageStatus } from "@baton/contract/messages";
import { type EdgeFact, stateOf } from "./edge-facts.ts";
import { backDepth, backPath, forwardPath } from "./edge-paths.ts";
import { box, type Layout } from "./layout.ts";
import type { View } from "./use-view.ts";

interface EdgeLinesProps {
  readonly layout: Layout;
  readonly view: View;
  readonly byId: ReadonlyMap<string, Stage>;
  readonly facts: readonly EdgeFact[];
  readonly edge: number;
}

/** The lines of all edges; those that were decided are marked. */
export function EdgeLines({ layout, view, byId, facts, edge }: EdgeLinesProps) {
  const { edges, nodes, width, height } = layout;
  const states = new Map<string, ReturnType<typeof stateOf>>();
  for (const fact of facts) {
    const key = `${fact.from}>${fact.to}`;
    // Of several edges between two nodes, one that was taken counts.
    if (fact.kind !== EdgeKind.BACK && states.get(key) !== "taken") states.set(key, stateOf(fact));
  }
  const places = new Map(nodes.map((node) => [node.id, node]));
  const back = facts.filter(({ kind }) => kind === EdgeKind.BACK);
  return (
    <svg
      className="graph-edges"
      width={width + 2 * edge}
      height={height + 2 * edge + backDepth}
      aria-hidden="true"
    >
      <g transform={`translate(${edge} ${edge})`}>
        {edges.map(({ from, to, points }) => {
          const [first, last] = [points[0], points.at(-1)];
          if (!first || !last) return null;
          const [top, bottom] = [Math.min(first[1], last[1]), Math.max(first[1], last[1])];
          if (!view.includes(first[0], top, last[0], bottom)) return null;
          const state = states.get(`${from}>${to}`) ?? "open";
          const isDone =
            state === "taken" || (state === "open" && byId.get(from)?.status === StageStatus.COMPLETED);
          const name = isDone ? "done" : state === "missed" ? "missed" : undefined;
          return <path key={`${from}>${to}`} d={forwardPath(points)} className={name} />;
        })}
        {back.map((fact, at) => {
          const [from, to] = [places.get(fact.from), places.get(fact.to)];
          if (!from || !to || !view.includes(to.x, Math.min(from.y, to.y), from.x + box.width, height))
            return null;
          // biome-ignore lint/suspicious/noArrayIndexKey: two edges may have the same ends.
          return <path key={at} d={backPath(from, to)} className={`back ${stateOf(fact)}`} />;
        })}
      </g>
    </svg>
  );
}
