import {
  PipelineSchema,
  PipelineStatus,
  ResponseStatus,
  type StageSchema,
  StageStatus,
  TemplateSchema,
} from "@baton/contract";
import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { readEvaluation } from "../config/evaluation.ts";
import { compileChecks } from "./compile-checks.ts";
import { judgeRun, readGrade } from "./judge.ts";

const outputSchema = { type: "object", properties: { score: { type: "number" } } };
const template = create(TemplateSchema, {
  templateId: "rated",
  stages: [{ stageId: "write" }, { stageId: "rate", config: { outputSchema } }, { stageId: "second-end" }],
  endStages: ["rate", "second-end"],
});

type StageInit = Exclude<MessageInitShape<typeof StageSchema>, { readonly $typeName: string }>;

const answered = (stageId: string, data: JsonObject, more: StageInit = {}): StageInit => ({
  ...{ stageId, status: StageStatus.COMPLETED },
  result: { response: { status: ResponseStatus.SUCCESS, message: `${stageId} is done`, data } },
  ...more,
});

const run = (stages: StageInit[], status = PipelineStatus.COMPLETED, statusReason = "") =>
  create(PipelineSchema, { pipelineId: "p-1", stages, status, statusReason });

function evaluation(more: object, checks: object[] = []) {
  const reading = readEvaluation({
    eval: { name: "e", workflow: "rated", cases: [{ id: "a", ...more }], checks },
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.evaluation;
}

function judge(checks: object[], stages: StageInit[], more: object = {}) {
  const compiled = compileChecks(evaluation(more, checks), template);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const [one] = compiled.cases;
  if (!one) throw new Error("no case");
  return judgeRun(one, run(stages), template);
}

const reasons = (judgement: ReturnType<typeof judge>) =>
  judgement.findings.filter(({ passed }) => !passed).map(({ check, reason }) => `${check}: ${reason}`);

const scored = answered("rate", { score: 0.4 }, { finishedAt: timestampFromMs(2_000) });

describe("the checks of an evaluation", () => {
  it("[SAC-05] [SAC-11] are schemas of the answer's data and conditions over the nodes, each with its reason", () => {
    const checks = [
      { id: "high", schema: { properties: { score: { minimum: 0.5 } } } },
      { id: "written", schema: { required: ["text"] }, node: "write" },
      { id: "named", condition: 'write.data.text.contains("Friday") && response.data.score > 0.5' },
      { id: "fine", condition: "response.data.score < 0.5" },
      { id: "broken", condition: "write.data.text.size() > 1 && response.data.missing == 1" },
    ];
    expect(
      reasons(judge(checks.slice(0, 4), [answered("write", { text: "Come on Friday." }), scored])),
    ).toEqual([
      "high: data.score must be at least 0.5, and is 0.4",
      'named: write.data.text.contains("Friday") && response.data.score > 0.5 is false (write.data.text = "Come on Friday.", response.data.score = 0.4)',
    ]);
    const missing = reasons(judge(checks, [answered("write", { text: "Come on Friday." }), scored]));
    expect(missing.at(-1)).toMatch(/^broken: condition .*missing/);
  });

  it("[SAC-01] read the end that was completed last, or the node that completed the workflow early", () => {
    const first = answered("second-end", { score: 0.9 }, { finishedAt: timestampFromMs(1_000) });
    const check = [{ id: "low", condition: "response.data.score == 0.4" }];
    expect(reasons(judge(check, [scored, first]))).toEqual([]);
    expect(reasons(judge(check, [first, scored]))).toEqual([]);
    const response = { status: ResponseStatus.COMPLETED, message: "enough", data: { score: 0.4 } };
    const completed = answered("write", {}, { result: { response } });
    expect(reasons(judge(check, [completed, first]))).toEqual([]);
  });

  it("[SAC-07] take a failed node as a failure, whatever it answered", () => {
    const failed = answered("write", { text: "x" }, { status: StageStatus.FAILED });
    expect(reasons(judge([{ id: "f", condition: 'write.status == "failure"' }], [failed, scored]))).toEqual(
      [],
    );
  });

  it("[SAC-05] are not looked at when the run ends otherwise, and those of every case only when it completes", () => {
    const common = [{ id: "never", condition: "false" }];
    const judged = (more: object, state: PipelineStatus, reason = "") => {
      const compiled = compileChecks(evaluation(more, common), template);
      const one = compiled.ok ? compiled.cases[0] : undefined;
      if (!one) throw new Error("no case");
      return reasons(judgeRun(one, run([scored], state, reason), template, reason));
    };
    expect(judged({}, PipelineStatus.FAILED, "no agent")).toEqual([
      "end: the run is failed, and should be completed: no agent",
    ]);
    expect(judged({ ends: "failed" }, PipelineStatus.FAILED)).toEqual([]);
    expect(judged({ ends: "waiting" }, PipelineStatus.PAUSED)).toEqual([]);
    expect(judged({ ends: "waiting" }, PipelineStatus.COMPLETED)).toHaveLength(1);
    expect(judged({}, PipelineStatus.COMPLETED)).toEqual(["never: false is false"]);
  });

  it("[SAC-10] ask a grader with the criteria, the task and the answer", () => {
    const checks = [
      { id: "polite", grader: { task_type: "grading", criteria: "It greets." }, node: "write" },
    ];
    const inputs = { to: "Ada" };
    const { findings, gradings } = judge(checks, [answered("write", { text: "Hi" }), scored], { inputs });
    expect(findings.map(({ check }) => check)).toEqual(["end"]);
    expect(gradings).toEqual([
      {
        check: "polite",
        taskType: "grading",
        inputs: {
          criteria: "It greets.",
          task: { title: "a", inputs },
          answer: { status: "success", message: "write is done", data: { text: "Hi" } },
        },
      },
    ]);
    expect(reasons(judge(checks, [scored]))).toEqual(["polite: node write has not answered"]);
  });

  it.each<[JsonObject, boolean, string]>([
    [{ pass: true }, true, ""],
    [{ pass: false, reason: "rude" }, false, "rude"],
    [{ pass: false }, false, "grade is done"],
    [{ pass: "yes" }, false, "the grader gave no verdict: its data.pass is neither true nor false"],
    [{}, false, "the grader gave no verdict: its data has no `pass`"],
  ])("[SAC-10] pass by the grader's word alone: %j", (data, passed, reason) => {
    expect(readGrade("c", run([answered("grade", data)]))).toEqual({ check: "c", passed, reason });
  });

  it("[SAC-10] do not pass when the grader fails or asks", () => {
    const failed = run([], PipelineStatus.FAILED, "the model is overloaded");
    expect(readGrade("c", failed).reason).toBe("the grader gave no verdict: the model is overloaded");
  });

  it("[SAC-05] are compiled for the nodes and schemas of the workflow, before anything runs", () => {
    const checks = [
      { id: "a", condition: "rate.data.scor > 1" },
      { id: "b", condition: "nobody.data.x == 1" },
      { id: "c", condition: "response.status" },
      { id: "d", schema: {}, node: "wrote" },
    ];
    const compiled = compileChecks(evaluation({ checks: [{ id: "e", condition: "1 +" }] }, checks), template);
    expect(compiled.ok ? [] : compiled.problems.map(({ code, at }) => `${code} ${at}`)).toEqual([
      "BATON-GRAPH-004 eval.checks[0].condition",
      "BATON-GRAPH-003 eval.checks[1].condition",
      "BATON-GRAPH-005 eval.checks[2].condition",
      "BATON-GRAPH-003 eval.checks[3].node",
      "BATON-GRAPH-001 eval.cases[0].checks[0].condition",
    ]);
  });
});

describe("the file of an evaluation", () => {
  const faults = (given: object) => {
    const reading = readEvaluation({ eval: { name: "e", workflow: "w", ...given } });
    return reading.ok ? [] : reading.problems.map(({ at, message }) => `${at} ${message}`);
  };
  const cases = [{ id: "a" }];

  it("[SAC-05] refuses checks that check nothing, two things, or nothing that can be", () => {
    expect(
      faults({
        cases,
        checks: [
          { id: "a" },
          { id: "b", condition: "true", schema: {} },
          { id: "c", schema: { type: "thing" } },
          { id: "d", condition: "true", node: "x" },
          { id: "a", condition: "true" },
        ],
      }),
    ).toEqual([
      "eval.checks[0] checks nothing",
      "eval.checks[1] checks several things",
      expect.stringMatching(/^eval\.checks\[2\]\.schema\.type /),
      "eval.checks[3].node is not for a condition, which names nodes itself",
      "eval.checks[4].id is the id of another check",
    ]);
  });

  it("[SAC-05] refuses names that are used twice, and sizes beyond the limits", () => {
    const common = { cases: [{ id: "a", checks: [{ id: "x", condition: "true" }] }, { id: "a" }] };
    expect(faults({ ...common, checks: [{ id: "x", condition: "true" }], timeout: "2d" })).toEqual([
      "eval.cases[1].id is the id of another case",
      "eval.cases[0].checks[0].id is the id of a check of every case",
      "eval.timeout must be at most 1d",
    ]);
    expect(faults({ cases: [] })).toHaveLength(1);
    expect(faults({ cases, repeat: 101 })).toHaveLength(1);
    expect(faults({ cases, concurrency: 33 })).toHaveLength(1);
    expect(faults({ cases, pass_rate: 1.1 })).toHaveLength(1);
    const many = Array.from({ length: 1_001 }, (_, at) => ({ id: `c${at}` }));
    expect(faults({ cases: many })).toHaveLength(1);
    expect(faults({ cases, checks: many.slice(0, 21) })[0]).toContain("20 items");
  });
});
