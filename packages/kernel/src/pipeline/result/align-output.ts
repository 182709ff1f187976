import { type AgentResult, AlignmentVerdict, Outcome } from "@baton/contract";
import { describeTrouble } from "../../governance/report.ts";
import { withheldResult } from "../../guardrails/answer.ts";
import { beginAlignment } from "../alignment/begin.ts";
import { acceptConsultation, decideByPerson, finishChecks } from "../alignment/finish.ts";
import { alignmentOf, attemptOf, governanceOf, isServed, theTask } from "../alignment/subject.ts";
import { reportOverturned } from "../attempt/end-attempt.ts";
import type { Draft } from "../decision/draft.ts";
import type { Actor, InputOf } from "../decision/input.ts";
import { releaseAligned } from "../stage/align-task.ts";
import { continueServed } from "../stage/answer-from-cache.ts";
import { failStageForGood } from "../stage/fail-stage.ts";
import { startStage } from "../stage/start-stage.ts";
import type { Sent } from "../state/stage-state.ts";
import { acceptResult, reportOverspending } from "./accept-result.ts";
import { findDataViolations } from "./check-data.ts";

/** Continues with an answer that has passed the guardrails: of a governed task it has to follow the constitution first. */
export function alignResult(draft: Draft, index: number, sent: Sent, result: AgentResult): void {
  const governance = governanceOf(draft);
  if (!governance) return acceptResult(draft, index, sent, result);
  beginAlignment(draft, index, governance, isWorthConsulting(sent, result));
  continueIfDecided(draft, index);
}

/** Agents are not consulted about an answer that is refused anyway. */
function isWorthConsulting(sent: Sent, result: AgentResult): boolean {
  const outcome = result.status?.outcome;
  const isAnswer = outcome === Outcome.SUCCESS || outcome === Outcome.PARTIAL;
  return isAnswer && findDataViolations(sent, result).length === 0;
}

export function acceptChecks(
  draft: Draft,
  { subject, dispatchId, findings }: InputOf<"alignment-checked">,
): void {
  // The command may have been executed twice, or its attempt be over.
  if (alignmentOf(draft, subject)?.report.dispatchId !== dispatchId) return;
  const attempt = attemptOf(draft, subject);
  if (subject !== theTask && attempt?.sent.dispatchId !== dispatchId) return;
  finishChecks(draft, subject, findings, !attempt || isWorthConsulting(attempt.sent, attempt.result));
  continueIfDecided(draft, subject);
}

export function acceptConsulted(draft: Draft, input: InputOf<"consulted">): void {
  acceptConsultation(draft, input);
  continueIfDecided(draft, input.subject);
}

/** A person answered the question about the task, or about the answer of a stage. */
export function answerAlignment(
  draft: Draft,
  subject: number,
  approves: boolean,
  by: Actor,
  reason: string,
): void {
  decideByPerson(draft, subject, approves, by, reason);
  continueIfDecided(draft, subject);
}

function continueIfDecided(draft: Draft, subject: number): void {
  const alignment = alignmentOf(draft, subject);
  if (alignment?.phase !== "decided") return;
  if (subject === theTask) return releaseAligned(draft, startStage);
  const attempt = attemptOf(draft, subject);
  if (!attempt || attempt.sent.dispatchId !== alignment.report.dispatchId) return;
  if (isServed(draft, subject)) return continueServed(draft, subject);
  const { sent, result } = attempt;
  if (alignment.report.verdict === AlignmentVerdict.VALID) return acceptResult(draft, subject, sent, result);
  const reason = `the answer does not follow the constitution: ${describeTrouble(alignment.report)}`;
  reportOverspending(draft, subject, sent, result);
  reportOverturned(draft, sent, reason);
  const withheld = withheldResult(result, reason);
  failStageForGood(draft, subject, { code: "NON_CONSTITUTIONAL", reason, result: withheld });
}
