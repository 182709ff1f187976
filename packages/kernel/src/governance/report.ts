import {
  type AlignmentReport,
  AlignmentSubject,
  AlignmentVerdict,
  type AlignmentViolation,
  type Consultation,
  type PolicyCheck,
  PolicyCheckStatus,
} from "@baton/contract";
import { governanceLimits } from "./constitution.ts";
import type { RuleFinding } from "./run-check.ts";
import type { SelectedCheck, Selection } from "./select.ts";

/** A finding with the check that made it. */
export interface CheckFinding extends RuleFinding {
  readonly principle: string;
  readonly check: string;
  readonly kind: string;
  readonly severity: string;
}

export function findingFor(
  { principle, name, rule, severity }: SelectedCheck,
  finding: RuleFinding,
): CheckFinding {
  return { ...finding, notes: shortNote(finding.notes), principle, check: name, kind: rule.kind, severity };
}

export function shortNote(text: string): string {
  const { noteChars } = governanceLimits;
  return text.length <= noteChars ? text : `${text.slice(0, noteChars).toWellFormed()}…`;
}

/** A report before anything is checked. */
export function openReport(
  { readings, level, levelReason }: Selection,
  digest: string,
  about: { readonly stageId: string; readonly dispatchId: string } | undefined,
): AlignmentReport {
  return {
    $typeName: "vasini.agent.v1.AlignmentReport",
    verdict: AlignmentVerdict.UNSPECIFIED,
    subject: about ? AlignmentSubject.OUTPUT : AlignmentSubject.TASK,
    stageId: about?.stageId ?? "",
    dispatchId: about?.dispatchId ?? "",
    effectiveLevel: level,
    levelReason,
    readings: [...readings],
    checks: [],
    violations: [],
    citations: [],
    constitutionDigest: digest,
    consultations: [],
    escalationId: "",
    decidedBy: "",
    decisionReason: "",
  };
}

export function withFindings(report: AlignmentReport, findings: readonly CheckFinding[]): AlignmentReport {
  const checks = findings.map(
    ({ principle, check, kind, status, notes }): PolicyCheck => ({
      $typeName: "vasini.agent.v1.PolicyCheck",
      ...{ principle, check, kind, notes },
      status: PolicyCheckStatus[status],
    }),
  );
  const violations = findings
    .filter(({ status }) => status === "FAIL")
    .map(
      ({ principle, severity, notes, check, path }): AlignmentViolation => ({
        $typeName: "vasini.agent.v1.AlignmentViolation",
        ...{ principle, severity, check, path },
        evidence: notes,
      }),
    );
  return {
    ...report,
    checks: [...report.checks, ...checks],
    violations: [...report.violations, ...violations],
  };
}

/** What the checks alone say. */
export function verdictOfChecks({ checks, violations }: AlignmentReport): AlignmentVerdict {
  if (violations.length > 0) return AlignmentVerdict.NON_CONSTITUTIONAL;
  const isOpen = checks.some(({ status }) => status === PolicyCheckStatus.ESCALATE);
  return isOpen ? AlignmentVerdict.ESCALATE : AlignmentVerdict.VALID;
}

/**
 * What consulted agents say together. One that has no verdict, or asks for a person, makes it ESCALATE; so does a
 * disagreement, where the rule wants all votes alike.
 */
export function verdictOfQuorum(
  consultations: readonly Consultation[],
  rule: "unanimous" | "majority",
): AlignmentVerdict {
  const votes = consultations.map(({ verdict }) => verdict);
  const count = (verdict: AlignmentVerdict) => votes.filter((one) => one === verdict).length;
  if (votes.length === 0 || count(AlignmentVerdict.ESCALATE) > 0) return AlignmentVerdict.ESCALATE;
  const needed = rule === "majority" ? Math.floor(votes.length / 2) + 1 : votes.length;
  if (count(AlignmentVerdict.VALID) >= needed) return AlignmentVerdict.VALID;
  if (count(AlignmentVerdict.NON_CONSTITUTIONAL) >= needed) return AlignmentVerdict.NON_CONSTITUTIONAL;
  return AlignmentVerdict.ESCALATE;
}

/** The first thing that is wrong, for people. */
export function describeTrouble({ violations, checks, consultations }: AlignmentReport): string {
  const [violation] = violations;
  if (violation) return shortNote(`"${violation.principle}": ${violation.evidence}`);
  const open = checks.find(({ status }) => status === PolicyCheckStatus.ESCALATE);
  if (open) return shortNote(`"${open.principle}" could not be checked: ${open.notes}`);
  // Without their words, which may repeat the answer.
  const votes = consultations.map(({ packId, verdict }) => {
    const who = packId || "the consulted agent";
    return `${who} says ${(AlignmentVerdict[verdict] ?? "nothing").toLowerCase().replaceAll("_", " ")}`;
  });
  return shortNote(votes.join("; ") || "nobody could be consulted");
}

/** Of a run, from the reports about its task and its answers. */
export function combineReports(reports: readonly AlignmentReport[]): AlignmentReport | undefined {
  const [first] = reports;
  const last = reports.at(-1);
  if (!first || !last) return undefined;
  const worst = (a: AlignmentVerdict, b: AlignmentVerdict) => (order.indexOf(a) >= order.indexOf(b) ? a : b);
  return {
    ...last,
    verdict: reports.map(({ verdict }) => verdict).reduce(worst),
    checks: reports.flatMap(({ checks }) => checks),
    violations: reports.flatMap(({ violations }) => violations),
    citations: [...new Set(reports.flatMap(({ citations }) => citations))],
    consultations: reports.flatMap(({ consultations }) => consultations),
    readings: first.readings,
    decidedBy: reports.findLast(({ decidedBy }) => decidedBy !== "")?.decidedBy ?? "",
    decisionReason: reports.findLast(({ decisionReason }) => decisionReason !== "")?.decisionReason ?? "",
  };
}

/** Consulted agents may repeat in their notes what is withheld. */
export function publicReport(report: AlignmentReport): AlignmentReport {
  if (report.verdict === AlignmentVerdict.VALID || report.consultations.length === 0) return report;
  return { ...report, consultations: report.consultations.map((one) => ({ ...one, notes: "" })) };
}

const order = [
  AlignmentVerdict.VALID,
  AlignmentVerdict.UNSPECIFIED,
  AlignmentVerdict.ESCALATE,
  AlignmentVerdict.NON_CONSTITUTIONAL,
];
