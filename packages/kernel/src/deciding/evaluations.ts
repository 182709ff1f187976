import type { Label, Pipeline } from "@baton/contract/messages";
import { durationMs, timestampMs } from "@bufbuild/protobuf/wkt";

/**
 * Labels of the runs of an evaluation. The result of an evaluation is nothing but its runs: the command line and the page read
 * the same ones.
 */
export const evaluationLabels = {
  /** `case` for a run that is judged, `grading` for one of a grader. */
  kind: "evaluation",
  name: "evaluation-name",
  version: "evaluation-version",
  case: "evaluation-case",
  /** `passed` or `failed`; absent until the run is judged. */
  verdict: "evaluation-verdict",
  /** The checks that failed, as far as they fit. */
  failed: "evaluation-failed",
  /** Of a grader, the run that it grades. */
  graded: "evaluation-graded",
} as const;

/** A label holds no more. */
const labelChars = 128;

/** The label of failed checks: their ids, cut with a count. */
export function failedChecksLabel(ids: readonly string[]): string {
  const whole = ids.join(", ");
  if (whole.length <= labelChars) return whole;
  for (let count = ids.length - 1; count > 0; count--) {
    const text = `${ids.slice(0, count).join(", ")}, +${ids.length - count}`;
    if (text.length <= labelChars) return text;
  }
  return `+${ids.length}`;
}

/** A run of an evaluation. */
export interface EvaluatedRun {
  readonly runId: string;
  readonly name: string;
  readonly version: string;
  readonly caseId: string;
  /** `open`: not judged, because it is still running or the evaluation was interrupted. */
  readonly verdict: "passed" | "failed" | "open";
  readonly failedChecks: readonly string[];
  readonly costMicroUsd: number;
  readonly costUnknown: boolean;
  readonly tokens: number;
  readonly durationMs: number;
  readonly createdAtMs: number;
}

/** Undefined for a run that is no case of an evaluation. */
export function evaluatedRun(run: Pipeline): EvaluatedRun | undefined {
  const labels = new Map(run.labels.map(({ name, value }: Label) => [name, value]));
  if (labels.get(evaluationLabels.kind) !== "case") return undefined;
  const verdict = labels.get(evaluationLabels.verdict);
  const { usage, timing } = run.summary ?? {};
  return {
    runId: run.pipelineId,
    name: labels.get(evaluationLabels.name) ?? "",
    version: labels.get(evaluationLabels.version) ?? "",
    caseId: labels.get(evaluationLabels.case) ?? "",
    verdict: verdict === "passed" || verdict === "failed" ? verdict : "open",
    failedChecks: (labels.get(evaluationLabels.failed) ?? "").split(", ").filter((id) => id !== ""),
    costMicroUsd: Number(usage?.costMicroUsd ?? 0n),
    costUnknown: usage?.costUnknown ?? false,
    tokens: Number((usage?.inputTokens ?? 0n) + (usage?.outputTokens ?? 0n)),
    durationMs: timing?.duration ? durationMs(timing.duration) : 0,
    createdAtMs: run.createdAt ? timestampMs(run.createdAt) : 0,
  };
}

/** Runs together: of a version, or of a case in it. */
export interface EvaluationTotals {
  readonly runs: readonly EvaluatedRun[];
  readonly passed: number;
  readonly failed: number;
  readonly open: number;
  /** Of those that are judged, from 0 to 1; undefined without any. */
  readonly passRate: number | undefined;
  /** How often each check failed, the most frequent first. */
  readonly failedChecks: readonly (readonly [check: string, times: number])[];
  readonly costMicroUsd: number;
  readonly costUnknown: boolean;
  readonly tokens: number;
  /** Of one run, on average. */
  readonly meanMs: number;
}

export interface ComparedCase {
  readonly caseId: string;
  /** In the order of the versions. */
  readonly versions: readonly EvaluationTotals[];
}

export interface ComparedVersions {
  readonly versions: readonly { readonly version: string; readonly totals: EvaluationTotals }[];
  readonly cases: readonly ComparedCase[];
}

/** Versions of an evaluation side by side, case by case. */
export function compareVersions(
  runs: readonly EvaluatedRun[],
  versions: readonly string[],
): ComparedVersions {
  const ofVersion = versions.map((version) => runs.filter((run) => run.version === version));
  const caseIds = [...new Set(ofVersion.flat().map(({ caseId }) => caseId))].sort();
  return {
    versions: versions.map((version, at) => ({ version, totals: totalsOf(ofVersion[at] ?? []) })),
    cases: caseIds.map((caseId) => ({
      caseId,
      versions: ofVersion.map((own) => totalsOf(own.filter((run) => run.caseId === caseId))),
    })),
  };
}

/** The versions of an evaluation, the newest first. */
export function versionsOf(runs: readonly EvaluatedRun[]): readonly string[] {
  const newest = new Map<string, number>();
  for (const { version, createdAtMs } of runs)
    newest.set(version, Math.max(newest.get(version) ?? 0, createdAtMs));
  return [...newest].sort(([, a], [, b]) => b - a).map(([version]) => version);
}

function totalsOf(runs: readonly EvaluatedRun[]): EvaluationTotals {
  const count = (verdict: EvaluatedRun["verdict"]) => runs.filter((run) => run.verdict === verdict).length;
  const sum = (of: (run: EvaluatedRun) => number) => runs.reduce((total, run) => total + of(run), 0);
  const [passed, failed] = [count("passed"), count("failed")];
  const times = new Map<string, number>();
  for (const check of runs.flatMap(({ failedChecks }) => failedChecks))
    times.set(check, (times.get(check) ?? 0) + 1);
  return {
    ...{ runs, passed, failed, open: count("open") },
    passRate: passed + failed === 0 ? undefined : passed / (passed + failed),
    failedChecks: [...times].sort(([, a], [, b]) => b - a),
    costMicroUsd: sum(({ costMicroUsd }) => costMicroUsd),
    costUnknown: runs.some(({ costUnknown }) => costUnknown),
    tokens: sum(({ tokens }) => tokens),
    meanMs: runs.length === 0 ? 0 : sum((run) => run.durationMs) / runs.length,
  };
}
