/** Attempts and waits of a pipeline, folded from its records. */
import { type AgentResult, AlignmentVerdict, type TaskEnvelope } from "@baton/contract";
import {
  blockingVerdict,
  describeBlock,
  effectiveVersions,
  type GateCheckFinding,
  noUsableResult,
  type PipelineRecord,
  redactedResult,
  type Wait,
  withheldResult,
  withSeenFiles,
} from "@baton/kernel";

type RecordOf<Type extends PipelineRecord["type"]> = Extract<PipelineRecord, { type: Type }>;

export type Ending = "ACCEPTED" | "REJECTED" | "RETRIED" | "ANSWERED" | "SENT_BACK" | "FAILED" | "CANCELLED";

export interface AttemptHistory {
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
  /** A rewind went back before it or before its end. */
  setAside: boolean;
  disregarded: string[];
  /** Highest index of a turn during the attempt; -1 without turns. */
  lastTurn: number;
}

export interface WaitHistory {
  /** Undefined for the pipeline itself. */
  readonly stage: number | undefined;
  readonly fromMs: number;
  readonly wait: Wait | { readonly kind: "paused"; readonly reason: string };
  untilMs: number | undefined;
}

export function attemptHistories(records: readonly PipelineRecord[]): {
  readonly attempts: readonly AttemptHistory[];
  readonly waits: readonly WaitHistory[];
} {
  const { attempts, waits } = buildHistory(records);
  const isRewound = records.some(({ type }) => type === "restored");
  return { attempts: isRewound ? alongBranches(records, attempts) : attempts, waits };
}

function buildHistory(records: readonly PipelineRecord[]): HistoryBuilder {
  const builder = new HistoryBuilder();
  for (const record of records) builder.apply(record);
  return builder;
}

/**
 * A rewind starts a new branch of the history, in which a stage continues another attempt. Each branch is folded
 * separately up to its rewind; the newest branch that has an attempt determines its result.
 */
function alongBranches(
  records: readonly PipelineRecord[],
  all: readonly AttemptHistory[],
): readonly AttemptHistory[] {
  const histories = new Map<string, AttemptHistory>();
  const branches = records.flatMap(({ type }, index) =>
    type === "restored" ? [[...effectiveVersions(records, index), index + 1]] : [],
  );
  for (const branch of [...branches, effectiveVersions(records, records.length)]) {
    for (const previous of histories.values()) previous.setAside = true;
    const { attempts } = buildHistory(branch.flatMap((version) => records[version - 1] ?? []));
    for (const attempt of attempts) {
      const { dispatchId } = attempt.dispatch;
      const previous = histories.get(dispatchId);
      // It was running at the point of the rewind: its earlier result is superseded.
      if (!attempt.setAside || previous === undefined) histories.set(dispatchId, attempt);
    }
  }
  // Late messages belong to no branch.
  return all.map((attempt) => ({
    ...(histories.get(attempt.dispatch.dispatchId) ?? attempt),
    disregarded: attempt.disregarded,
  }));
}

/** Folds records, in order. */
class HistoryBuilder {
  readonly attempts: AttemptHistory[] = [];
  readonly waits: WaitHistory[] = [];
  readonly #last = new Map<number, AttemptHistory>();
  readonly #guarded = new Map<number, AgentResult>();
  readonly #aligning = new Map<number, AgentResult>();
  #isGoverned = false;
  readonly #waiting = new Map<number | undefined, WaitHistory>();

