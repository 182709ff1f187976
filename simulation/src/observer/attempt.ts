import { type AgentResult, ResponseStatus, type TaskEnvelope } from "@baton/contract";

/** Why an attempt was made, as far as earlier events show. */
export type Cause =
  | { readonly kind: "first" }
  | { readonly kind: "retry"; readonly previous: Attempt }
  | { readonly kind: "rejection"; readonly rejection: Rejection };

/** One dispatch, assembled from its event, its envelope and the answers of its agent. */
export interface Attempt {
  readonly dispatchId: string;
  readonly stageId: string;
  readonly number: number;
  cause: Cause | undefined;
  /** By stage: the dispatch that had completed it when this one was announced. */
  completed: ReadonlyMap<string, string>;
  envelope: TaskEnvelope | undefined;
  readonly answers: AgentResult[];
  /** Whether the contract's tests failed on its result. */
  failedTests: boolean;
}

/** A stage that returned to READY through REJECTED. */
export interface Rejection {
  readonly target: string;
  /** The last attempt of the target. */
  readonly attempt: Attempt | undefined;
  /** By stage: the attempts that were under way at that moment. */
  readonly underWay: ReadonlyMap<string, Attempt>;
  next: Attempt | undefined;
}

/** A stage that started another attempt of the same round. */
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

/** Of `pipeline/stage/attempt`; a stage id may contain slashes. */
function partsOf(dispatchId: string): readonly [stageId: string, number: number] {
  const end = dispatchId.lastIndexOf("/");
  return [dispatchId.slice(dispatchId.indexOf("/") + 1, end), Number(dispatchId.slice(end + 1))];
}

/** Whether the agent asked a question. */
export function askedForClarification({ answers }: Attempt): boolean {
  return answers.some(({ response }) => response?.status === ResponseStatus.CLARIFICATION_NEEDED);
}

/** Whether the agent sent the work back to the previous stage. */
export function sentBack({ answers }: Attempt): boolean {
  return answers.some(({ response }) => response?.status === ResponseStatus.RETRY_WITH_INSTRUCTION);
}

/** Whether it follows an answered question; undefined while the envelopes are unknown. */
export function followsClarification({ after, next }: Retry): boolean | undefined {
  if (!askedForClarification(after)) return false;
  if (!next?.envelope || !after.envelope) return undefined;
  return next.envelope.clarifications.length > after.envelope.clarifications.length;
}
