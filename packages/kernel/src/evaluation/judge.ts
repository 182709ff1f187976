import { type Pipeline, PipelineStatus, type Template } from "@baton/contract";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { describeValues } from "../deciding/edges.ts";
import { evaluateCondition } from "../graph/cel/condition.ts";
import { readValues } from "../graph/cel/read-values.ts";
import type { NodeOutput } from "../graph/scope.ts";
import { validateValue } from "../json-schema/validate-value.ts";
import { type Answers, answersOf } from "./answers.ts";
import type { CompiledCase, CompiledCheck } from "./compile-checks.ts";
import type { ExpectedEnd, Finding } from "./evaluation.ts";

/** A grader that has to run before its check is decided. */
export interface Grading {
  readonly check: string;
  readonly taskType: string;
  readonly inputs: JsonObject;
}

export interface Judgement {
  /** The end of the run, then each check that needs no agent. */
  readonly findings: readonly Finding[];
  readonly gradings: readonly Grading[];
}

/** The id of the check that the run ends as expected. */
export const endCheck = "end";

/**
 * Judges a run that has ended or waits for a person, who was asked `question`. The checks of a run that did not end as expected
 * are not looked at.
 */
export function judgeRun(
  one: CompiledCase,
  run: Pipeline,
  { endStages }: Template,
  question = "",
): Judgement {
  const end = judgeEnd(one.ends, run, question);
  if (!end.passed) return { findings: [end], gradings: [] };
  const answers = answersOf(run, endStages);
  const gradings = one.checks.flatMap((check): Grading[] => {
    if (check.kind !== "grader") return [];
    const answer = answerFor(check.node, answers);
    if (!answer) return [];
    const inputs: JsonObject = {
      criteria: check.criteria,
      task: { title: one.title, inputs: one.inputs },
      answer: { status: answer.status, message: answer.message, data: answer.data },
    };
    return [{ check: check.id, taskType: check.taskType, inputs }];
  });
  return { findings: [end, ...one.checks.flatMap((check) => findingOf(check, answers) ?? [])], gradings };
}

function judgeEnd(
  expected: ExpectedEnd,
  { status, statusReason, waitsForPerson }: Pipeline,
  question: string,
): Finding {
  const end =
    waitsForPerson || status === PipelineStatus.PAUSED
      ? "waiting"
      : (PipelineStatus[status] ?? "unknown").toLowerCase();
  const why = question || statusReason;
  const because = why === "" ? "" : `: ${why}`;
  const passed = end === expected;
  return {
    check: endCheck,
    passed,
    reason: passed ? "" : `the run is ${end}, and should be ${expected}${because}`,
  };
}

/** Undefined for a check that a grader decides. */
function findingOf(check: CompiledCheck, answers: Answers): Finding | undefined {
  if (check.kind === "condition") {
    const truth = evaluateCondition(check.condition, answers);
    const values = describeValues({ values: readValues(check.condition.reads, answers) });
    const read = values.length === 0 ? "" : ` (${values.join(", ")})`;
    const reason = truth.kind === "error" ? truth.reason : `${check.condition.source} is false${read}`;
    return { check: check.id, passed: truth.kind === "true", reason: truth.kind === "true" ? "" : reason };
  }
  const answer = answerFor(check.node, answers);
  if (!answer) return { check: check.id, passed: false, reason: `node ${check.node} has not answered` };
  if (check.kind === "grader") return undefined;
  const violations = validateValue(check.schema, answer.data);
  const reason = violations
    .map(({ path, message, value }) => `data${path} ${message}${value === "" ? "" : `, and is ${value}`}`)
    .join("; ");
  return { check: check.id, passed: violations.length === 0, reason };
}

function answerFor(node: string | undefined, { nodes, response }: Answers): NodeOutput | undefined {
  return node === undefined ? response : nodes.get(node);
}

/** The verdict of a grader's run. Without `data.pass` there is none, and the check is not passed. */
export function readGrade(check: string, run: Pipeline): Finding {
  const { response } = answersOf(run, []);
  const { pass, reason } = response.data;
  const isGiven = response.status === "success" || response.status === "completed";
  if (!isGiven || typeof pass !== "boolean")
    return { check, passed: false, reason: `the grader gave no verdict: ${noVerdict(response, pass)}` };
  const stated = typeof reason === "string" && reason !== "" ? reason : response.message;
  return { check, passed: pass, reason: pass ? "" : stated || "the grader states no reason" };
}

function noVerdict({ status, message }: NodeOutput, pass: JsonValue | undefined): string {
  if (status !== "success" && status !== "completed") return message || status;
  return pass === undefined ? "its data has no `pass`" : "its data.pass is neither true nor false";
}
