import "./timeline.css";
import type { GetAttemptsResponse, Pipeline } from "@baton/contract/messages";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useSyncExternalStore } from "react";
import { endOf } from "../../../design/ends.ts";
import { formatSpan, msOf } from "../../../design/format-time.ts";
import { useNow } from "../../../design/time.tsx";
import { setQuery } from "../../../router/location.ts";
import { type Lane, lanesOf, lastOf, markOf } from "./lanes.ts";
import { labelWidth, runningIn, type Scale, scaleOf, ticksOf } from "./scale.ts";
import { TimeBar } from "./time-bar.tsx";

const laneHeight = 28;

interface TimelineProps {
  readonly pipeline: Pipeline;
  readonly activity: GetAttemptsResponse | undefined;
  readonly selected: string;
}

/** Attempts, gates and waits over time, one lane per stage. */
export function Timeline({ pipeline, activity, selected }: TimelineProps) {
  const { stages, createdAt } = pipeline;
  const now = useNow();
  const fromMs = msOf(createdAt) ?? 0;
  const lanes = lanesOf(stages, activity);
  const toMs = Math.max(fromMs + 50, msOf(endOf(pipeline)) ?? now, lastOf(lanes));
  const scale = scaleOf({ fromMs, toMs }, runningIn(activity, toMs));
  const room = useNarrow() ? labelWidth.narrow : labelWidth.wide;
  const ticks = ticksOf(scale, room);
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
          {ticks.map(({ place, sinceMs, isAfterBreak, isEnd }) => (
            <i
              key={place}
              style={isEnd ? { right: 0 } : { left: `${place * 100}%` }}
              className={isEnd ? "end" : ""}
            >
              {isAfterBreak && "+"}
              {sinceMs === 0 ? "0" : formatSpan(sinceMs)}
            </i>
          ))}
          <Breaks scale={scale} namedUpTo={ticks.some(({ isEnd }) => isEnd) ? 1 - room : 1} />
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
                    <TimeBar key={bar.key} bar={bar} scale={scale} toMs={toMs} />
                  ))}
                  <Breaks scale={scale} />
                </span>
              </button>
            );
          })}
        </div>
      </div>
      <Legend lanes={lanes} scale={scale} />
    </section>
  );
}

interface BreaksProps {
  readonly scale: Scale;
  /** On the axis: labels beyond this position have no room. */
  readonly namedUpTo?: number;
}

/** Marks the breaks; on the axis with their duration. */
function Breaks({ scale, namedUpTo }: BreaksProps) {
  return scale.breaks.map(({ fromMs, toMs }) => {
    const [left, right] = [scale.placeOf(fromMs), scale.placeOf(toMs)];
    const took = formatSpan(toMs - fromMs);
    return (
      <span
        key={fromMs}
        className={namedUpTo === undefined ? "break" : "break-name"}
        style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }}
        title={`idle for ${took}`}
      >
        {namedUpTo !== undefined && right < namedUpTo + 1e-9 && took}
      </span>
    );
  });
}

const narrow = window.matchMedia("(max-width: 620px)");

function useNarrow(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      narrow.addEventListener("change", onChange);
      return () => narrow.removeEventListener("change", onChange);
    },
    () => narrow.matches,
  );
}

/** A click on a bar selects its attempt. */
function choose(stageId: string, target: EventTarget): void {
  const attempt = target instanceof HTMLElement ? (target.dataset.attempt ?? "") : "";
  if (stageId !== "") setQuery({ stage: stageId, attempt });
}

/** The colours and patterns of bars. Rare ones are listed only when present. */
const legend = [
  { look: "work busy", word: "agent at work" },
  { look: "work good", word: "accepted" },
  { look: "work good unchecked", word: "accepted, unchecked", rare: "unchecked" },
  { look: "work bad", word: "failed or disproved" },
  { look: "work bad rejected", word: "rejected in review", rare: "rejected" },
  { look: "work asks", word: "asked or sent back" },
  { look: "work quiet", word: "cancelled" },
  { look: "work quiet aside", word: "superseded by a rewind", rare: "aside" },
  { look: "gate quiet", word: "checks and review" },
  { look: "wait", word: "waiting" },
  { look: "break", word: "idle, shortened", rare: "break" },
] as const;

function Legend({ lanes, scale }: { readonly lanes: readonly Lane[]; readonly scale: Scale }) {
  const { breaks } = scale;
  const marks = new Set<string>(lanes.flatMap(({ bars }) => bars.map(markOf)));
  if (breaks.length > 0) marks.add("break");
  return (
    <p className="timeline-legend quiet">
      {legend
        .filter((one) => !("rare" in one) || marks.has(one.rare))
        .map(({ look, word }) => (
          <span key={word}>
            <i className={look} /> {word}
          </span>
        ))}
      {breaks.length > 0 && (
        <span className="sr">
          for {breaks.map(({ fromMs, toMs }) => formatSpan(toMs - fromMs)).join(", and for ")}
        </span>
      )}
    </p>
  );
}
