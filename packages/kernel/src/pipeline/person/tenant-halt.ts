import { CancelReason } from "@baton/contract";
import { cancelAttempt } from "../attempt/end-attempt.ts";
import { type Draft, orchestrator } from "../decision/draft.ts";
import type { Actor } from "../decision/input.ts";
import { pausePipeline } from "../stage/fail-stage.ts";
import { resume } from "./run-control.ts";

/**
 * While the tenant is stopped, every decision about a running pipeline ends with a pause and cancels all attempts. These
 * are repeated later and do not count as retries.
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

/** Resumes a pipeline that was paused with its tenant, and no other. */
export function resumeWithTenant(draft: Draft): void {
  const { life } = draft.state;
  if (draft.world.halt || life.status !== "PAUSED" || !life.halted) return;
  resume(draft, { type: "resume", reason: "the tenant works again", by: orchestrator });
}
