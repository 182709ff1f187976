import { EdgeKind, ResponseStatus } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { Run } from "../../../testing/run.ts";
import { compileGraph } from "../../graph/graph.ts";
import type { WorkflowEdge } from "../../graph/workflow-graph.ts";
import { replay } from "../records/evolve.ts";

function started(ids: string, edges: readonly WorkflowEdge[]): Run {
  const nodes = ids.split(" ").map((id) => ({ id, taskType: "code" }));
  const compiled = compileGraph({ nodes, edges });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return new Run({ stages: compiled.stages });
}

const says = (status: ResponseStatus, data: JsonObject = {}, message = "") => ({
  response: { status, data, message },
});
const success = (data: JsonObject = {}) => says(ResponseStatus.SUCCESS, data);

describe("the decisions about edges", () => {
  const scored: readonly WorkflowEdge[] = [
    { from: "rate", to: "publish", condition: "response.data.score > 0.8 && rate.data.name != ''" },
    { from: "rate", to: "polish", condition: "response.data.score <= 0.8" },
    { from: "rate", to: "apologise", kind: "error" },
  ];

  it("[SAC-05] say which edges were taken and which not, with the values they read", () => {
    const run = started("rate publish polish apologise", scored);
    run.answer("rate", success({ score: 0.9, name: "Ada" }));
    expect(run.edges("publish")).toEqual([
      'rate → publish taken response.data.score=0.9 rate.data.name="Ada"',
    ]);
    expect(run.edges("polish")).toEqual([
      "rate → polish not taken, its condition is false response.data.score=0.9",
    ]);
    expect(run.edges("apologise")).toEqual(['rate → apologise not taken, "rate" did not fail']);
  });

  it("[SAC-05] name the reason when a condition cannot be evaluated, and what it could read", () => {
    const run = started("rate publish polish apologise", scored);
    run.answer("rate", success({ name: "Ada" }));
    expect(run.edges("publish")[0]).toMatch(
      /^rate → publish not taken, its condition cannot be evaluated: .*score.* rate.data.name="Ada"$/,
    );
  });

  it("[SAC-07] say which edge failure took", () => {
    const run = started("rate publish polish apologise", scored);
    run.answer("rate", says(ResponseStatus.FAILURE, {}, "no"));
    expect(run.edges("apologise")).toEqual(["rate → apologise taken"]);
    expect(run.edges("publish")).toEqual(['rate → publish not taken, "rate" failed']);
  });

  it("[SAC-05] say of a node that did not run that it did not", () => {
    const run = started("a b c", [
      { from: "a", to: "b", condition: "response.data.go" },
      { from: "b", to: "c" },
    ]);
    run.answer("a", success({ go: false }));
    expect(run.edges("c")).toEqual(['b → c not taken, "b" did not run']);
    expect(run.state?.stages[2]).toMatchObject({
      reason: 'the edge from "b" is not taken: "b" did not run',
    });
  });

  it("[SAC-05] summarize large values and leave out missing ones", () => {
    const condition = "size(response.data.list) > 1 && response.data.text != '' && !has(response.data.none)";
    const run = started("a b", [{ from: "a", to: "b", condition }]);
    run.answer("a", success({ list: Array.from({ length: 300 }, (_, at) => at), text: "word ".repeat(100) }));
    const values = run.state?.stages[1]?.edges?.[0]?.values;
    expect(values).toEqual({
      response: {
        data: {
          list: "a list of 300",
          text: expect.stringMatching(/^word .*… \(30\d more characters\)$/),
        },
      },
    });
  });

  it("[SAC-11] of edges back are kept round by round, with how often each was taken", () => {
    const run = started("draft check", [
      { from: "draft", to: "check" },
      { from: "check", to: "draft", kind: "back", maxTimes: 2 },
    ]);
    const again = says(ResponseStatus.RETRY_WITH_INSTRUCTION, {}, "name the date");
    run.answer("draft");
    run.answer("check", again);
    expect(run.edges("check")).toEqual(['check → draft taken response.status="retry_with_instruction"']);
    run.answer("draft");
    run.answer("check", success());
    const edges = run.state?.stages[1]?.edges ?? [];
    expect(
      edges.map(({ kind, taken, timesTaken, maxTimes, reason }) => [
        kind,
        taken,
        timesTaken,
        maxTimes,
        reason,
      ]),
    ).toEqual([
      [EdgeKind.DEFAULT, true, 0, 0, ""],
      [EdgeKind.BACK, true, 1, 2, "name the date"],
      [EdgeKind.BACK, false, 1, 2, "its condition is false"],
    ]);
  });

  it("[SAC-05] are recorded for the condition of a stage of a template too", () => {
    const run = new Run({
      stages: stages({ a: {}, b: { required: false, condition: "response.data.x == 1" } }),
    });
    run.answer("a", success({ x: 2 }));
    expect(run.edges("b")).toEqual(["a → b not taken, its condition is false response.data.x=2"]);
  });

  it("[PIP-11] are part of the state that a replay restores", () => {
    const run = started("rate publish polish apologise", scored);
    run.answer("rate", success({ score: 0.9, name: "Ada" }));
    const replayed = replay(run.records);
    expect(replayed?.stages.map(({ edges }) => edges)).toEqual(run.state?.stages.map(({ edges }) => edges));
  });
});

describe("edges of a pipeline that is submitted", () => {
  const refusal = (config: object) => {
    const given = stages({ a: {}, b: {}, c: { required: false, dependsOnStages: ["a"], ...config } });
    return new Run({ stages: given }).problem?.message ?? "accepted";
  };

  it("[SAC-05] are refused where they contradict the rest of the stage", () => {
    const edge = { fromStageId: "a" };
    expect(refusal({ edges: [edge] })).toBe("accepted");
    expect(refusal({ edges: [edge], condition: "true" })).toBe("a stage with edges has no condition");
    expect(refusal({ edges: [edge], required: true })).toBe(
      "a stage whose edges are not taken is left out, so it cannot be required",
    );
    expect(refusal({ edges: [edge, { fromStageId: "b" }] })).toBe('"b" is not among depends_on_stages');
    expect(refusal({ edges: [edge], dependsOnStages: ["a", "b"] })).toBe('no edge comes from "b"');
    expect(refusal({ join: 2 })).toBe("there are no edges to join");
    expect(refusal({ edges: [{ ...edge, condition: "response.data >" }] })).toMatch(/^not a CEL expression/);
  });
});
