import { type GetAttemptsResponse, Outcome } from "@baton/contract/messages";
import { msOf } from "../../../design/format-time.ts";

export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Where a moment is drawn, from 0 to 1. Time goes on evenly, but for its breaks, which are drawn shorter than they were. */
export interface Scale {
  readonly whole: Period;
  readonly breaks: readonly Period[];
  /** What is drawn evenly, between the breaks. */
  readonly stretches: readonly Period[];
  /** How long all of the width would be, if it were drawn as a stretch is. */
  readonly widthMs: number;
  placeOf(ms: number): number;
}

/** What is shorter is no wait to anybody. */
const leastMs = 5_000;
/** A break takes no more of the width than this, and all of them together leave room for what ran. */
const mostOfOne = 0.2;
const mostOfAll = 0.6;
/** More could not be read; the waits that are left are drawn as long as they were. */
const mostBreaks = 6;

function shareOf(count: number): number {
  return Math.min(mostOfOne, mostOfAll / Math.max(1, count));
}

/** From one moment to another; where nothing ran for so long that the rest would be squeezed, there is a break. */
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
      // There are few of both, however much ran.
      let place = 0;
      for (const stretch of stretches) place += before(ms, stretch) / widthMs;
      for (const one of breaks) place += (before(ms, one) / lengthOf(one)) * share;
      return place;
    },
  };
}

/** As many of the few longest as would each be drawn longer than a break is: so nothing leaps when a wait becomes one. */
function breaksOf(whole: Period, gaps: readonly Period[]): readonly Period[] {
  const sorted = gaps.toSorted((a, b) => lengthOf(b) - lengthOf(a));
  let evenMs = lengthOf(whole);
  let count = 0;
  for (const [place, gap] of sorted.slice(0, mostBreaks).entries()) {
    evenMs -= lengthOf(gap);
    // Where nothing ran yet, nothing is squeezed.
    if (lengthOf(gap) < leastMs || evenMs === 0) break;
    const share = shareOf(place + 1);
    if (lengthOf(gap) / evenMs > share / (1 - (place + 1) * share)) count = place + 1;
  }
  return sorted.slice(0, count).sort((a, b) => a.fromMs - b.fromMs);
}

function lengthOf({ fromMs, toMs }: Period): number {
  return toMs - fromMs;
}

/** What is left of a period without others. */
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

/** When an agent was at work, or the hub checked what came of it. Whatever waits for a person does not run. */
export function runningIn(told: GetAttemptsResponse | undefined, untilMs: number): readonly Period[] {
  const { attempts = [], waits = [] } = told ?? {};
  return attempts.map(({ stageId, sentAt, receivedAt, reviewAt, endedAt, outcome }) => {
    const fromMs = msOf(sentAt) ?? 0;
    const receivedMs = msOf(receivedAt);
    const endedMs = msOf(endedAt) ?? untilMs;
    if (receivedMs === undefined) return { fromMs, toMs: endedMs };
    // Nothing but work that is said to be done, or in part, is checked.
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
  /** Since the run began, or since it went on after a break. */
  readonly sinceMs: number;
  readonly isAfterBreak: boolean;
  /** What is written at it is before it. */
  readonly isEnd: boolean;
}

/** What is written at a tick takes this much of the width; where there is little of it, more. */
export const roomForTick = { wide: 0.08, narrow: 0.27 } as const;

const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 3e4, 6e4, 3e5, 6e5, 18e5, 36e5, 216e5, 864e5,
];
const mostTicks = 7;

/** Round steps, so that there are about six of them; where there is room for none, how long all of it was. */
export function ticksOf(scale: Scale, room: number = roomForTick.wide): readonly Tick[] {
  const { whole, stretches, breaks, widthMs, placeOf } = scale;
  const leastStep = widthMs * Math.max(1 / mostTicks, room);
  const step = steps.find((one) => one >= leastStep) ?? leastStep;
  const starts = new Set(breaks.map(({ toMs }) => toMs));
  const ticks: Tick[] = [{ place: 0, sinceMs: 0, isAfterBreak: false, isEnd: false }];
  for (const { fromMs, toMs } of stretches) {
    const isAfterBreak = starts.has(fromMs);
    // What is written stays before the break that follows, and before the end.
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
