import {
  AttemptEnding,
  type AttemptSummary,
  type GetAttemptsResponse,
  Outcome,
  type Transition,
} from "@baton/contract/messages";
import { msOf } from "../../../design/format-time.ts";

/** The statuses that one stage, or the run, passed through: "completed → rejected → ready". */
export interface Step {
  readonly stageId: string;
  readonly statuses: readonly string[];
}

/** One line of the history: the transitions of one revision, or a retry, which has none. */
export interface Entry {
  readonly key: string;
  readonly atMs: number;
  /** The transition that a rewind targets; undefined for retries. */
  readonly target: Transition | undefined;
  readonly steps: readonly Step[];
  readonly commit: string;
  readonly abandoned: boolean;
  /** Empty when no reason is known. */
  readonly reason: string;
}

/** The history of a run, newest first. */
export function entriesOf(
  transitions: readonly Transition[],
  activity: GetAttemptsResponse | undefined,
): readonly Entry[] {
  const moved = [...Map.groupBy(transitions, ({ revision }) => revision).values()].map((group) =>
    entryOf(group, activity),
  );
  const tried = (activity?.attempts ?? []).flatMap((attempt) => retryOf(attempt, moved) ?? []);
  // At the same moment, transitions precede the retries that they caused.
  return [...moved, ...tried].sort((a, b) => a.atMs - b.atMs).reverse();
}

function entryOf(group: readonly Transition[], activity: GetAttemptsResponse | undefined): Entry {
  const steps = [...Map.groupBy(group, ({ stageId }) => stageId)].map(
    ([stageId, moves]): Step => ({
      stageId,
      statuses: [moves[0]?.fromStatus ?? "", ...moves.map(({ toStatus }) => toStatus)],
    }),
  );
  // A rewind targets the run. Otherwise the first transition caused the others.
  const target =
    group.find(({ rewoundTo, stageId }) => rewoundTo > 0n && stageId === "") ?? lastOfFirst(group);
  const atMs = msOf(target?.at) ?? 0;
  return {
    key: String(target?.revision),
    atMs,
    target,
    steps: steps.toSorted(
      (a, b) => Number(b.stageId === target?.stageId) - Number(a.stageId === target?.stageId),
    ),
    commit: target?.commit || (group.find(({ commit }) => commit !== "")?.commit ?? ""),
    abandoned: target?.abandoned ?? false,
    reason: reasonOf(group, target) || activityReason(steps, atMs, activity),
  };
}

/** The recorded reason of the transitions, and who requested them. */
function reasonOf(group: readonly Transition[], target: Transition | undefined): string {
  const source = target?.reason ? target : (group.find(({ reason }) => reason !== "") ?? target);
  if (!source) return "";
  const { rewoundTo, by, reason } = source;
  const who = by === "" ? "" : `by ${by}`;
  const what = [rewoundTo > 0n ? `rewound to ${rewoundTo}` : "", who].filter(Boolean).join(" ");
  return [what, reason].filter(Boolean).join(": ");
}

function lastOfFirst(group: readonly Transition[]): Transition | undefined {
  return group.findLast(({ stageId }) => stageId === group[0]?.stageId);
}

const bad: ReadonlySet<string> = new Set(["REJECTED", "FAILED", "SKIPPED", "PAUSED", "ABORTED"]);

/** The reason of an attempt or a pause that ended at the same moment. */
function activityReason(
  steps: readonly Step[],
  atMs: number,
  activity: GetAttemptsResponse | undefined,
): string {
  if (!activity || !steps.some(({ statuses }) => statuses.some((status) => bad.has(status)))) return "";
  const isThen = (at: AttemptSummary["endedAt"]) => msOf(at) === atMs;
  const attempt = activity.attempts.find(({ endedAt, reason }) => isThen(endedAt) && reason !== "");
  const pause = activity.waits.find(({ stageId, from }) => stageId === "" && isThen(from));
  return attempt?.reason ?? pause?.reason ?? "";
}

/** A retry leaves the status of its stage unchanged, so no transition records it. */
function retryOf(attempt: AttemptSummary, moved: readonly Entry[]): Entry | undefined {
  const { ending, dispatchId, stageId, attemptNumber, endedAt } = attempt;
  const isRetry = ending === AttemptEnding.RETRIED || ending === AttemptEnding.ANSWERED;
  const atMs = msOf(endedAt);
  if (!isRetry || atMs === undefined) return undefined;
  const before = moved.findLast((entry) => entry.atMs <= atMs);
  return {
    key: dispatchId,
    atMs,
    target: undefined,
    steps: [{ stageId, statuses: [`attempt ${attemptNumber}`, "RETRIED"] }],
    commit: "",
    abandoned: before?.abandoned ?? false,
    reason: retryText(attempt),
  };
}

function retryText({ ending, outcome, reason }: AttemptSummary): string {
  if (ending === AttemptEnding.ANSWERED) return reason;
  return outcome === Outcome.SUCCESS ? `reported success, but the checks failed: ${reason}` : reason;
}
