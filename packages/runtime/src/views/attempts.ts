/**
 * The attempts of a pipeline as its records tell them: what was sent, what came back and how it ended; and what stages
 * waited for in between.
 */
import type { AgentResult, TaskEnvelope } from "@baton/contract";
import {
  type GateCheckFinding,
  noUsableAnswer,
  type PipelineRecord,
  type Wait,
  withSeenFiles,
} from "@baton/kernel";

type RecordOf<Type extends PipelineRecord["type"]> = Extract<PipelineRecord, { type: Type }>;

export type Ending = "ACCEPTED" | "REJECTED" | "RETRIED" | "ANSWERED" | "SENT_BACK" | "FAILED" | "CANCELLED";

export interface AttemptTold {
  readonly stage: number;
  readonly dispatch: RecordOf<"dispatched">;
  readonly envelope: TaskEnvelope;
  result: AgentResult | undefined;
  receivedAtMs: number | undefined;
  reviewAtMs: number | undefined;
  checks: readonly GateCheckFinding[];
  endedAtMs: number | undefined;
  ending: Ending | undefined;
  reason: string;
  /** A rewind went back behind it or behind its end, and nobody has returned. */
  setAside: boolean;
  disregarded: string[];
  /** The highest index of a turn that was told while it was under way; -1 when none was. */
  lastTurn: number;
}

export interface WaitTold {
  /** Undefined for the pipeline as a whole. */
  readonly stage: number | undefined;
  readonly fromMs: number;
  readonly wait: Wait | { readonly kind: "paused"; readonly reason: string };
  untilMs: number | undefined;
}

/** Hears records in their order. */
export class Teller {
  readonly attempts: AttemptTold[] = [];
  readonly waits: WaitTold[] = [];
  readonly #last = new Map<number, AttemptTold>();
  readonly #waiting = new Map<number | undefined, WaitTold>();

  hear(record: PipelineRecord): void {
    switch (record.type) {
      case "dispatched":
        this.#endWait(record.stage, record.atMs);
        return this.#begin(record);
      case "observed":
        return this.#change(record.stage, { lastTurn: record.entropy.turns.at(-1)?.turnIndex ?? -1 });
      case "received":
        return this.#change(record.stage, { result: record.result, receivedAtMs: record.atMs });
      case "files-seen": {
        const result = this.#last.get(record.stage)?.result;
        return result && this.#change(record.stage, { result: withSeenFiles(result, record.files) });
      }
      case "review-requested":
        return this.#change(record.stage, { checks: record.checks, reviewAtMs: record.atMs });
      case "disregarded":
        this.#find(record.dispatchId)?.disregarded.push(record.reason);
        return;
      case "retried":
        this.#end(record.stage, record.atMs, ...howRetried(record, this.#last.get(record.stage)));
        return this.#beginWait(record.stage, record.wait, record.atMs);
      case "waited":
        return this.#beginWait(record.stage, record.wait, record.atMs);
      case "completed":
        return this.#end(record.stage, record.atMs, "ACCEPTED", "");
      case "failed":
      case "skipped":
        this.#endWait(record.stage, record.atMs);
        return this.#end(record.stage, record.atMs, "FAILED", record.failure.reason);
      case "rejected":
        return this.#reject(record);
      case "paused":
        return this.#beginWait(undefined, { kind: "paused", reason: record.reason }, record.atMs);
      case "resumed":
        return this.#endWait(undefined, record.atMs);
      case "aborted":
      case "pipeline-failed":
        return this.#callOff(record.reason, record.atMs);
      case "restored":
        for (const attempt of this.#last.values()) attempt.setAside ||= attempt.ending === undefined;
        return this.#callOff(`rewound: ${record.reason}`, record.atMs);
      default:
        return;
    }
  }

  #begin(dispatch: RecordOf<"dispatched">): void {
    const attempt: AttemptTold = {
      stage: dispatch.stage,
      dispatch,
      envelope: dispatch.envelope,
      result: undefined,
      receivedAtMs: undefined,
      reviewAtMs: undefined,
      checks: [],
      endedAtMs: undefined,
      ending: undefined,
      reason: "",
      setAside: false,
      disregarded: [],
      lastTurn: -1,
    };
    this.attempts.push(attempt);
    this.#last.set(dispatch.stage, attempt);
  }

  #change(stage: number, change: Partial<AttemptTold>): void {
    const attempt = this.#last.get(stage);
    if (attempt) Object.assign(attempt, change);
  }

  #find(dispatchId: string): AttemptTold | undefined {
    return this.attempts.find(({ dispatch }) => dispatch.dispatchId === dispatchId);
  }

  #end(stage: number, endedAtMs: number, ending: Ending, reason: string): void {
    const attempt = this.#last.get(stage);
    if (attempt && attempt.ending === undefined) Object.assign(attempt, { endedAtMs, ending, reason });
  }

  /** The target's work was accepted, and now it is not; whoever answered below it has sent it back. */
  #reject({ target, reset, feedback, atMs }: RecordOf<"rejected">): void {
    const reason = feedback?.failedChecks[0]?.reason || (feedback?.instructions[0] ?? "");
    for (const stage of reset) {
      this.#endWait(stage, atMs);
      const hasAnswered = this.#last.get(stage)?.result !== undefined;
      this.#end(
        stage,
        atMs,
        hasAnswered ? "SENT_BACK" : "CANCELLED",
        hasAnswered ? reason : "its work was rewound",
      );
    }
    this.#endWait(target, atMs);
    const attempt = this.#last.get(target);
    if (attempt === undefined) return;
    Object.assign(attempt, { ending: "REJECTED", reason, endedAtMs: attempt.endedAtMs ?? atMs });
  }

  #callOff(reason: string, atMs: number): void {
    for (const stage of [...this.#waiting.keys()]) this.#endWait(stage, atMs);
    for (const stage of this.#last.keys()) this.#end(stage, atMs, "CANCELLED", reason);
  }

  /** To wait for one's turn is no waiting: it is over in the same moment, or the pipeline stands still. */
  #beginWait(stage: number | undefined, wait: WaitTold["wait"], fromMs: number): void {
    this.#endWait(stage, fromMs);
    if (wait.kind === "turn") return;
    const told: WaitTold = { stage, fromMs, wait, untilMs: undefined };
    this.waits.push(told);
    this.#waiting.set(stage, told);
  }

  #endWait(stage: number | undefined, atMs: number): void {
    const told = this.#waiting.get(stage);
    if (told) told.untilMs = atMs;
    this.#waiting.delete(stage);
  }
}

function howRetried(
  { clarification, feedback, reason }: RecordOf<"retried">,
  attempt: AttemptTold | undefined,
): [Ending, string] {
  if (clarification) return ["ANSWERED", `answered: ${clarification.answer}`];
  const failed = feedback?.failedChecks.map(({ checkName, reason }) => `${checkName}: ${reason}`).join("; ");
  const status = attempt?.result?.status;
  return ["RETRIED", failed || reason || status?.failureReason || status?.summary || noUsableAnswer];
}
