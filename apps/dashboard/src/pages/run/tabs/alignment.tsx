import {
  type AlignmentReport,
  AlignmentVerdict,
  PolicyCheckStatus,
  PressureLevel,
} from "@baton/contract/messages";
import { VisibleText } from "../../../design/visible-text.tsx";
import { Part } from "./tab.tsx";

/** Whether a task and its answer follow the constitution, with every check. */
export function Alignment({
  report,
  title = "Alignment",
}: {
  readonly report: AlignmentReport | undefined;
  readonly title?: string;
}) {
  if (!report) return null;
  const { verdict, effectiveLevel, levelReason, readings, checks, violations, citations, consultations } =
    report;
  return (
    <Part title={title}>
      <p>
        <strong>{verdictWords[verdict]}</strong>
        {report.decidedBy !== "" && `, decided by ${report.decidedBy}: `}
        {report.decidedBy !== "" && <VisibleText text={report.decisionReason} isProse />}
      </p>
      <p className="quiet">
        {levelWords[effectiveLevel]}: {levelReason}
      </p>
      <ul className="texts">
        {violations.map(({ principle, check, severity, evidence, path }) => (
          <li key={`${principle} ${check} ${path}`} className="wrap">
            <strong>{principle}</strong> violated ({severity}): <VisibleText text={evidence} isProse />
            {path !== "" && ` (${path})`}
          </li>
        ))}
        {checks
          .filter(({ status }) => status !== PolicyCheckStatus.FAIL)
          .map(({ principle, check, status, notes }) => (
            <li key={`${principle} ${check}`} className="wrap">
              <strong>{principle}</strong> {check} {checkWords[status]}
              {notes !== "" && ": "}
              {notes !== "" && <VisibleText text={notes} isProse />}
            </li>
          ))}
        {consultations.map(({ pipelineId, packId, verdict: vote, notes }) => (
          <li key={pipelineId} className="wrap">
            <strong>{packId || "a consulted agent"}</strong> {voteWords[vote]}
            {notes !== "" && ": "}
            {notes !== "" && <VisibleText text={notes} isProse />}
          </li>
        ))}
      </ul>
      {readings.length > 0 && (
        <p className="quiet">
          Pressure: {readings.map(({ principle, psi }) => `${principle} ${psi}`).join(", ")}
        </p>
      )}
      {citations.length > 0 && <p className="quiet wrap">Cites {citations.join(", ")}</p>}
    </Part>
  );
}

const verdictWords: Readonly<Record<AlignmentVerdict, string>> = {
  [AlignmentVerdict.UNSPECIFIED]: "Not decided yet",
  [AlignmentVerdict.VALID]: "Follows the constitution",
  [AlignmentVerdict.NON_CONSTITUTIONAL]: "Does not follow the constitution",
  [AlignmentVerdict.ESCALATE]: "Needs a person's decision",
};

const voteWords: Readonly<Record<AlignmentVerdict, string>> = {
  [AlignmentVerdict.UNSPECIFIED]: "has not answered",
  [AlignmentVerdict.VALID]: "agrees",
  [AlignmentVerdict.NON_CONSTITUTIONAL]: "disagrees",
  [AlignmentVerdict.ESCALATE]: "asks for a person",
};

const levelWords: Readonly<Record<PressureLevel, string>> = {
  [PressureLevel.UNSPECIFIED]: "No level",
  [PressureLevel.INSTANT]: "Rules only",
  [PressureLevel.CONSULTED]: "Consulted",
  [PressureLevel.DELIBERATED]: "Deliberated",
};

const checkWords: Readonly<Record<PolicyCheckStatus, string>> = {
  [PolicyCheckStatus.UNSPECIFIED]: "is unknown",
  [PolicyCheckStatus.PASS]: "holds",
  [PolicyCheckStatus.FAIL]: "does not hold",
  [PolicyCheckStatus.ESCALATE]: "could not be checked",
};