  apply(record: PipelineRecord): void {
    switch (record.type) {
      case "dispatched":
        this.#endWait(record.stage, record.atMs);
        return this.#begin(record);
      case "observed":
        return this.#change(record.stage, { lastTurn: record.entropy.turns.at(-1)?.turnIndex ?? -1 });
      case "received": {
        // Nobody sees an answer before the guardrails have decided.
        const { stage, guarding, atMs: receivedAtMs } = record;
        if (this.#isGoverned) {
          this.#aligning.set(stage, record.result);
          return this.#change(stage, { receivedAtMs });
        }
        if (!guarding) return this.#change(stage, { result: record.result, receivedAtMs });
        this.#guarded.set(stage, record.result);
        return this.#change(stage, { receivedAtMs });
      }
      case "created":
        this.#isGoverned = record.task.governance !== undefined;
        return;
      case "aligned":
        return this.#align(record);
      case "guarded":
        if (this.#isGoverned) return this.#guardGoverned(record);
        return this.#change(record.stage, { result: this.#passed(record) });
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
        this.#end(record.stage, record.atMs, ...retryReason(record, this.#last.get(record.stage)));
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
        return this.#cancelAll(record.reason, record.atMs);
      case "restored":
        for (const attempt of this.#last.values()) attempt.setAside ||= attempt.ending === undefined;
        return this.#cancelAll(`rewound: ${record.reason}`, record.atMs);
      default:
        return;
    }
  }

  /** A blocked answer is not aligned; of another one the texts may change before it is. */
  #guardGoverned(record: RecordOf<"guarded">): void {
    const { stage } = record;
    const result = this.#aligning.get(stage);
    if (!result) return;
    this.#guarded.set(stage, result);
    const passed = this.#passed(record);
    if (passed) this.#aligning.set(stage, passed);
    if (blockingVerdict(record.verdicts)) this.#change(stage, { result: passed });
  }

  /** Of an answer that does not follow the constitution nobody sees anything. */
  #align({ subject, phase, report }: RecordOf<"aligned">): void {
    const result = this.#aligning.get(subject);
    if (!result || phase !== "decided") return;
    this.#aligning.delete(subject);
    const isValid = report.verdict === AlignmentVerdict.VALID;
    const reason = "the answer does not follow the constitution";
    this.#change(subject, { result: isValid ? result : withheldResult(result, reason) });
  }

  #passed({ stage, verdicts, redacted }: RecordOf<"guarded">): AgentResult | undefined {
    const result = this.#guarded.get(stage);
    this.#guarded.delete(stage);
    if (!result) return undefined;
    const block = blockingVerdict(verdicts);
    if (block) return withheldResult(result, describeBlock(block));
    return redacted ? redactedResult(result, redacted) : result;
  }

  #begin(dispatch: RecordOf<"dispatched">): void {
    const attempt: AttemptHistory = {
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

  #change(stage: number, change: Partial<AttemptHistory>): void {
    const attempt = this.#last.get(stage);
    if (attempt) Object.assign(attempt, change);
  }

  #find(dispatchId: string): AttemptHistory | undefined {
    return this.attempts.find(({ dispatch }) => dispatch.dispatchId === dispatchId);
  }

  #end(stage: number, endedAtMs: number, ending: Ending, reason: string): void {
    const attempt = this.#last.get(stage);
    if (attempt && attempt.ending === undefined) Object.assign(attempt, { endedAtMs, ending, reason });
  }

  /** The target's acceptance is revoked; results below it were sent back. */
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

  #cancelAll(reason: string, atMs: number): void {
    for (const stage of [...this.#waiting.keys()]) this.#endWait(stage, atMs);
    for (const stage of this.#last.keys()) this.#end(stage, atMs, "CANCELLED", reason);
  }

  /** Waiting for its turn is not a wait: it ends at once, or the pipeline is paused. */
  #beginWait(stage: number | undefined, wait: WaitHistory["wait"], fromMs: number): void {
    this.#endWait(stage, fromMs);
    if (wait.kind === "turn") return;
    const history: WaitHistory = { stage, fromMs, wait, untilMs: undefined };
    this.waits.push(history);
    this.#waiting.set(stage, history);
  }

  #endWait(stage: number | undefined, atMs: number): void {
    const history = this.#waiting.get(stage);
    if (history) history.untilMs = atMs;
    this.#waiting.delete(stage);
  }
}

function retryReason(
  { clarification, feedback, reason }: RecordOf<"retried">,
  attempt: AttemptHistory | undefined,
): [Ending, string] {
  if (clarification) return ["ANSWERED", `answered: ${clarification.answer}`];
  const failed = feedback?.failedChecks.map(({ checkName, reason }) => `${checkName}: ${reason}`).join("; ");
  const status = attempt?.result?.status;
  return ["RETRIED", failed || reason || status?.failureReason || status?.summary || noUsableResult];
}
