import { type GetAttemptsResponse, Outcome } from "@baton/contract/messages";
import { msOf } from "../../../design/format-time.ts";

export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Maps a time to a position from 0 to 1: linear, except for breaks, which are shortened. */
export interface Scale {
  readonly whole: Period;
  readonly breaks: readonly Period[];
  /** The linear parts between the breaks. */
  readonly stretches: readonly Period[];
  /** The duration that the full width would have without breaks. */
  readonly widthMs: number;
  placeOf(ms: number): number;
}

/** Shorter waits are never shortened. */
const minBreakMs = 5_000;
/** The largest share of the width for one break and for all of them. */
const maxShareOfOne = 0.2;
const maxShareOfAll = 0.6;
/** Further waits are drawn to scale. */
const maxBreaks = 6;

function shareOf(count: number): number {
  return Math.min(maxShareOfOne, maxShareOfAll / Math.max(1, count));
}

/** A scale for a period. Long times in which nothing ran become breaks. */
export function scaleOf(whole: Period, running: readonly Period[]): Scale {
  const breaks = breaksOf(whole, gapsOf(whole, running));
  const stretches = gapsOf(whole, breaks);
  const share = shareOf(breaks.length);
  const evenMs = stretches.reduce((sum, stretch) => sum + lengthOf(stretch), 0);
  const widthMs = Math.max(1, evenMs) / (1 - breaks.length * share);
  const before = (ms: number, { fromMs, toMs }: Period) => Math.min(Math.max(ms, fromMs), toMs) - fromMs;
  return {
    whole,
    breaks,
    stretches,
    widthMs,
    placeOf(ms) {
      let place = 0;
      for (const stretch of stretches) place += before(ms, stretch) / widthMs;
      for (const one of breaks) place += (before(ms, one) / lengthOf(one)) * share;
      return place;
    },
  };
}

/** The longest waits, as far as each would be wider than a break: so nothing jumps when a growing wait becomes one. */
function breaksOf(whole: Period, gaps: readonly Period[]): readonly Period[] {
  const sorted = gaps.toSorted((a, b) => lengthOf(b) - lengthOf(a));
  let evenMs = lengthOf(whole);
  let count = 0;
  for (const [place, gap] of sorted.slice(0, maxBreaks).entries()) {
    evenMs -= lengthOf(gap);
    // While nothing ran yet, there is nothing to make room for.
    if (lengthOf(gap) < minBreakMs || evenMs === 0) break;
    const share = shareOf(place + 1);
    if (lengthOf(gap) / evenMs > share / (1 - (place + 1) * share)) count = place + 1;
  }
  return sorted.slice(0, count).sort((a, b) => a.fromMs - b.fromMs);
}

function lengthOf({ fromMs, toMs }: Period): number {
  return toMs - fromMs;
}

/** A period minus others. */
function gapsOf(whole: Period, others: readonly Period[]): readonly Period[] {
  const gaps: Period[] = [];
  let { fromMs } = whole;
  for (const other of others.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (other.fromMs > fromMs) gaps.push({ fromMs, toMs: other.fromMs });
    fromMs = Math.max(fromMs, other.toMs);
  }
  if (whole.toMs > fromMs) gaps.push({ fromMs, toMs: whole.toMs });
  return gaps;
}

/** When agents worked or the hub ran checks. Waiting for a person does not count. */
export function runningIn(activity: GetAttemptsResponse | undefined, untilMs: number): readonly Period[] {
  const { attempts = [], waits = [] } = activity ?? {};
  return attempts.map(({ stageId, sentAt, receivedAt, reviewAt, endedAt, outcome }) => {
    const fromMs = msOf(sentAt) ?? 0;
    const receivedMs = msOf(receivedAt);
    const endedMs = msOf(endedAt) ?? untilMs;
    if (receivedMs === undefined) return { fromMs, toMs: endedMs };
    // Only results that report success, at least in part, are checked.
    if (outcome !== Outcome.SUCCESS && outcome !== Outcome.PARTIAL) return { fromMs, toMs: receivedMs };
    const stops = waits
      .filter((wait) => wait.stageId === stageId || wait.stageId === "")
      .map(({ from }) => msOf(from) ?? 0)
      .filter((ms) => ms >= receivedMs);
    return { fromMs, toMs: Math.min(endedMs, msOf(reviewAt) ?? endedMs, ...stops) };
  });
}

export interface Tick {
  readonly place: number;
  /** Since the start of the run or the end of the last break. */
  readonly sinceMs: number;
  readonly isAfterBreak: boolean;
  /** The label is left of the tick. */
  readonly isEnd: boolean;
}

/** The share of the width that a label takes. */
export const labelWidth = { wide: 0.08, narrow: 0.27 } as const;

const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 3e4, 6e4, 3e5, 6e5, 18e5, 36e5, 216e5, 864e5,
];
const maxTicks = 7;

/** About six ticks at round steps. Without room for any, one with the total duration. */
export function ticksOf(scale: Scale, room: number = labelWidth.wide): readonly Tick[] {
  const { whole, stretches, breaks, widthMs, placeOf } = scale;
  const leastStep = widthMs * Math.max(1 / maxTicks, room);
  const step = steps.find((one) => one >= leastStep) ?? leastStep;
  const starts = new Set(breaks.map(({ toMs }) => toMs));
  const ticks: Tick[] = [{ place: 0, sinceMs: 0, isAfterBreak: false, isEnd: false }];
  for (const { fromMs, toMs } of stretches) {
    const isAfterBreak = starts.has(fromMs);
    // Labels end before the next break and before the end.
    const last = placeOf(toMs) - room;
    for (let sinceMs = step; fromMs + sinceMs <= toMs; sinceMs += step) {
      const place = placeOf(fromMs + sinceMs);
      if (place > last) break;
      ticks.push({ place, sinceMs, isAfterBreak, isEnd: false });
    }
  }
  if (ticks.length === 1)
    ticks.push({ place: 1, sinceMs: lengthOf(whole), isAfterBreak: false, isEnd: true });
  return ticks;
}
