/** The constitutional evidence of a Result (U §4.2) from the alignment of a run. */
import {
  type AlignmentReport,
  AlignmentVerdict,
  PolicyCheckStatus,
  type PressureReading,
} from "@baton/contract";
import { enumNames } from "../enum-names.ts";
import { pressureLevels } from "./contract-names.ts";
import type { Alignment, ConstitutionalEvidence, ResultStatus } from "./result.ts";

const verdicts = enumNames<Alignment>({
  VALID: AlignmentVerdict.VALID,
  NON_CONSTITUTIONAL: AlignmentVerdict.NON_CONSTITUTIONAL,
  ESCALATE: AlignmentVerdict.ESCALATE,
});

const checkStatuses = enumNames({
  PASS: PolicyCheckStatus.PASS,
  FAIL: PolicyCheckStatus.FAIL,
  ESCALATE: PolicyCheckStatus.ESCALATE,
});

/**
 * Every Result has an alignment. A hub without a constitution checks nothing: then there is nothing that a task violates, and the
 * evidence has no checks and no digest.
 */
export function evidenceOf(
  report: AlignmentReport | undefined,
  status: ResultStatus,
  declared: readonly PressureReading[],
): ConstitutionalEvidence {
  const {
    readings = [],
    checks = [],
    violations = [],
    citations = [],
    constitutionDigest = "",
    effectiveLevel,
    levelReason,
    cache,
  } = report ?? {};
  const stated = readings.length > 0 ? readings : declared;
  const level = effectiveLevel === undefined ? undefined : pressureLevels.name(effectiveLevel);
  return {
    alignment: alignmentOf(report, status),
    pressureReadings: Object.fromEntries(stated.map(({ principle, psi }) => [principle, psi])),
    policyChecks: checks.map(({ principle, check, kind, status, notes }) => ({
      ...{ principle, status: checkStatuses.name(status) ?? "ESCALATE", notes },
      ...given("check", check),
      ...given("kind", kind),
    })),
    violations: violations.map(({ principle, severity, evidence, check, path }) => ({
      ...{ principle, severity, evidence },
      ...given("check", check),
      ...given("path", path),
    })),
    citations: [...citations],
    cache: {
      hit: cache?.hit ?? false,
      ...given("cacheKey", cache?.cacheKey),
      ...(cache?.hit && { ageSec: Number(cache.ageSec) }),
      ...given("sourceTaskId", cache?.sourceTaskId),
      ...given("missReason", cache?.missReason),
    },
    ...given("constitutionDigest", constitutionDigest),
    ...given("effectiveLevel", level),
    ...given("levelReason", levelReason),
    ...given("decidedBy", report?.decidedBy),
    ...given("decisionReason", report?.decisionReason),
  };
}

function alignmentOf(report: AlignmentReport | undefined, status: ResultStatus): Alignment {
  const verdict = report && verdicts.name(report.verdict);
  return verdict ?? (status === "ESCALATED" ? "ESCALATE" : "VALID");
}

function given(name: string, text: string | undefined): object {
  return text === undefined || text === "" ? {} : { [name]: text };
}
