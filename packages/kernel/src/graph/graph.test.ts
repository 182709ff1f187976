import { EdgeJoin, EdgeKind, ResponseStatus, StageSchema, validate } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Run } from "../../testing/run.ts";
import { compileGraph } from "./graph.ts";
import { graphLimits } from "./limits.ts";
import type { StatusName } from "./scope.ts";
import type { WorkflowEdge, WorkflowGraph, WorkflowNode } from "./workflow-graph.ts";

function graph(
  ids: string,
  edges: readonly WorkflowEdge[],
  nodes: Partial<WorkflowNode>[] = [],
): WorkflowGraph {
  return { nodes: ids.split(" ").map((id, at) => ({ id, taskType: "code", ...nodes[at] })), edges };
}

function stagesOf(workflow: WorkflowGraph) {
  const compiled = compileGraph(workflow);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return new Map(compiled.stages.map(({ stageId, config }) => [stageId, config]));
}

function problems(workflow: WorkflowGraph) {
  const compiled = compileGraph(workflow);
  if (compiled.ok) throw new Error("the graph was taken");
  return compiled.problems.map(({ code, at, message }) => `${code} ${at}: ${message}`);
}

/** Runs a graph: the nodes that ran, in order, and whether it stopped. */
function run(workflow: WorkflowGraph, answers: Record<string, readonly [StatusName, JsonObject?]>): string {
  const compiled = compileGraph(workflow);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const given = new Run({ stages: compiled.stages });
  const ran: string[] = [];
  const next = () => compiled.order.find((id) => given.status(id) === "DISPATCHED");
  for (let id = next(); id !== undefined && given.state?.life.status === "RUNNING"; id = next()) {
    const [status, data = {}] = answers[id] ?? ["success"];
    given.answer(id, { response: { status: statuses[status], data } });
    ran.push(id);
  }
  const question = given.records.find((record) => record.type === "escalated")?.snapshot.problem;
  if (given.state?.life.status === "PAUSED") ran.push("stops");
  return question?.includes("cannot be evaluated") ? question : ran.join(" ");
}

const statuses: Readonly<Record<StatusName, ResponseStatus>> = {
  success: ResponseStatus.SUCCESS,
  failure: ResponseStatus.FAILURE,
  clarification_needed: ResponseStatus.CLARIFICATION_NEEDED,
  completed: ResponseStatus.COMPLETED,
  retry_with_instruction: ResponseStatus.RETRY_WITH_INSTRUCTION,
};

