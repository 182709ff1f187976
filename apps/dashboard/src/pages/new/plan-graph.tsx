import "../run/graph/graph.css";
import type { Stage } from "@baton/contract/messages";
import { useMemo, useRef } from "react";
import { edgeFacts, nodesOf, roomBelow } from "../run/graph/edge-facts.ts";
import { EdgeLabels } from "../run/graph/edge-labels.tsx";
import { EdgeLines } from "../run/graph/edge-lines.tsx";
import { box } from "../run/graph/layout.ts";
import { useLayout } from "../run/graph/use-layout.ts";
import { useView } from "../run/graph/use-view.ts";

const edge = 12;

/** The graph of a template. Renders only the visible part. */
export function PlanGraph({ stages }: { readonly stages: readonly Stage[] }) {
  const facts = useMemo(() => edgeFacts(stages), [stages]);
  const nodes = useMemo(() => nodesOf(stages, facts), [stages, facts]);
  const layout = useLayout(nodes);
  const frame = useRef<HTMLDivElement>(null);
  const view = useView(frame, 1);
  const byId = new Map(stages.map((stage) => [stage.stageId, stage]));
  const [width, height] = [
    (layout?.width ?? 0) + 2 * edge,
    (layout?.height ?? box.height) + 2 * edge + roomBelow(facts),
  ];
  const drawn = layout?.nodes.filter(({ x, y }) => view.includes(x, y, x + box.width, y + box.height)) ?? [];
  return (
    <div className="graph-frame plan-graph" ref={frame} tabIndex={0} role="group" aria-label="Graph">
      <div className="graph-plane" style={{ width, height }}>
        {layout && <EdgeLines layout={layout} view={view} byId={byId} facts={facts} edge={edge} />}
        {layout && <EdgeLabels layout={layout} view={view} facts={facts} edge={edge} />}
        <ol aria-label="Stages of the template">
          {drawn.map(({ id, x, y }) => {
            const stage = byId.get(id);
            return stage && <PlanStage key={id} stage={stage} at={{ left: x + edge, top: y + edge }} />;
          })}
        </ol>
      </div>
    </div>
  );
}

interface PlanStageProps {
  readonly stage: Stage;
  readonly at: { readonly left: number; readonly top: number };
}

function PlanStage({ stage: { stageId, stageName, taskType, config }, at }: PlanStageProps) {
  const after = config?.dependsOnStages ?? [];
  const back = [...new Set(config?.rewindEdges.map(({ targetStageId }) => targetStageId) ?? [])];
  const note = [
    config?.condition ? "conditional" : "",
    back.length > 0 ? `can go back to ${back.join(", ")}` : "",
  ];
  return (
    <li className="plan-stage" style={at}>
      <strong className="clip">{stageName || stageId}</strong>
      <span className="quiet clip">{taskType}</span>
      <span className="quiet clip" title={config?.condition || undefined}>
        {note.filter(Boolean).join(", ")}
      </span>
      {after.length > 0 && <span className="sr">after {after.join(" and ")}</span>}
    </li>
  );
}
