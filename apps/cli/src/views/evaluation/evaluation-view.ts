import type { ComparedVersions, EvaluationTotals } from "@baton/kernel/deciding";
import type { Evaluation } from "@baton/kernel/evaluation";
import type { JudgedRun } from "../../evaluation/run-case.ts";
import { escapeLine } from "../../terminal/escape.ts";
import { describeMs } from "../../terminal/format.ts";
import { type Piece, paint, piece, signsOf } from "../../terminal/paint.ts";
import { type Column, type Row, renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { wrapIndented } from "../../terminal/width.ts";
import { describeCost, grouped } from "../runs/summary.ts";

export interface EvaluationResult {
  readonly evaluation: Evaluation;
  readonly version: string;
  /** The compared version, then this one. */
  readonly compared: ComparedVersions;
  readonly judged: readonly JudgedRun[];
  readonly rate: number;
}

/** A run when it is judged: its case, and what failed. */
export function renderJudged(terminal: Terminal, { caseId, run, findings }: JudgedRun): readonly string[] {
  const failed = findings.filter(({ passed }) => !passed);
  const isGood = failed.length === 0;
  const sign = isGood ? signsOf(terminal).done : signsOf(terminal).failed;
  return [
    `${paint(terminal, piece(sign, isGood ? "good" : "bad"))} ${caseId}  ${paint(terminal, piece(run.pipelineId, "quiet"))}`,
    ...failed.flatMap(({ check, reason }) =>
      wrapIndented(`    ${check}: ${escapeLine(reason)}`, terminal.columns),
    ),
  ];
}

/** Cases and versions side by side, then the sums. */
export function renderEvaluation(terminal: Terminal, result: EvaluationResult): readonly string[] {
  const { evaluation, compared, judged, rate } = result;
  const { versions, cases } = compared;
  const several = versions.length > 1;
  const of = (version: string, what: string) => (several ? `${version}: ${what}` : what);
  const columns: readonly Column[] = [
    { heading: "CASE", flexible: true },
    ...versions.flatMap(({ version }): Column[] => [
      { heading: of(version, "PASSED").toUpperCase(), right: true },
      { heading: "COST", right: true },
      { heading: "TIME", right: true, spare: true },
    ]),
    { heading: "FAILED", wraps: true },
  ];
  const rows = cases.map(({ caseId, versions: totals }): Row => row(caseId, totals));
  const sums = row(
    "all",
    versions.map(({ totals }) => totals),
    true,
  );
  return [
    "",
    paint(terminal, piece(`${evaluation.name}  ${evaluation.workflow}`, "strong")),
    "",
    ...renderTable(terminal, columns, [...rows, sums]),
    "",
    ...versions.map(({ version, totals }) => describeVersion(version, totals)),
    ...gradingLine(judged),
    describeRate(terminal, rate, evaluation.passRate),
  ];
}

function row(caseId: string, totals: readonly EvaluationTotals[], isSum = false): Row {
  const current = totals.at(-1);
  const failed = (current?.failedChecks ?? []).map(([check, times]) =>
    times > 1 ? `${check} (${times})` : check,
  );
  return [
    piece(caseId, isSum ? "strong" : "plain"),
    ...totals.flatMap((of) => [passedPiece(of), piece(costOf(of)), piece(timeOf(of))]),
    piece(failed.join(", "), "quiet"),
  ];
}

function passedPiece({ runs, passed, failed, open }: EvaluationTotals): Piece {
  if (runs.length === 0) return piece("not run", "quiet");
  const text = `${passed} of ${runs.length}`;
  if (failed > 0) return piece(text, passed === 0 ? "bad" : "asks");
  return piece(text, open > 0 ? "quiet" : "good");
}

function costOf({ costMicroUsd, costUnknown }: EvaluationTotals): string {
  return describeCost({ costMicroUsd: BigInt(costMicroUsd), costUnknown });
}

function timeOf({ runs, meanMs }: EvaluationTotals): string {
  return runs.length === 0 ? "" : describeMs(meanMs);
}

function describeVersion(version: string, totals: EvaluationTotals): string {
  const { runs, passRate, open, tokens, meanMs } = totals;
  const parts = [
    `${runs.length} ${runs.length === 1 ? "run" : "runs"}`,
    passRate === undefined ? "none judged" : `${percent(passRate)} passed`,
    open > 0 ? `${open} not judged` : "",
    tokens > 0 ? `${grouped(BigInt(tokens))} tokens` : "",
    costOf(totals),
    `${describeMs(meanMs)} each`,
  ];
  return `${version}: ${parts.filter(Boolean).join(", ")}`;
}

function gradingLine(judged: readonly JudgedRun[]): readonly string[] {
  const cost = judged.reduce((sum, { gradingMicroUsd }) => sum + gradingMicroUsd, 0);
  return cost === 0 ? [] : [`grading: ${describeCost({ costMicroUsd: BigInt(cost), costUnknown: false })}`];
}

function describeRate(terminal: Terminal, rate: number, required: number): string {
  const isEnough = rate >= required;
  const text = `${percent(rate)} passed, and ${percent(required)} ${isEnough ? "were required" : "are required"}`;
  const sign = isEnough ? signsOf(terminal).done : signsOf(terminal).failed;
  return `${paint(terminal, piece(sign, isEnough ? "good" : "bad"))} ${text}`;
}

/** Rounded down, so that 100 % are all. */
function percent(rate: number): string {
  return `${Math.floor(rate * 1_000) / 10} %`;
}

export function asLine({ caseId, run, findings, gradingMicroUsd }: JudgedRun): string {
  const verdict = findings.every(({ passed }) => passed) ? "passed" : "failed";
  return JSON.stringify({ case: caseId, runId: run.pipelineId, verdict, findings, gradingMicroUsd });
}

export function asDocument({ evaluation, version, compared, judged, rate }: EvaluationResult): string {
  const { name, workflow, passRate: requiredPassRate } = evaluation;
  return JSON.stringify({
    ...{ name, workflow, version, passRate: rate, requiredPassRate },
    runs: judged.map((one) => JSON.parse(asLine(one))),
    versions: compared.versions.map(({ version: of, totals }) => ({ version: of, ...numbersOf(totals) })),
    cases: compared.cases.map(({ caseId, versions }) => ({
      case: caseId,
      versions: versions.map(numbersOf),
    })),
  });
}

function numbersOf(totals: EvaluationTotals) {
  const { runs, failedChecks, ...numbers } = totals;
  return { ...numbers, runs: runs.length, failedChecks: Object.fromEntries(failedChecks) };
}
