import {
  type AlignmentReport,
  AlignmentVerdict,
  AuditEventType,
  type Consultation,
  EscalationKind,
  PressureLevel,
} from "@baton/contract";
import {
  type CheckFinding,
  describeTrouble,
  publicReport,
  shortNote,
  verdictOfChecks,
  verdictOfQuorum,
  withFindings,
} from "../../governance/report.ts";
import { capabilityOf } from "../../governance/scope.ts";
import { timestampOf } from "../../times.ts";
import { reportEnded } from "../attempt/end-attempt.ts";
import { type Draft, orchestrator } from "../decision/draft.ts";
import { escalate } from "../decision/escalate.ts";
import type { Actor, InputOf } from "../decision/input.ts";
import { consultationSubmission } from "./consultation-task.ts";
import { alignmentOf, attemptOf, constitutionOf, isServed, recordAlignment, theTask } from "./subject.ts";

/** The checks are done: it is decided, agents are consulted, or a person is asked. */
export function finishChecks(
  draft: Draft,
  subject: number,
  findings: readonly CheckFinding[],
  consults: boolean,
): void {
  const alignment = alignmentOf(draft, subject);
  if (alignment?.phase !== "checking") return;
  const checked = withFindings(alignment.report, findings);
  const report = { ...checked, verdict: verdictOfChecks(checked) };
  draft.note(AuditEventType.ALIGNMENT_CHECKED, "applied the constitution", {
    ...detailOf(draft, subject, report),
    rationale: report.levelReason,
  });
  if (report.verdict !== AlignmentVerdict.VALID) return askPerson(draft, subject, report);
  if (!consults || report.effectiveLevel < PressureLevel.CONSULTED || isConsultation(draft))
    return decideAlignment(draft, subject, report, orchestrator);
  consult(draft, subject, report);
}

/** A consultation is never itself consulted about. */
function isConsultation(draft: Draft): boolean {
  return capabilityOf(draft.state.task) === constitutionOf(draft).consultation.capability;
}

function consult(draft: Draft, subject: number, report: AlignmentReport): void {
  const { packs } = constitutionOf(draft).consultation;
  const isQuorum = report.effectiveLevel >= PressureLevel.DELIBERATED;
  if (isQuorum && packs.length < 2)
    return askPerson(draft, subject, withVerdict(report, AlignmentVerdict.ESCALATE));
  const asked = isQuorum ? packs : [""];
  const consultations = asked.map((packId, number): Consultation => {
    const submission = consultationSubmission(draft, { subject, report, packId, number });
    const { dispatchId } = submission.reviewOf;
    draft.command({ type: "dispatch-review", dispatchId, submission });
    return {
      $typeName: "vasini.agent.v1.Consultation",
      ...{ pipelineId: dispatchId, packId, verdict: AlignmentVerdict.UNSPECIFIED, notes: "" },
    };
  });
  releaseAgent(draft, subject);
  recordAlignment(draft, subject, "consulting", { ...withVerdict(report, 0), consultations });
}

/** A consultation has ended. Each counts once; when all have, the quorum decides. */
export function acceptConsultation(draft: Draft, input: InputOf<"consulted">): void {
  const { subject, dispatchId, verdict, notes, packId } = input;
  const alignment = alignmentOf(draft, subject);
  if (alignment?.phase !== "consulting") return;
  const isOpen = (one: Consultation) => one.pipelineId === dispatchId && one.verdict === 0;
  if (!alignment.report.consultations.some(isOpen)) return;
  const consultations = alignment.report.consultations.map((one) =>
    isOpen(one)
      ? { ...one, packId: packId || one.packId, verdict: AlignmentVerdict[verdict], notes: shortNote(notes) }
      : one,
  );
  const report = { ...alignment.report, consultations };
  if (consultations.some((one) => one.verdict === 0))
    return recordAlignment(draft, subject, "consulting", report);
  const decided = withVerdict(
    report,
    verdictOfQuorum(consultations, constitutionOf(draft).consultation.quorumRule),
  );
  if (decided.verdict === AlignmentVerdict.VALID)
    return decideAlignment(draft, subject, decided, orchestrator);
  askPerson(draft, subject, decided);
}

function withVerdict(report: AlignmentReport, verdict: AlignmentVerdict): AlignmentReport {
  return { ...report, verdict };
}

/** The person sees the answer with the check that fired; nobody else does before the decision. */
function askPerson(draft: Draft, subject: number, report: AlignmentReport): void {
  // Nobody has to decide about an outcome of the cache: the task is executed instead.
  if (isServed(draft, subject)) return decideAlignment(draft, subject, report, orchestrator);
  const attempt = attemptOf(draft, subject);
  const what = subject === theTask ? "the task" : `the answer of stage "${draft.plan(subject).id}"`;
  const isViolation = report.verdict === AlignmentVerdict.NON_CONSTITUTIONAL;
  const problem = `${what} ${isViolation ? "violates the constitution" : "needs a decision by the constitution"}: ${describeTrouble(report)}`;
  const escalationId = escalate(draft, {
    kind: EscalationKind.ALIGNMENT,
    stage: subject === theTask ? undefined : subject,
    sent: attempt?.sent,
    snapshot: {
      problem,
      impact:
        subject === theTask ? "nothing is sent" : "the answer is withheld, and what depends on it waits",
      options: ["approve", "reject", "abort"],
      recommended: isViolation
        ? "reject, which ends the run; approve with a reason if the rule is wrong here"
        : "look at what was checked, then approve with a reason, or reject",
      blocking: true,
    },
  });
  releaseAgent(draft, subject);
  recordAlignment(draft, subject, "asking", { ...report, escalationId });
}

/** The agent is done, however long others think about its answer. */
function releaseAgent(draft: Draft, subject: number): void {
  const attempt = attemptOf(draft, subject);
  if (attempt && !isServed(draft, subject)) reportEnded(draft, subject, attempt.sent, "succeeded");
}

/** A person decided: approved is valid, with the violations and who let them pass. */
export function decideByPerson(
  draft: Draft,
  subject: number,
  approves: boolean,
  by: Actor,
  reason: string,
): void {
  const alignment = alignmentOf(draft, subject);
  if (alignment?.phase !== "asking") return;
  const verdict = approves ? AlignmentVerdict.VALID : AlignmentVerdict.NON_CONSTITUTIONAL;
  const decision = { decidedBy: by.id, decisionReason: shortNote(reason) };
  decideAlignment(draft, subject, { ...alignment.report, ...decision, verdict }, by);
}

function decideAlignment(draft: Draft, subject: number, report: AlignmentReport, by: Actor): void {
  const decided = { ...report, decidedAt: timestampOf(draft.nowMs) };
  recordAlignment(draft, subject, "decided", decided);
  const verdict = (AlignmentVerdict[decided.verdict] ?? "").toLowerCase().replaceAll("_", " ");
  draft.note(AuditEventType.ALIGNMENT_DECIDED, `alignment is ${verdict}`, {
    ...detailOf(draft, subject, decided),
    actor: by,
    rationale: decided.decisionReason || (decided.violations.length > 0 ? describeTrouble(decided) : ""),
  });
}

function detailOf(draft: Draft, subject: number, report: AlignmentReport) {
  const sent = attemptOf(draft, subject)?.sent;
  return {
    ...(subject !== theTask && { stage: subject }),
    ...(sent && { sent }),
    snapshot: { case: "alignment", value: publicReport(report) } as const,
  };
}
