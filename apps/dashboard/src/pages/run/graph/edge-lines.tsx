import { type Stage, StageStatus } from "@baton/contract/messages";
import type { Layout } from "./layout.ts";
import type { View } from "./use-view.ts";

interface EdgeLinesProps {
  readonly layout: Layout;
  readonly view: View;
  readonly byId: ReadonlyMap<string, Stage>;
  readonly edge: number;
}

export function EdgeLines({ layout, view, byId, edge }: EdgeLinesProps) {
  const { edges, width, height } = layout;
  return (
    <svg className="graph-edges" width={width + 2 * edge} height={height + 2 * edge} aria-hidden="true">
      <g transform={`translate(${edge} ${edge})`}>
        {edges.map(({ from, to, points }) => {
          const [first, last] = [points[0], points.at(-1)];
          if (!first || !last) return null;
          const [top, bottom] = [Math.min(first[1], last[1]), Math.max(first[1], last[1])];
          if (!view.includes(first[0], top, last[0], bottom)) return null;
          const isDone = byId.get(from)?.status === StageStatus.COMPLETED;
          return <path key={`${from}>${to}`} d={curve(points)} className={isDone ? "done" : undefined} />;
        })}
      </g>
    </svg>
  );
}

/** Straight within a layer, a curve between layers. */
function curve(points: readonly (readonly [x: number, y: number])[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let [x, y] = first;
  let path = `M${x} ${y}`;
  for (const [toX, toY] of rest) {
    const middle = (x + toX) / 2;
    path += toY === y ? `L${toX} ${toY}` : `C${middle} ${y} ${middle} ${toY} ${toX} ${toY}`;
    [x, y] = [toX, toY];
  }
  return path;
}
