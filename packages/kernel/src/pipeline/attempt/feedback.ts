import {
  type AgentResult,
  type FailedCheck,
  FailedCheckSchema,
  type ReviewFeedback,
  ReviewFeedbackSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { GateCheckFinding } from "../gate/gate.ts";
import { claimAndRun } from "../gate/notices.ts";
import type { Sent } from "../state/stage-state.ts";

/** Longer output is left out, not cut. */
const maxEvidenceChars = 65_536;

interface FeedbackParts {
  /** The stage that rejects. */
  readonly rejectedBy: string;
  /** The rejected attempt and its result. */
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

/** A failed check with its evidence. */
export function failedCheck({ name, evidence, disproved, claim, run }: GateCheckFinding): FailedCheck {
  const fits = evidence.length <= maxEvidenceChars;
  return create(FailedCheckSchema, {
    checkName: name,
    reason: fits
      ? `${name} failed`
      : `${name} failed; its output is longer than ${maxEvidenceChars} characters and left out`,
    evidence: fits ? evidence : "",
    disproved,
    ...claimAndRun({ claim, run }),
  });
}

/** The evidence of the review, for the next attempt. */
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
