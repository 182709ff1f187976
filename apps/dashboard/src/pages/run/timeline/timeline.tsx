import "./timeline.css";
import type { GetAttemptsResponse, Pipeline } from "@baton/contract/messages";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { endOf } from "../../../design/ends.ts";
import { formatSpan, msOf } from "../../../design/format-time.ts";
import { useNow } from "../../../design/time.tsx";
import { setQuery } from "../../../router/location.ts";
import { type Lane, lanesOf, lastOf, markOf, ticksOf } from "./lanes.ts";
import { TimeBar } from "./time-bar.tsx";

const laneHeight = 28;

interface TimelineProps {
  readonly pipeline: Pipeline;
  readonly told: GetAttemptsResponse | undefined;
  readonly selected: string;
}

/** When what went on: attempts, gates and waits, a lane a stage. */
export function Timeline({ pipeline, told, selected }: TimelineProps) {
  const { stages, createdAt } = pipeline;
  const now = useNow();
  const fromMs = msOf(createdAt) ?? 0;
  const lanes = lanesOf(stages, told);
  const toMs = Math.max(fromMs + 50, msOf(endOf(pipeline)) ?? now, lastOf(lanes));
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lanes.length,
    getScrollElement: () => frame.current,
    estimateSize: () => laneHeight,
    overscan: 12,
  });
  return (
    <section className="card timeline" aria-label="Timeline">
      <div className="timeline-axis" aria-hidden="true">
        <span />
        <div className="timeline-ticks">
          {ticksOf(fromMs, toMs).map((tick) => (
            <i key={tick} style={{ left: `${(tick / (toMs - fromMs)) * 100}%` }}>
              {tick === 0 ? "0" : formatSpan(tick)}
            </i>
          ))}
        </div>
      </div>
      <div className="timeline-lanes" ref={frame} tabIndex={0} role="group" aria-label="Lanes">
        <div style={{ height: rows.getTotalSize(), position: "relative" }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const lane = lanes[index];
            if (!lane) return null;
            return (
              <button
                key={lane.stageId}
                type="button"
                className={lane.stageId === selected ? "lane chosen" : "lane"}
                style={{ transform: `translateY(${start}px)` }}
                onClick={(event) => choose(lane.stageId, event.target)}
              >
                <span className="lane-name clip">{lane.name}</span>
                <span className="lane-time">
                  {lane.bars.map((bar) => (
                    <TimeBar key={bar.key} bar={bar} fromMs={fromMs} toMs={toMs} />
                  ))}
                </span>
              </button>
            );
          })}
        </div>
      </div>
      <Legend lanes={lanes} />
    </section>
  );
}

/** A click on a bar means its attempt. */
function choose(stageId: string, target: EventTarget): void {
  const attempt = target instanceof HTMLElement ? (target.dataset.attempt ?? "") : "";
  if (stageId !== "") setQuery({ stage: stageId, attempt });
}

/** Every colour and pattern that a bar may have; what is rare is explained where there is one. */
const legend = [
  { look: "work busy", word: "agent at work" },
  { look: "work good", word: "accepted" },
  { look: "work good unchecked", word: "accepted, nothing was checked", rare: "unchecked" },
  { look: "work bad", word: "failed or did not hold" },
  { look: "work bad rejected", word: "rejected in review", rare: "rejected" },
  { look: "work asks", word: "asked, or sent the work back" },
  { look: "work quiet", word: "called off" },
  { look: "work quiet aside", word: "set aside by a rewind", rare: "aside" },
  { look: "gate quiet", word: "checks and review" },
  { look: "wait", word: "waits" },
] as const;

function Legend({ lanes }: { readonly lanes: readonly Lane[] }) {
  const marks = new Set(lanes.flatMap(({ bars }) => bars.map(markOf)));
  return (
    <p className="timeline-legend quiet">
      {legend
        .filter((one) => !("rare" in one) || marks.has(one.rare))
        .map(({ look, word }) => (
          <span key={word}>
            <i className={look} /> {word}
          </span>
        ))}
    </p>
  );
}