describe("a workflow graph becomes a pipeline", () => {
  const scored = graph("A B C D", [
    { from: "A", to: "B", condition: 'response.status == "success"' },
    { from: "A", to: "C", condition: 'response.status == "failure"' },
    { from: "A", to: "D", condition: "response.data.score > 0.8" },
  ]);

  it("[SAC-05] of stages in order, each with the stages it waits for", () => {
    const compiled = compileGraph(
      graph("D B A", [
        { from: "A", to: "B" },
        { from: "B", to: "D" },
      ]),
    );
    expect(compiled).toMatchObject({ ok: true, order: ["A", "B", "D"] });
    if (!compiled.ok) return;
    expect(compiled.stages.map(({ stageOrder, taskType }) => [stageOrder, taskType])).toEqual([
      [0, "code"],
      [1, "code"],
      [2, "code"],
    ]);
    expect(compiled.stages.map(({ config }) => config?.dependsOnStages)).toEqual([[], ["A"], ["B"]]);
    expect(compiled.stages.map(({ config }) => config?.required)).toEqual([true, false, false]);
    for (const stage of compiled.stages) expect(validate(StageSchema, stage)).toEqual([]);
  });

  it("[SAC-05] takes the edges of the specification's own example", () => {
    expect(run(scored, { A: ["success", { score: 0.9 }] })).toBe("A B D");
    expect(run(scored, { A: ["success", { score: 0.1 }] })).toBe("A B");
    expect(run(scored, { A: ["failure", { score: 0.9 }] })).toBe("A C");
    expect(stagesOf(scored).get("A")?.errorStageId).toBe("C");
  });

  it("[SAC-05] keeps each edge with its kind and condition, of which response is the answer of its own source", () => {
    const joined = graph(
      "A B-1 C",
      [
        { from: "A", to: "C", condition: "response.data.x == 1" },
        { from: "B-1", to: "C", kind: "error" },
      ],
      [{}, {}, { join: "all" }],
    );
    expect(stagesOf(joined).get("C")).toMatchObject({
      ...{ condition: "", join: EdgeJoin.ALL, dependsOnStages: ["A", "B-1"] },
      edges: [
        { fromStageId: "A", kind: EdgeKind.DEFAULT, condition: "response.data.x == 1" },
        { fromStageId: "B-1", kind: EdgeKind.ERROR, condition: "" },
      ],
    });
    expect(run(joined, { A: ["success", { x: 1 }], "B-1": ["failure", { x: 2 }] })).toBe("A B-1 C");
    expect(run(joined, { A: ["success", { x: 2 }], "B-1": ["failure", { x: 1 }] })).toBe("A B-1");
  });

  it("[SAC-05] proceeds to the default next node on success alone", () => {
    const chain = graph("A B", [{ from: "A", to: "B" }]);
    expect(run(chain, {})).toBe("A B");
    expect(run(chain, { A: ["completed"] })).toBe("A");
  });

  it("[SAC-05] joins when any branch arrives, or when all do", () => {
    const diamond = (join: "any" | "all") =>
      graph(
        "A B C D E",
        [
          { from: "A", to: "B", condition: "response.data.left" },
          { from: "A", to: "C", condition: "response.data.right" },
          { from: "B", to: "D" },
          { from: "C", to: "D" },
          { from: "D", to: "E" },
        ],
        [{}, {}, {}, { join }],
      );
    expect(run(diamond("any"), { A: ["success", { left: true, right: false }] })).toBe("A B D E");
    expect(run(diamond("any"), { A: ["success", { left: false, right: false }] })).toBe("A");
    expect(run(diamond("all"), { A: ["success", { left: true, right: false }] })).toBe("A B");
    expect(run(diamond("all"), { A: ["success", { left: true, right: true }] })).toBe("A B C D E");
    expect(run(diamond("any"), { A: ["success", {}] })).toContain("field not found: left");
  });

  it("[SAC-05] keeps a comment at the end of a condition to itself", () => {
    const commented = graph("A B", [{ from: "A", to: "B", condition: "response.data.ok // or not?" }]);
    expect(run(commented, { A: ["success", { ok: true }] })).toBe("A B");
  });

  it("[SAC-07] leads failure along the error edge, or stops", () => {
    const handled = graph("A B H", [
      { from: "A", to: "B" },
      { from: "A", to: "H", kind: "error" },
    ]);
    expect(run(handled, { A: ["failure"] })).toBe("A H");
    expect(run(handled, {})).toBe("A B");
    expect(run(handled, { B: ["failure"] })).toBe("A B stops");
    expect(stagesOf(handled).get("A")).toMatchObject({ errorStageId: "H", required: false });
  });

  it("[SAC-07] knows the way of failure by what its condition asks for", () => {
    const target = (condition: string) =>
      stagesOf(graph("A B", [{ from: "A", to: "B", condition }])).get("A")?.errorStageId;
    expect(target('response.status != "success"')).toBe("B");
    expect(target('response.status in ["success", "failure"]')).toBe("B");
    expect(target('response.status == "failure" && response.data.code == 7')).toBe("B");
    expect(target('response.status == "success" || response.data.code == 7')).toBe("");
    expect(target("!has(response.data.code)")).toBe("");
    expect(target("true")).toBe("");
  });

  it("[SAC-11] goes back within a bound, by condition or because the node asks", () => {
    const looped = graph("A B", [
      { from: "A", to: "B" },
      { from: "B", to: "A", kind: "back", condition: "response.data.score < 0.5", maxTimes: 3 },
      { from: "B", to: "B", kind: "back", maxTimes: 1 },
    ]);
    expect(stagesOf(looped).get("B")?.rewindEdges).toMatchObject([
      { condition: "response.data.score < 0.5", targetStageId: "A", maxTimes: 3 },
      { condition: 'response.status == "retry_with_instruction"', targetStageId: "B", maxTimes: 1 },
    ]);
    expect(stagesOf(looped).get("A")?.condition).toBe("");
  });

  it("[SAC-06] carries the input mapping and the rest of the stage's configuration", () => {
    const inputs = { names: "{{A.data.names}}", all: "{{input}}" };
    const mapped = graph(
      "A B",
      [{ from: "A", to: "B" }],
      [{}, { inputs, name: "Check", config: { required: true } }],
    );
    const compiled = compileGraph(mapped);
    expect(compiled.ok && compiled.stages[1]).toMatchObject({
      stageName: "Check",
      config: { inputMapping: inputs, required: true },
    });
  });

  it("[SAC-05] of any shape without a circle, with conditions that hold or do not, never in error", () => {
    const size = 8;
    const edge = fc.tuple(fc.nat(size - 1), fc.nat(size - 1), fc.constantFrom("default", "error"));
    const workflow = fc.array(edge, { minLength: 1, maxLength: 16 }).map((pairs): WorkflowGraph => {
      const edges = pairs
        .filter(([a, b]) => a !== b)
        .map(
          ([a, b, kind]) => ({ from: `n${Math.min(a, b)}`, to: `n${Math.max(a, b)}`, kind }) as WorkflowEdge,
        );
      // One node takes over when another fails.
      const first = edges.filter(
        ({ kind, from }, at) =>
          kind !== "error" || edges.findIndex((e) => e.kind === "error" && e.from === from) === at,
      );
      const ids = Array.from({ length: size }, (_, at) => `n${at}`);
      return { nodes: ids.map((id) => ({ id, taskType: "code" })), edges: first, entry: ids };
    });
    const answers = fc.dictionary(
      fc.constantFrom("n0", "n1", "n2", "n3"),
      fc.constantFrom(["success"], ["failure"]),
    );
    const check = fc.property(workflow, answers, (any, given) => {
      expect(run(any, given as Record<string, [StatusName]>)).not.toContain("condition");
    });
    fc.assert(check, { numRuns: Number(process.env.BATON_FUZZ_RUNS) });
  });
});

