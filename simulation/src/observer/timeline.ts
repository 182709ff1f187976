import type { TaskTransition } from "@baton/contract";
import { type Attempt, type Cause, newAttempt, type Rejection, type Retry } from "./attempt.ts";

interface ObservedStage {
  status: string;
  current: Attempt | undefined;
  /** The last announced attempt. */
  last: Attempt | undefined;
  /** The cause of the next attempt. */
  next: Cause;
  retry: Retry | undefined;
}

/** The attempt with which a stage finally left DISPATCHED. */
export interface Ending {
  readonly attempt: Attempt;
  readonly status: string;
}

/** The history of one pipeline, rebuilt from the events of a watcher. */
export class Timeline {
  status = "NONE";
  readonly stages = new Map<string, ObservedStage>();
  readonly attempts = new Map<string, Attempt>();
  readonly rejections: Rejection[] = [];
  readonly retries: Retry[] = [];
  readonly endings: Ending[] = [];

  attempt(dispatchId: string): Attempt {
    const known = this.attempts.get(dispatchId);
    if (known) return known;
    const attempt = newAttempt(dispatchId);
    this.attempts.set(dispatchId, attempt);
    return attempt;
  }

  /** Returns the attempt that the event announces, if any. */
  take(
    stageId: string,
    dispatchId: string,
    { fromState, toState }: Pick<TaskTransition, "fromState" | "toState">,
  ): Attempt | undefined {
    if (stageId === "") {
      this.status = toState;
      return undefined;
    }
    const stage = this.#stage(stageId);
    stage.status = toState;
    if (toState === "DISPATCHED") return this.#dispatch(stage, fromState, dispatchId);
    const { current } = stage;
    if (toState === "REJECTED") this.#reject(stageId, stage);
    else if (fromState !== "REJECTED") stage.next = { kind: "first" };
    if (current && (toState === "FAILED" || toState === "SKIPPED"))
      this.endings.push({ attempt: current, status: toState });
    stage.current = undefined;
    // A rewind to a version may restore the result of an earlier attempt.
    if (toState === "COMPLETED" && dispatchId !== "") stage.last = this.attempt(dispatchId);
    return undefined;
  }

  #dispatch(stage: ObservedStage, fromState: string, dispatchId: string): Attempt | undefined {
    if (dispatchId === "") {
      const { current: after } = stage;
      if (!after) return undefined;
      stage.retry = { after, next: undefined };
      stage.next = { kind: "retry", previous: after };
      stage.current = undefined;
      this.retries.push(stage.retry);
      return undefined;
    }
    const attempt = this.attempt(dispatchId);
    attempt.cause = stage.next;
    attempt.completed = this.#completed();
    if (fromState === "DISPATCHED" && stage.retry) stage.retry.next = attempt;
    if (stage.next.kind === "rejection") stage.next.rejection.next = attempt;
    stage.retry = undefined;
    stage.next = { kind: "first" };
    stage.current = attempt;
    stage.last = attempt;
    return attempt;
  }

  #reject(target: string, stage: ObservedStage): void {
    const underWay = new Map<string, Attempt>();
    for (const [stageId, { current }] of this.stages) if (current) underWay.set(stageId, current);
    const rejection: Rejection = { target, attempt: stage.last, underWay, next: undefined };
    this.rejections.push(rejection);
    stage.next = { kind: "rejection", rejection };
  }

  #completed(): ReadonlyMap<string, string> {
    const completed = new Map<string, string>();
    for (const [stageId, { status, last }] of this.stages)
      if (status === "COMPLETED" && last) completed.set(stageId, last.dispatchId);
    return completed;
  }

  #stage(stageId: string): ObservedStage {
    const known = this.stages.get(stageId);
    if (known) return known;
    const stage: ObservedStage = {
      ...{ status: "PENDING", current: undefined, last: undefined, retry: undefined },
      next: { kind: "first" },
    };
    this.stages.set(stageId, stage);
    return stage;
  }
}
