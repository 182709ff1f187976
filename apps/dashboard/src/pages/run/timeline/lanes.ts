import {
  AttemptEnding,
  type AttemptSummary,
  type GetAttemptsResponse,
  type Stage,
} from "@baton/contract/messages";
import { msOf } from "../../../design/format-time.ts";

/** A period of work, gate or wait. */
export interface Bar {
  readonly key: string;
  readonly kind: "work" | "gate" | "wait";
  readonly fromMs: number;
  /** Undefined while it lasts. */
  readonly toMs: number | undefined;
  readonly attempt: AttemptSummary | undefined;
  readonly reason: string;
}

export interface Lane {
  readonly stageId: string;
  readonly name: string;
  readonly bars: readonly Bar[];
}

/** A lane for each stage, and one for the pauses of the run. */
export function lanesOf(
  stages: readonly Stage[],
  activity: GetAttemptsResponse | undefined,
): readonly Lane[] {
  const { attempts = [], waits = [] } = activity ?? {};
  const bars = new Map<string, Bar[]>([
    ["", []],
    ...stages.map(({ stageId }): [string, Bar[]] => [stageId, []]),
  ]);
  for (const [place, { stageId, from, until, reason }] of waits.entries()) {
    const fromMs = msOf(from) ?? 0;
    bars
      .get(stageId)
      ?.push({ key: `w${place}`, kind: "wait", fromMs, toMs: msOf(until), attempt: undefined, reason });
  }
  for (const attempt of attempts) bars.get(attempt.stageId)?.push(...barsOf(attempt));
  const whole = bars.get("") ?? [];
  return [
    ...(whole.length > 0 ? [{ stageId: "", name: "Run", bars: whole }] : []),
    ...stages.map(({ stageId, stageName }) => ({
      stageId,
      name: stageName || stageId,
      bars: bars.get(stageId) ?? [],
    })),
  ];
}

function barsOf(attempt: AttemptSummary): readonly Bar[] {
  const { dispatchId, sentAt, receivedAt, endedAt, reason } = attempt;
  const [sentMs, receivedMs, endedMs] = [msOf(sentAt) ?? 0, msOf(receivedAt), msOf(endedAt)];
  const work: Bar = {
    key: dispatchId,
    kind: "work",
    fromMs: sentMs,
    toMs: receivedMs ?? endedMs,
    attempt,
    reason,
  };
  // Without checks and review there is no gate.
  if (receivedMs === undefined || attempt.unchecked) return [work];
  return [
    work,
    { key: `${dispatchId} gate`, kind: "gate", fromMs: receivedMs, toMs: endedMs, attempt, reason },
  ];
}

/** The pattern of a bar: superseded by a rewind, rejected despite passing checks, or accepted without checks. */
export function markOf({ attempt }: Bar): "aside" | "rejected" | "unchecked" | "" {
  if (attempt?.setAside) return "aside";
  if (attempt?.unchecked) return "unchecked";
  return attempt?.ending === AttemptEnding.REJECTED ? "rejected" : "";
}

/** The end of the last ended bar. */
export function lastOf(lanes: readonly Lane[]): number {
  let last = 0;
  for (const { bars } of lanes) for (const { toMs = 0 } of bars) last = Math.max(last, toMs);
  return last;
}
