import {
  type AgentResult,
  type FailedCheck,
  FailedCheckSchema,
  type ReviewFeedback,
  ReviewFeedbackSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { claimAndRun } from "../gate/claim-and-run.ts";
import type { GateCheckFinding } from "../gate/gate.ts";
import type { Sent } from "../state/stage-state.ts";

/** What a check printed travels whole or not at all. */
const maxEvidenceChars = 65_536;

export interface FeedbackParts {
  /** The name of the stage that says no. */
  readonly rejectedBy: string;
  /** The attempt that has to be made again, and what came of it. */
  readonly sent: Sent;
  readonly result: AgentResult | undefined;
  readonly failedChecks?: readonly FailedCheck[];
  readonly instructions?: readonly string[];
}

/** Feedback for the next attempt: what failed and why, what was tried, what to do (A §4.6). */
export function feedbackFor(parts: FeedbackParts): ReviewFeedback {
  const { rejectedBy, sent, result, failedChecks = [], instructions = [] } = parts;
  return create(ReviewFeedbackSchema, {
    rejectedAttempt: sent.attempt,
    rejectedByStage: rejectedBy,
    failedChecks: [...failedChecks],
    instructions: [...instructions],
    ...(result?.contextOut && { priorContext: result.contextOut }),
  });
}

/** A check that did not hold, with what was seen. */
export function failedCheck({ name, evidence, disproved, claim, run }: GateCheckFinding): FailedCheck {
  const fits = evidence.length <= maxEvidenceChars;
  return create(FailedCheckSchema, {
    checkName: name,
    reason: fits
      ? `${name} failed`
      : `${name} failed; what it printed is longer than ${maxEvidenceChars} and left out`,
    evidence: fits ? evidence : "",
    disproved,
    ...claimAndRun({ claim, run }),
  });
}

/** What the review saw, for the attempt that has to do better. */
export function reviewCheck(reason: string, { evidence: given, status }: AgentResult): FailedCheck {
  const payload = given?.evidencePayload;
  const items = payload?.case === "items" ? payload.value.items : [];
  const lines = [status?.summary ?? "", ...items.map(({ command, output }) => `${command}: ${output}`)];
  const evidence = lines.filter((line) => line !== "").join("\n");
  return create(FailedCheckSchema, {
    checkName: "review",
    reason,
    evidence: evidence.length <= maxEvidenceChars ? evidence : "",
  });
}
