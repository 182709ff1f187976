/**
 * The lives of a pipeline and of a stage (A §4.5).
 *
 * I1. A pipeline is COMPLETED only when all required stages are COMPLETED and all others COMPLETED or SKIPPED.
 * I2. A RUNNING pipeline has at least one stage READY or DISPATCHED.
 * I3. A stage is READY only when every stage it depends on is COMPLETED. A stage with a condition of its own decides
 *     by that condition once they have come to rest.
 * I4. A rejection puts its target to READY with the next attempt number and the evidence of the failure.
 * I5. Retries of all stages together stay within max_total_retries.
 * I6. Rejections of all stages together stay within max_rejections.
 * I7. When pipeline_deadline passes, the pipeline is PAUSED and a person is asked.
 */
export const pipelineTransitions = {
  PENDING: { start: "RUNNING" },
  RUNNING: { complete: "COMPLETED", pause: "PAUSED", fail: "FAILED" },
  PAUSED: { resume: "RUNNING", abort: "ABORTED" },
  COMPLETED: {},
  FAILED: {},
  ABORTED: {},
} as const;

/**
 * `rewind` and `reset` carry out A §4.6: the target goes through REJECTED to READY, what depends on it back to PENDING.
 * `prune` leaves out a stage that is not required: it can no longer become READY, because a dependency was skipped or its
 * condition is false; or a stage has ended the workflow with `completed` (SACP §2.1), and nothing required needs it.
 */
export const stageTransitions = {
  PENDING: { unblock: "READY", prune: "SKIPPED" },
  READY: { dispatch: "DISPATCHED", reset: "PENDING", prune: "SKIPPED" },
  DISPATCHED: {
    complete: "COMPLETED",
    retry: "DISPATCHED",
    rewind: "READY",
    reset: "PENDING",
    exhaust: "FAILED",
    skip: "SKIPPED",
    prune: "SKIPPED",
  },
  COMPLETED: { rewind: "READY", reset: "PENDING" },
  FAILED: { rewind: "READY", reset: "PENDING" },
  SKIPPED: { rewind: "READY", reset: "PENDING" },
} as const;

export type PipelineStatusName = keyof typeof pipelineTransitions;
export type StageStatusName = keyof typeof stageTransitions;

/** The events that may happen to a stage in a status, and where each leads. An illegal pair does not compile. */
export type StageEvent<From extends StageStatusName> = keyof (typeof stageTransitions)[From];
export type StageAfter<
  From extends StageStatusName,
  Event extends StageEvent<From>,
> = (typeof stageTransitions)[From][Event];

export type PipelineEvent<From extends PipelineStatusName> = keyof (typeof pipelineTransitions)[From];
export type PipelineAfter<
  From extends PipelineStatusName,
  Event extends PipelineEvent<From>,
> = (typeof pipelineTransitions)[From][Event];
