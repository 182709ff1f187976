import type { UsedTool } from "@baton/contract";
import { cacheLimits } from "../../governance/cache/limits.ts";
import type { Draft } from "../decision/draft.ts";
import type { PipelineInput } from "../decision/input.ts";
import { judge } from "../review/open-review.ts";
import { loseAgent, notDelivered } from "../stage/retry.ts";
import { enforceSafety } from "./enforce-safety.ts";
import { decideGuarded } from "./guard-answer.ts";
import { stageThatSent } from "./receive-result.ts";

/** An outcome is not reused when a tool that may act on the world was used for it. */
function noteTool(draft: Draft, stage: number, tool: UsedTool | undefined): void {
  const { cache } = draft.state;
  if (!cache || !tool || cache.tools?.includes(tool.name)) return;
  if ((cache.tools?.length ?? 0) < cacheLimits.tools)
    draft.record({ type: "tool-used", stage, tool: tool.name, atMs: draft.nowMs });
}

/** Handles inputs about an active attempt; ignores those about any other. */
export function handleAttemptInput(
  draft: Draft,
  input: Extract<PipelineInput, { type: "not-delivered" | "agent-lost" | "steps" | "verified" | "guarded" }>,
): void {
  const index = stageThatSent(draft, input.dispatchId);
  const stage = index === undefined ? undefined : draft.stage(index);
  if (index === undefined || stage?.status !== "DISPATCHED") return;
  const { phase } = stage;
  if (input.type === "guarded") {
    // The command may have been executed twice.
    if (phase.kind === "verifying" && phase.guarding) decideGuarded(draft, index, phase.sent, input.guarded);
    return;
  }
  if (input.type === "verified") {
    if (phase.kind === "verifying" && !phase.guarding && !phase.aligning)
      judge(draft, { index, sent: phase.sent, result: phase.result }, input.verification);
    return;
  }
  if (phase.kind !== "sent") return;
  const { sent } = phase;
  switch (input.type) {
    case "not-delivered":
      return notDelivered(draft, index, sent, input);
    case "agent-lost":
      return loseAgent(draft, index, sent, input.reason);
    case "steps":
      noteTool(draft, index, input.tool);
      return enforceSafety(draft, index, sent, input);
  }
}