describe("a graph that cannot be right is an error at load", () => {
  it("[SAC-05] for names that are missing, doubled or unknown", () => {
    expect(problems(graph("A A", [{ from: "A", to: "B" }]))).toEqual([
      'BATON-GRAPH-009 nodes[1].id: "A" is used twice',
      'BATON-GRAPH-003 edges[0].to: there is no node "B"',
    ]);
    expect(problems({ nodes: [], edges: [] })).toEqual(["BATON-GRAPH-009 nodes: the graph has no nodes"]);
    const odd = { nodes: [{ id: "a\u0000", taskType: "" }], edges: [], entry: ["x"] };
    expect(problems(odd)).toHaveLength(3);
  });

  it("[SAC-05] for a circle that is not marked, with the way round", () => {
    const circle = graph("A B C D", [
      { from: "A", to: "B" },
      { from: "B", to: "C" },
      { from: "C", to: "D" },
      { from: "D", to: "B", kind: "error" },
    ]);
    expect(problems(circle)).toEqual([expect.stringMatching(/BATON-GRAPH-010 edges: .*B → C → D → B/)]);
    expect(problems(graph("A", [{ from: "A", to: "A" }]))).toEqual([expect.stringContaining("A → A")]);
  });

  it("[SAC-05] for a node that nothing leads to", () => {
    expect(problems(graph("A B C", [{ from: "A", to: "B" }]))).toEqual([
      'BATON-GRAPH-011 nodes[2]: nothing leads to "C"',
    ]);
    expect(problems({ ...graph("A B C", [{ from: "A", to: "B" }]), entry: ["B", "C"] })).toEqual([
      'BATON-GRAPH-011 nodes[0]: nothing leads to "A"',
    ]);
    expect(compileGraph({ ...graph("A B C", [{ from: "A", to: "B" }]), entry: ["A", "C"] }).ok).toBe(true);
  });

  it("[SAC-11] for an edge back without a bound, or that goes elsewhere", () => {
    const forward: WorkflowEdge[] = [
      { from: "A", to: "B" },
      { from: "A", to: "C" },
    ];
    const back = (edge: Partial<WorkflowEdge>) =>
      problems(graph("A B C", [...forward, { from: "B", to: "A", kind: "back", ...edge }]));
    expect(back({})).toEqual(["BATON-GRAPH-012 edges[2].maxTimes: an edge back needs a bound"]);
    for (const maxTimes of [0, 101, 1.5, Number.NaN]) expect(back({ maxTimes })[0]).toContain("is no bound");
    expect(back({ to: "C", maxTimes: 1 })).toEqual([
      'BATON-GRAPH-012 edges[2]: "C" does not come before "B"',
    ]);
    expect(problems(graph("A B", [{ from: "A", to: "B", maxTimes: 1 }]))[0]).toContain(
      "only an edge back has a bound",
    );
  });

  it("[SAC-07] for several nodes that want to take over", () => {
    const edges: WorkflowEdge[] = [
      { from: "A", to: "B", kind: "error" },
      { from: "A", to: "C", condition: 'response.status == "failure"' },
    ];
    expect(problems(graph("A B C", edges))).toEqual([
      'BATON-GRAPH-013 nodes[0]: "B", "C" all want to take over when "A" fails',
    ]);
  });

  it("[SAC-05] for conditions and mappings, each at its place", () => {
    const broken = graph(
      "A B",
      [{ from: "A", to: "B", condition: 'response.status == "sucess"' }],
      [{ inputs: { x: "{{C.data}}" } }],
    );
    expect(problems(broken)).toEqual([
      'BATON-GRAPH-006 edges[0].condition: "sucess" is not a status',
      'BATON-GRAPH-003 nodes[0].inputs.x: there is no node "C"',
    ]);
  });

  it("[SAC-06] for answers that are read before they are there", () => {
    const early = graph(
      "A B C",
      [
        { from: "A", to: "B", condition: "C.data.x == 1" },
        { from: "B", to: "C" },
      ],
      [{}, { inputs: { own: "{{B.message}}" } }, { inputs: { fine: "{{A.message}}" } }],
    );
    expect(problems(early)).toEqual([
      'BATON-GRAPH-014 edges[0].condition: "C" may not have run before "B"',
      'BATON-GRAPH-014 nodes[1].inputs: "B" may not have run before "B"',
    ]);
  });

  it("[SAC-05] for more than the limits", () => {
    const ids = Array.from({ length: graphLimits.nodes + 1 }, (_, at) => `n${at}`).join(" ");
    expect(problems(graph(ids, []))[0]).toContain("more than the 1000 that are allowed");
    const sources = Array.from({ length: 200 }, (_, at) => `n${at}`);
    const wide = graph(
      [...sources, "end"].join(" "),
      sources.map((from) => ({ from, to: "end" })),
    );
    expect(stagesOf(wide).get("end")?.edges).toHaveLength(200);
    const long = `response.data.x == "${"x".repeat(graphLimits.conditionChars)}"`;
    expect(problems(graph("A B", [{ from: "A", to: "B", condition: long }]))[0]).toContain(
      "a condition of 4117 characters is more than the 4096 that are allowed",
    );
  });
});
