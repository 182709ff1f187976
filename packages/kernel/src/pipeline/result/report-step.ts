import type { Problem } from "../../problem.ts";
import type { Draft } from "../decision/draft.ts";
import { refusal } from "../decision/refusal.ts";
import {
  type KnownStep,
  type ReportedStep,
  type StepIdentity,
  stepKey,
  stepLimits,
  stepsOf,
} from "../state/steps.ts";
import { stageThatSent } from "./receive-result.ts";

/**
 * Takes a step of an attempt (PIP-11). Only the running attempt reports: a late step changes nothing. A repeated report is
 * accepted and changes nothing either, so that usage counts once.
 */
export function reportStep(draft: Draft, dispatchId: string, step: ReportedStep): Problem | undefined {
  const index = stageThatSent(draft, dispatchId);
  const stage = index === undefined ? undefined : draft.stage(index);
  if (index === undefined || stage?.status !== "DISPATCHED" || stage.phase.kind !== "sent")
    return stepTooLate(dispatchId);
  const steps = stepsOf(draft.state, index);
  const key = stepKey(step);
  const known = steps.known.get(key);
  if (known?.dispatchId === dispatchId && isRepeated(known, step)) return undefined;
  if (known?.state === "COMPLETED") return stored(step);
  const { count, valueBytes, totalBytes } = stepLimits;
  if (!known && steps.known.size >= count)
    return beyond(`an attempt has at most ${count} steps`, "do more in one step");
  if (step.bytes > valueBytes)
    return beyond(`the value has ${step.bytes} bytes, and ${valueBytes} are allowed`, smaller);
  if (steps.bytes - (known?.bytes ?? 0) + step.bytes > totalBytes)
    return beyond(`the values of an attempt have at most ${totalBytes} bytes`, smaller);
  const isOwn = known?.dispatchId === dispatchId;
  draft.record({
    type: "stepped",
    stage: index,
    dispatchId,
    key,
    state: step.state,
    ordinal: isOwn ? known.ordinal : steps.reported + 1,
    bytes: step.bytes,
    usage: step.usage,
    atMs: draft.nowMs,
  });
  return undefined;
}

/** A report that was sent again. A step that has ended does not begin again. */
function isRepeated(known: KnownStep, { state }: ReportedStep): boolean {
  return known.state === state || known.state === "COMPLETED";
}

export function stepTooLate(dispatchId: string): Problem {
  const message = `the attempt "${dispatchId}" is over: its steps are not stored any more`;
  return refusal("BATON-STEP-001", message, "stop: the next attempt has the steps that are stored");
}

function stored({ name, occurrence }: StepIdentity): Problem {
  const message = `step "${name}" (use ${occurrence}) was completed by an earlier attempt, and stays as it is`;
  return refusal("BATON-STEP-002", message, "use the value that the envelope or ListSteps gives");
}

const smaller = "keep large content in a file or elsewhere, and return its path and digest";

function beyond(message: string, fix: string): Problem {
  return refusal("BATON-STEP-003", message, fix);
}
