import { CancelReason, type ReviewFeedback } from "@baton/contract";
import { descendantsOf } from "../../graph/topology.ts";
import { stopStage } from "../attempt/end-attempt.ts";
import type { Draft } from "../decision/draft.ts";
import { voidQuestions } from "../decision/escalate.ts";
import type { Actor } from "../decision/input.ts";
import { inputsFor } from "./advance.ts";
import { keepOrWithdrawEnd } from "./end-early.ts";
import { hasSteps } from "./keep-steps.ts";

interface SendBackDetail {
  readonly feedback: ReviewFeedback | undefined;
  readonly counts: boolean;
  readonly edge: { readonly stage: number; readonly edge: number } | undefined;
  /** The target tries the same work again. */
  readonly continues?: boolean;
  readonly why: string;
  readonly by: Actor;
}

/**
 * Resets the target to READY and everything that depends on it to PENDING; other branches of the graph keep their
 * result. Attempts under way there are cancelled.
 */
export function sendBack(
  draft: Draft,
  target: number,
  { feedback, counts, edge, continues, why, by }: SendBackDetail,
): void {
  const below = descendantsOf(target, (node) => draft.plan(node).dependents);
  const reset = below.filter((index) => draft.stage(index).status !== "PENDING");
  for (const index of [target, ...reset]) {
    stopStage(draft, index, CancelReason.REWOUND, why);
    voidQuestions(draft, index, `rewound: ${why}`, by);
  }
  const inputs = inputsFor(draft, target);
  const { ends } = draft.state;
  draft.record({
    type: "rejected",
    target,
    inputs: inputs.ok ? inputs.inputs : undefined,
    reset,
    feedback,
    edge,
    counts,
    ...(continues && hasSteps(draft, target) && { keepsSteps: true }),
    atMs: draft.nowMs,
  });
  if (ends.length > 0) keepOrWithdrawEnd(draft);
}
