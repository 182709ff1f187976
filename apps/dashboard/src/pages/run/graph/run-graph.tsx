import "./graph.css";
import type { GetAttemptsResponse, Pipeline } from "@baton/contract/messages";
import { useEffect, useMemo, useRef, useState } from "react";
import { useWaitingIn } from "../../../hub/waiting.tsx";
import { useShortcut } from "../../../router/keys.ts";
import { setQuery } from "../../../router/location.ts";
import { edgeFacts, nodesOf, roomBelow } from "./edge-facts.ts";
import { EdgeLabels } from "./edge-labels.tsx";
import { EdgeLines } from "./edge-lines.tsx";
import { box } from "./layout.ts";
import { StageBox } from "./stage-box.tsx";
import { useLayout } from "./use-layout.ts";
import { useView } from "./use-view.ts";

const edge = 12;

/** Boxes scale with the font, which is larger on large screens. */
function defaultZoom(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 14 || 1;
}

interface RunGraphProps {
  readonly pipeline: Pipeline;
  readonly activity: GetAttemptsResponse | undefined;
  readonly selected: string;
  /** Otherwise the graph opens at its start. */
  readonly scrollsToSelected: boolean;
}

/** The stages of a run and their dependencies. Renders only the visible part. */
export function RunGraph({ pipeline, activity, selected, scrollsToSelected }: RunGraphProps) {
  const { stages } = pipeline;
  const facts = useMemo(() => edgeFacts(stages), [stages]);
  const nodes = useMemo(() => nodesOf(stages, facts), [stages, facts]);
  const layout = useLayout(nodes);
  const frame = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(defaultZoom);
  const view = useView(frame, zoom);
  const [focused, setFocused] = useState("");
  const waiting = new Set(useWaitingIn(pipeline.pipelineId).map(({ stageId }) => stageId));
  const attempts = Map.groupBy(activity?.attempts ?? [], ({ stageId }) => stageId);
  const byId = new Map(stages.map((stage) => [stage.stageId, stage]));
  const move = (step: number) => {
    const at = stages.findIndex(({ stageId }) => stageId === selected);
    const next = stages[Math.max(0, Math.min(stages.length - 1, at + step))];
    if (next) setQuery({ stage: next.stageId, attempt: "" });
  };
  useShortcut("]", "Next stage", () => move(1));
  useShortcut("[", "Previous stage", () => move(-1));
  useEffect(() => {
    const chosen = layout?.nodes.find(({ id }) => id === selected);
    if (!chosen || !frame.current || !scrollsToSelected) return;
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = frame.current;
    const [x, y] = [chosen.x * zoom, chosen.y * zoom];
    const isVisible =
      x >= scrollLeft &&
      x + box.width * zoom <= scrollLeft + clientWidth &&
      y >= scrollTop &&
      y <= scrollTop + clientHeight;
    if (isVisible) return;
    const [middleX, middleY] = [x + edge + (box.width * zoom) / 2, y + edge + (box.height * zoom) / 2];
    frame.current.scrollTo({ left: middleX - clientWidth / 2, top: middleY - clientHeight / 2 });
  }, [layout, selected, zoom, scrollsToSelected]);
  const [width, height] = [
    (layout?.width ?? 0) + 2 * edge,
    (layout?.height ?? box.height + box.gapY) + 2 * edge + roomBelow(facts),
  ];
  // The neighbours of the focused stage are rendered for the keyboard even when they are not visible.
  const focusedAt = layout?.nodes.findIndex(({ id }) => id === focused) ?? -1;
  const isNeighbour = (place: number) => focusedAt >= 0 && Math.abs(place - focusedAt) <= 1;
  const drawn =
    layout?.nodes.filter(
      ({ x, y }, place) => isNeighbour(place) || view.includes(x, y, x + box.width, y + box.height),
    ) ?? [];
  return (
    <section className="card graph" aria-label="Stages">
      <div className="graph-frame" ref={frame}>
        <div className="graph-size" style={{ width: width * zoom, height: height * zoom }}>
          <div className="graph-plane" style={{ width, height, transform: `scale(${zoom})` }}>
            {layout && <EdgeLines layout={layout} view={view} byId={byId} facts={facts} edge={edge} />}
            {layout && <EdgeLabels layout={layout} view={view} facts={facts} edge={edge} />}
            {drawn.map(({ id, x, y }) => {
              const stage = byId.get(id);
              return (
                stage && (
                  <StageBox
                    key={id}
                    stage={stage}
                    pipeline={pipeline}
                    at={{ x: x + edge, y: y + edge }}
                    isSelected={id === selected}
                    waits={waiting.has(id)}
                    attempts={attempts.get(id) ?? []}
                    onFocus={() => setFocused(id)}
                  />
                )
              );
            })}
          </div>
        </div>
      </div>
      {stages.length > 6 && (
        <div className="graph-zoom">
          <button type="button" className="button small" onClick={() => setZoom(Math.max(0.25, zoom / 1.4))}>
            −<span className="sr"> Zoom out</span>
          </button>
          <button type="button" className="button small" onClick={() => setZoom(Math.min(2.5, zoom * 1.4))}>
            +<span className="sr"> Zoom in</span>
          </button>
        </div>
      )}
    </section>
  );
}
