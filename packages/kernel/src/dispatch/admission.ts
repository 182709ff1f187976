import type { RoutingView } from "../fleet/fleet-view.ts";
import type { AdmissionPolicy } from "./routing-policy.ts";

/** The facts of a refusal by admission (A §3.2 step 1, §5.4). */
export interface AdmissionRefusal {
  readonly breakerState: "closed" | "open" | "half-open";
  readonly breakerScope: string;
  readonly queueDepth: number;
  readonly maxQueueDepth: number;
  readonly reason: string;
}

interface AdmissionQuestion {
  readonly taskType: string;
  /** Tasks of the tenant that wait for an agent, in all its pipelines. */
  readonly queueDepth: number;
  /** Already in the queue, so admission does not apply. */
  readonly queued?: boolean;
}

/** Step 1: refuses when the queue is full or the breaker of the task type is open. */
export function admit(
  { taskType, queueDepth, queued = false }: AdmissionQuestion,
  { maxGlobalQueueDepth }: AdmissionPolicy,
  fleet: RoutingView,
  nowMs: number,
): AdmissionRefusal | undefined {
  const breakerState = fleet.breaker({ kind: "task-type", id: taskType }, nowMs);
  const isFull = !queued && queueDepth >= maxGlobalQueueDepth;
  if (!isFull && breakerState !== "open") return undefined;
  return {
    breakerState,
    breakerScope: `task type ${taskType}`,
    queueDepth,
    maxQueueDepth: maxGlobalQueueDepth,
    reason: isFull
      ? `${queueDepth} tasks wait already, and ${maxGlobalQueueDepth} may`
      : `too many tasks of type "${taskType}" failed lately`,
  };
}
