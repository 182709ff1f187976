import { type AlignmentReport, type Governance, PressureLevel } from "@baton/contract";
import { openReport, withFindings } from "../../governance/report.ts";
import { type SelectedCheck, type Selection, selectChecks } from "../../governance/select.ts";
import { citationsOf, metaValues, outputValues, taskValues } from "../../governance/subject.ts";
import type { Draft } from "../decision/draft.ts";
import { finishChecks } from "./finish.ts";
import { attemptOf, constitutionOf, payloadOf, recordAlignment, theTask } from "./subject.ts";

/**
 * Begins to decide about the task, or about the answer of a stage that is verifying. Rules are checked first; without any, it
 * may be decided at once. The caller goes on when it is.
 */
export function beginAlignment(
  draft: Draft,
  subject: number,
  governance: Governance,
  consults: boolean,
): void {
  const constitution = constitutionOf(draft);
  const { task } = draft.state;
  const selection = selectChecks(constitution, task, governance);
  const attempt = attemptOf(draft, subject);
  const stageId = attempt ? draft.plan(subject).id : "";
  const opened = openReport(
    selection,
    constitution.digest,
    attempt && { stageId, dispatchId: attempt.sent.dispatchId },
  );
  const report = attempt
    ? { ...opened, citations: [...citationsOf(attempt.result)] }
    : withUnknown(opened, selection, constitution.asksAboutUnknown);
  recordAlignment(draft, subject, "checking", report);
  const checks = selection.checks.filter((check) => isChecked(check, subject));
  if (checks.length === 0) return finishChecks(draft, subject, [], consults);
  const { attempt: number = 0, choice } = attempt?.sent ?? {};
  const values = {
    task: taskValues(task, payloadOf(draft)),
    ...(attempt && { output: outputValues(attempt.result) }),
    meta: metaValues(selection, governance, { stage: stageId, number, pack: choice?.packId ?? "" }),
  };
  draft.command({
    type: "align",
    subject,
    dispatchId: report.dispatchId,
    checks: JSON.stringify(checks),
    values: JSON.stringify(values),
  });
}

/** Consultations are no rules; what reads the answer waits for it. */
function isChecked({ rule, on }: SelectedCheck, subject: number): boolean {
  if (rule.kind === "consultation") return false;
  return on === "both" || on === (subject === theTask ? "task" : "output");
}

/** At a level with consultations the consulted agents judge what the constitution does not know. */
function withUnknown(
  report: AlignmentReport,
  { unknown, level }: Selection,
  asksPerson: boolean,
): AlignmentReport {
  if (!asksPerson || level > PressureLevel.INSTANT) return report;
  const notes = "the constitution does not know it";
  return withFindings(
    report,
    unknown.map((principle) => ({
      ...{ principle, check: "", kind: "", severity: "", path: "", status: "ESCALATE" as const },
      notes,
    })),
  );
}
