import {
  AttemptEnding,
  type AttemptSummary,
  type GetAttemptsResponse,
  Outcome,
  type Transition,
} from "@baton/contract/messages";
import { msOf } from "../../../design/format-time.ts";

/** Where one stage, or the run, went in one step: "completed → rejected → ready". */
export interface Way {
  readonly stageId: string;
  readonly steps: readonly string[];
}

/** One line of the history: everything that one revision moved, or an attempt that moved nothing and is told anyway. */
export interface Entry {
  readonly key: string;
  readonly atMs: number;
  /** What a rewind names; undefined where the run only tried again. */
  readonly target: Transition | undefined;
  readonly ways: readonly Way[];
  readonly commit: string;
  readonly abandoned: boolean;
  /** Why it went like this, for people; empty where there is nothing to say. */
  readonly reason: string;
}

/** The history of a run, newest first. */
export function entriesOf(
  transitions: readonly Transition[],
  told: GetAttemptsResponse | undefined,
): readonly Entry[] {
  const moved = [...Map.groupBy(transitions, ({ revision }) => revision).values()].map((group) =>
    entryOf(group, told),
  );
  const tried = (told?.attempts ?? []).flatMap((attempt) => retryOf(attempt, moved) ?? []);
  // What moved stands before what was only tried in the same moment: it is what it was tried for.
  return [...moved, ...tried].sort((a, b) => a.atMs - b.atMs).reverse();
}

function entryOf(group: readonly Transition[], told: GetAttemptsResponse | undefined): Entry {
  const ways = [...Map.groupBy(group, ({ stageId }) => stageId)].map(
    ([stageId, steps]): Way => ({
      stageId,
      steps: [steps[0]?.fromStatus ?? "", ...steps.map(({ toStatus }) => toStatus)],
    }),
  );
  // A rewind is of the run; else what moved first is what the rest followed from.
  const target =
    group.find(({ rewoundTo, stageId }) => rewoundTo > 0n && stageId === "") ?? lastOfFirst(group);
  const atMs = msOf(target?.at) ?? 0;
  return {
    key: String(target?.revision),
    atMs,
    target,
    ways: ways.toSorted(
      (a, b) => Number(b.stageId === target?.stageId) - Number(a.stageId === target?.stageId),
    ),
    commit: target?.commit || (group.find(({ commit }) => commit !== "")?.commit ?? ""),
    abandoned: target?.abandoned ?? false,
    reason: reasonOf(group, target) || whyOf(ways, atMs, told),
  };
}

/** What the hub says of it, of whatever moved: why, and who asked for it. */
function reasonOf(group: readonly Transition[], target: Transition | undefined): string {
  const told = target?.reason ? target : (group.find(({ reason }) => reason !== "") ?? target);
  if (!told) return "";
  const { rewoundTo, by, reason } = told;
  const who = by === "" ? "" : `by ${by}`;
  const what = [rewoundTo > 0n ? `rewound to ${rewoundTo}` : "", who].filter(Boolean).join(" ");
  return [what, reason].filter(Boolean).join(": ");
}

function lastOfFirst(group: readonly Transition[]): Transition | undefined {
  return group.findLast(({ stageId }) => stageId === group[0]?.stageId);
}

const bad: ReadonlySet<string> = new Set(["REJECTED", "FAILED", "SKIPPED", "PAUSED", "ABORTED"]);

/** What the attempts and the waits of that moment say of it. */
function whyOf(ways: readonly Way[], atMs: number, told: GetAttemptsResponse | undefined): string {
  if (told === undefined || !ways.some(({ steps }) => steps.some((step) => bad.has(step)))) return "";
  const isThen = (at: AttemptSummary["endedAt"]) => msOf(at) === atMs;
  const attempt = told.attempts.find(({ endedAt, reason }) => isThen(endedAt) && reason !== "");
  const pause = told.waits.find(({ stageId, from }) => stageId === "" && isThen(from));
  return attempt?.reason ?? pause?.reason ?? "";
}

/** A stage that is tried again stays where it is: no transition tells of it. */
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
    ways: [{ stageId, steps: [`attempt ${attemptNumber}`, "TRIED_AGAIN"] }],
    commit: "",
    abandoned: before?.abandoned ?? false,
    reason: retryText(attempt),
  };
}

function retryText({ ending, outcome, reason }: AttemptSummary): string {
  if (ending === AttemptEnding.ANSWERED) return reason;
  return outcome === Outcome.SUCCESS ? `it said that it was done, and that did not hold: ${reason}` : reason;
}
