import { activeAttempts, type Command, type PipelineState } from "@baton/kernel";

/** A stored command to execute. */
export interface PendingCommand {
  readonly id: number;
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly traceId: string;
  readonly command: StoredKind;
  /** Whether it may have been executed before a restart. */
  readonly again: boolean;
  /** Why the fleet refused the dispatch; it must not be sent. */
  readonly refusal?: string | undefined;
}

type StoredKind = Extract<Command, { type: (typeof storedKinds)[number] }>;

/** Commands that stay in the outbox until they complete. */
export const storedKinds = [
  "send",
  "cancel",
  "verify",
  "guard",
  "align",
  "refresh",
  "prepare-workspace",
  "release-workspace",
  "restore-branches",
  "dispatch-review",
  "withdraw-review",
  "report-review",
  "report-consultation",
  "deliver",
] as const satisfies readonly Command["type"][];

/** An attempt has begun or ended, durably. */
export interface AttemptChange {
  readonly kind: "began" | "ended";
  readonly tenantId: string;
  readonly packId: string;
  readonly instanceId: string;
  readonly dispatchId: string;
}

export function* attemptsBegun(states: Iterable<PipelineState>): Iterable<AttemptChange> {
  for (const state of states)
    for (const { sent } of activeAttempts(state)) {
      const { packId, instanceId } = sent.choice;
      yield { kind: "began", tenantId: state.tenantId, packId, instanceId, dispatchId: sent.dispatchId };
    }
}

/** A dispatch id consists of pipeline, stage and attempt. */
export function stageOf(dispatchId: string): string {
  return dispatchId.slice(pipelineOf(dispatchId).length + 1, Math.max(0, dispatchId.lastIndexOf("/")));
}

/** The task id of an attempt, as in TASK_TRANSITION and SAOP §5 `tasks.id`. */
export function taskOf(dispatchId: string): string {
  return dispatchId.slice(0, Math.max(0, dispatchId.lastIndexOf("/")));
}

/** A dispatch id begins with the id of its pipeline, which contains no slash. */
export function pipelineOf(dispatchId: string): string {
  return dispatchId.slice(0, Math.max(0, dispatchId.indexOf("/")));
}
