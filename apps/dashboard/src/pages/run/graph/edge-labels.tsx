import { EdgeKind } from "@baton/contract/messages";
import { describeEdge } from "@baton/kernel/deciding";
import { type EdgeFact, hasLabel, outcomeOf, stateOf, titleOf } from "./edge-facts.ts";
import { backMiddle } from "./edge-paths.ts";
import { box, type Layout } from "./layout.ts";
import type { View } from "./use-view.ts";

interface EdgeLabelsProps {
  readonly layout: Layout;
  readonly view: View;
  readonly facts: readonly EdgeFact[];
  readonly edge: number;
}

/** Conditions of edges, whether they were taken, and what they read. The tab "Routing" has the same as text. */
export function EdgeLabels({ layout, view, facts, edge }: EdgeLabelsProps) {
  const labelled = facts.filter(hasLabel);
  const places = new Map(layout.nodes.map((node) => [node.id, node]));
  return (
    <div aria-hidden="true">
      {labelled.map((fact, at) => {
        const { from, to, kind, decision } = fact;
        const middle =
          kind === EdgeKind.BACK ? backMiddle(places.get(from), places.get(to)) : middleOf(layout, from, to);
        if (!middle || !view.includes(middle[0] - 100, middle[1] - 20, middle[0] + 100, middle[1] + 20))
          return null;
        const place = { left: middle[0] + edge, top: middle[1] + edge, width: box.labelWidth };
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: two edges may have the same ends.
            key={`${from}>${to}${at}`}
            className={`edge-label ${kind === EdgeKind.BACK ? "back " : ""}${stateOf(fact)}`}
            style={place}
            title={decision ? describeEdge(decision) : titleOf(fact)}
          >
            <span className="clip">
              {kind === EdgeKind.BACK && "↺ "}
              {titleOf(fact)}
            </span>
            <span className="clip edge-outcome">{outcomeOf(fact)}</span>
          </span>
        );
      })}
    </div>
  );
}

/** The middle of the last gap that the edge crosses, next to its target. */
function middleOf({ edges }: Layout, from: string, to: string): readonly [number, number] | undefined {
  const points = edges.find((edge) => edge.from === from && edge.to === to)?.points;
  const [before, last] = [points?.at(-2), points?.at(-1)];
  return before && last ? [(before[0] + last[0]) / 2, (before[1] + last[1]) / 2] : undefined;
}
