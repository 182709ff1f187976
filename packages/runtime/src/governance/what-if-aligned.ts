import {
  type AgentResult,
  type AlignmentDifference,
  AlignmentDifferenceSchema,
  type AlignmentReport,
  AlignmentSubject,
} from "@baton/contract";
import {
  type CheckFinding,
  type Constitution,
  describeTrouble,
  findingFor,
  metaValues,
  openReport,
  outputValues,
  type PipelineRecord,
  type PureRule,
  type Redactor,
  runCheck,
  type SelectedCheck,
  selectChecks,
  taskValues,
  verdictOfChecks,
  withFindings,
} from "@baton/kernel";
import { create } from "@bufbuild/protobuf";

/** A decision about alignment, with the journal of its run. */
export interface PastAlignment {
  readonly pipelineId: string;
  readonly report: AlignmentReport;
  readonly records: readonly PipelineRecord[];
}

interface WhatIf {
  readonly differences: readonly AlignmentDifference[];
  /** Checks that need a program or an agent. */
  readonly notRun: readonly string[];
}

/** What the checks of another constitution would have decided about the same tasks and answers. */
export function whatIfAligned(
  past: readonly PastAlignment[],
  constitution: Constitution,
  redactor: Redactor,
): WhatIf {
  const notRun = new Set<string>();
  const differences = past.flatMap(({ pipelineId, report, records }) => {
    const created = records.find((record) => record.type === "created");
    const governance = created?.type === "created" ? created.task.governance : undefined;
    if (created?.type !== "created" || !governance) return [];
    const isTask = report.subject === AlignmentSubject.TASK;
    const answer = isTask ? undefined : answerOf(records, report.dispatchId);
    if (!isTask && !answer) return [];
    const selection = selectChecks(constitution, created.task, governance);
    const values = {
      task: taskValues(created.task, created.task.inputs ?? {}),
      ...(answer && { output: outputValues(answer.result) }),
      meta: metaValues(selection, governance, {
        ...{ stage: report.stageId, number: answer?.attempt ?? 0, pack: answer?.packId ?? "" },
      }),
    };
    const findings: CheckFinding[] = [];
    for (const check of selection.checks) {
      if (check.on !== "both" && check.on !== (isTask ? "task" : "output")) continue;
      if (check.rule.kind === "command" || check.rule.kind === "consultation") notRun.add(check.name);
      else findings.push(findingFor(check, run({ ...check, rule: check.rule }, values, redactor)));
    }
    const other = withFindings(openReport(selection, "", undefined), findings);
    const wouldBe = verdictOfChecks(other);
    const was = verdictOfChecks(report);
    if (was === wouldBe) return [];
    const reason = findings.some(({ status }) => status !== "PASS") ? describeTrouble(other) : "";
    return [create(AlignmentDifferenceSchema, { pipelineId, stageId: report.stageId, was, wouldBe, reason })];
  });
  return { differences, notRun: [...notRun] };
}

function run(
  check: SelectedCheck & { readonly rule: PureRule },
  values: Parameters<typeof runCheck>[1],
  redactor: Redactor,
): ReturnType<typeof runCheck> extends Generator<unknown, infer Found> ? Found : never {
  const work = runCheck(check, values, redactor);
  let next = work.next();
  while (!next.done) next = work.next();
  return next.value;
}

interface PastAnswer {
  readonly result: AgentResult;
  readonly attempt: number;
  readonly packId: string;
}

/** The answer of an attempt as it was received. */
function answerOf(records: readonly PipelineRecord[], dispatchId: string): PastAnswer | undefined {
  const sent = records.find((record) => record.type === "dispatched" && record.dispatchId === dispatchId);
  if (sent?.type !== "dispatched") return undefined;
  const received = records.find(
    (record) => record.type === "received" && record.result.dispatchId === dispatchId,
  );
  if (received?.type !== "received") return undefined;
  return { result: received.result, attempt: sent.attempt, packId: sent.choice.packId };
}
