import { CancelReason } from "@baton/contract";
import { cancelAttempt } from "../attempt/end-attempt.ts";
import { type Draft, orchestrator } from "../decision/draft.ts";
import type { Actor } from "../decision/input.ts";
import { pausePipeline } from "../stage/fail-stage.ts";
import { resume } from "./run-control.ts";

/**
 * A tenant that a person has stopped: every decision about a pipeline of it that runs ends with a pause, and with a cancel for
 * every agent at work. An attempt that is cancelled so is made again later, and counts against nothing.
 */
export function pauseWithTenant(draft: Draft): void {
  const { halt } = draft.world;
  if (!halt || draft.state.life.status !== "RUNNING") return;
  const why = `the tenant was stopped: ${halt.reason}`;
  const by: Actor = { kind: "human", id: halt.by };
  pausePipeline(draft, why, { actor: by }, true);
  for (const index of draft.state.stages.keys()) {
    const stage = draft.stage(index);
    if (stage.status !== "DISPATCHED" || stage.phase.kind !== "sent") continue;
    cancelAttempt(draft, index, stage.phase.sent, CancelReason.ABORTED, why);
    draft.record({
      type: "retried",
      stage: index,
      wait: { kind: "turn" },
      feedback: undefined,
      clarification: undefined,
      uncounted: true,
      release: undefined,
      reason: why,
      atMs: draft.nowMs,
    });
  }
}

/** What was paused with the tenant goes on with it; what a person or a failure has paused does not. */
export function resumeWithTenant(draft: Draft): void {
  const { life } = draft.state;
  if (draft.world.halt || life.status !== "PAUSED" || !life.halted) return;
  resume(draft, { type: "resume", reason: "the tenant works again", by: orchestrator });
}
