import { type AgentResult, ResponseStatus, type TaskEnvelope } from "@baton/contract";

/** Why an attempt was made, as far as the events before it show. */
export type Cause =
  | { readonly kind: "first" }
  | { readonly kind: "retry"; readonly previous: Attempt }
  | { readonly kind: "rejection"; readonly rejection: Rejection };

/** One dispatch, put together from the event that announced it, the envelope and the answers of its agent. */
export interface Attempt {
  readonly dispatchId: string;
  readonly stageId: string;
  readonly number: number;
  cause: Cause | undefined;
  /** What was completed when it was announced, by stage. */
  completed: ReadonlyMap<string, string>;
  envelope: TaskEnvelope | undefined;
  readonly answers: AgentResult[];
  /** The contract's tests failed when the hub ran them on its result. */
  failedTests: boolean;
}

/** A stage that was seen to go back to READY through REJECTED. */
export interface Rejection {
  readonly target: string;
  /** The last attempt of the target. */
  readonly attempt: Attempt | undefined;
  /** By stage: the attempt that was under way at that moment. */
  readonly underWay: ReadonlyMap<string, Attempt>;
  next: Attempt | undefined;
}

/** A stage that was seen to begin a further attempt of the same round. */
export interface Retry {
  readonly after: Attempt;
  next: Attempt | undefined;
}

export function newAttempt(dispatchId: string): Attempt {
  const [stageId, number] = partsOf(dispatchId);
  return {
    ...{ dispatchId, stageId, number },
    cause: undefined,
    completed: new Map(),
    envelope: undefined,
    answers: [],
    failedTests: false,
  };
}

/** `pipeline/stage/attempt`; the id of a stage may have slashes in it. */
function partsOf(dispatchId: string): readonly [stageId: string, number: number] {
  const end = dispatchId.lastIndexOf("/");
  return [dispatchId.slice(dispatchId.indexOf("/") + 1, end), Number(dispatchId.slice(end + 1))];
}

/** Whether the agent asked something instead of answering. */
export function askedForClarification({ answers }: Attempt): boolean {
  return answers.some(({ response }) => response?.status === ResponseStatus.CLARIFICATION_NEEDED);
}

/** Whether the agent sent the work back to the stage before. */
export function sentBack({ answers }: Attempt): boolean {
  return answers.some(({ response }) => response?.status === ResponseStatus.RETRY_WITH_INSTRUCTION);
}

/** Whether an answered question led to it: true, false, or undefined while the envelopes are not known. */
export function followsClarification({ after, next }: Retry): boolean | undefined {
  if (!askedForClarification(after)) return false;
  if (!next?.envelope || !after.envelope) return undefined;
  return next.envelope.clarifications.length > after.envelope.clarifications.length;
}
