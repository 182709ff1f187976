import { AgentManifestSchema, EdgeKind } from "@baton/contract";
import { create, type JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { compileWorkflows } from "./compile-workflows.ts";
import { readWorkflow, type WorkflowFile } from "./workflow-file.ts";

type Node = JsonObject & { readonly id: string };

function file(
  name: string,
  nodes: readonly (string | Node)[],
  edges: readonly string[],
  more: JsonObject = {},
) {
  const reading = readWorkflow({
    workflow: {
      name,
      nodes: nodes.map((node) => (typeof node === "string" ? { id: node, task_type: "code" } : node)),
      edges: edges.map(edgeOf),
      ...more,
    },
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.workflow;
}

/** `a > b if CONDITION`, `a ! b` for an error edge, `a < b 3` for an edge back from b to a. */
function edgeOf(text: string): JsonObject {
  const [, left = "", sign, right = "", times, condition] =
    /^(\S+) ([>!<]) (\S+)(?: (\d+))?(?: if (.*))?$/.exec(text) ?? [];
  const [from, to] = sign === "<" ? [right, left] : [left, right];
  return {
    ...{ from, to },
    ...(sign === "!" && { kind: "error" }),
    ...(sign === "<" && { kind: "back", max_times: Number(times) }),
    ...(condition !== undefined && { condition }),
  };
}

const emailPack = create(AgentManifestSchema, {
  packId: "email-validator",
  packVersion: "1.0.0",
  supportedTaskTypes: ["email-validation", "other"],
  dataSchema: { type: "object", properties: { valid_email: { type: "string" } } },
});

function compile(...files: readonly WorkflowFile[]) {
  return compileWorkflows(files, { packs: [emailPack], templates: new Map(), unread: [] });
}

function problems(...files: readonly WorkflowFile[]) {
  return compile(...files).problems.map(
    ({ file: index, problem: { code, at, message } }) => `${files[index]?.name} ${code} ${at}: ${message}`,
  );
}

/** The stages as `id TYPE < edges`, with inputs. */
function stages(...files: readonly WorkflowFile[]) {
  expect(problems(...files)).toEqual([]);
  const template = compile(...files).templates.get(files[0]?.name ?? "");
  return (template?.stages ?? []).map(({ stageId, taskType, config }) => {
    const edges = (config?.edges ?? []).map(({ fromStageId, kind, condition }) => {
      const name = kind === EdgeKind.ERROR ? `!${fromStageId}` : fromStageId;
      return condition === "" ? name : `${name} if ${condition}`;
    });
    const back = (config?.rewindEdges ?? []).map(
      ({ targetStageId, maxTimes }) => `↺${targetStageId}*${maxTimes}`,
    );
    const inputs = config?.inputMapping ? [JSON.stringify(config.inputMapping)] : [];
    return [stageId, taskType, ...edges.map((edge) => `< ${edge}`), ...back, ...inputs].join(" ");
  });
}

describe("a workflow of a file", () => {
  it("[SAC-01] lets the nodes that say so end the run", () => {
    const nodes = [{ id: "a", task_type: "code", may_complete: true }, "b"];
    const { templates } = compile(file("w", nodes, ["a > b"]));
    expect(templates.get("w")?.stages.map(({ config }) => config?.mayComplete)).toEqual([true, false]);
  });

  it("[SAC-05] becomes a template whose stages carry edges, inputs and the settings of its nodes", () => {
    const email = file(
      "find-the-email",
      [
        {
          id: "researcher",
          task_type: "research",
          data_schema: { properties: { guesses: { type: "array" } } },
        },
        {
          id: "validator",
          pack: "email-validator",
          inputs: { guesses: "{{researcher.data.guesses}}" },
          ...{ budget: { max_tokens: 1000 }, timeout: "5m", risk: "LOW", retries: 0, join: "all" },
        },
      ],
      ["researcher > validator if size(response.data.guesses) > 0", "researcher < validator 2"],
      { title: "Find an email", policy: { max_rejections: 2 } },
    );
    expect(stages(email)).toEqual([
      "researcher research",
      'validator email-validation < researcher if size(response.data.guesses) > 0 ↺researcher*2 {"guesses":"{{researcher.data.guesses}}"}',
    ]);
    const template = compile(email).templates.get("find-the-email");
    expect(template).toMatchObject({
      ...{ name: "Find an email", workflow: { ends: ["validator"] }, policy: { maxRejections: 2 } },
      stages: [
        { config: { outputSchema: { properties: { guesses: { type: "array" } } } } },
        {
          config: {
            ...{ packId: "email-validator", budget: { maxTokens: 1000n }, timeout: { seconds: 300n } },
            ...{ riskTier: 1, handoffPolicy: { retry: { maxAttempts: 1 } } },
          },
        },
      ],
    });
  });

  it("[SAC-05] reports all of its problems at once, each at its place", () => {
    const broken = file(
      "broken",
      [
        { id: "a", task_type: "code", data_schema: { properties: { score: { type: "number" } } } },
        { id: "b", pack: "email-validator", inputs: { x: "{{a.data.scor}}" } },
        { id: "c", pack: "nobody" },
        "lonely",
        { id: "w", workflow: "fnd" },
      ],
      ["a > b if response.data.score == 'high'", "b > c if response.data.valid_mail != ''", "c > w", "a ! d"],
      { start: "a", ends: ["c", "x"] },
    );
    expect(problems(broken, file("find", ["a"], []))).toEqual([
      'broken BATON-GRAPH-003 workflow.ends[1]: there is no node "x"',
      'broken BATON-CONFIG-002 workflow.nodes[2].pack: no file defines pack "nobody", so its task type is unknown',
      'broken BATON-GRAPH-003 workflow.nodes[4].workflow: there is no workflow "fnd"',
      'broken BATON-GRAPH-003 workflow.edges[3].to: there is no node "d"',
    ]);
    const named = file(
      "broken",
      broken.nodes.map(({ id }) => id),
      ["a > b"],
      { start: "a" },
    );
    expect(problems(named)).toEqual(
      ["c", "lonely", "w"].map(
        (id) =>
          `broken BATON-GRAPH-011 workflow.nodes[${["a", "b", "c", "lonely", "w"].indexOf(id)}]: nothing leads to "${id}"`,
      ),
    );
  });

  it("[SAC-05] [SAC-06] checks what it reads against the schema of the node or of its pack", () => {
    const reading = file(
      "reading",
      [
        { id: "a", task_type: "code", data_schema: { properties: { score: { type: "number" } } } },
        { id: "b", pack: "email-validator", inputs: { x: "{{a.data.scor}}" } },
        "c",
      ],
      ["a > b if response.data.score == 'high'", "b > c if response.data.valid_mail != ''"],
    );
    expect(problems(reading)).toEqual([
      "reading BATON-GRAPH-005 workflow.edges[0].condition: a double never equals a string (at 1:21 of the text)",
      'reading BATON-GRAPH-004 workflow.edges[1].condition: the data has no field "valid_mail" here: it has valid_email (at 1:14 of the text)',
      'reading BATON-GRAPH-004 workflow.nodes[1].inputs.x: {{a.data.scor}}: there is no "scor" here: it has score',
    ]);
  });

  it("[SAC-05] has a name of its own among workflows and templates", () => {
    const one = file("one", ["a"], []);
    expect(problems(one, file("one", ["b"], []))).toEqual([
      'one BATON-CONFIG-002 workflow.name: "one" is the name of another workflow',
    ]);
    const templates = new Map([["one", {} as never]]);
    expect(compileWorkflows([one], { packs: [], templates, unread: [] }).problems).toHaveLength(1);
  });

  it("[SAC-05] starts where it says, and no edge leads there", () => {
    const looped = file("looped", ["a", "b", "c"], ["a > b", "c > a", "b > c"], { start: "a" });
    expect(problems(looped)[0]).toBe(
      'looped BATON-GRAPH-012 workflow.edges[1].to: "a" is the start, and this edge leads to it',
    );
  });

  it("[SAC-05] refuses a plan that cannot be, at the setting of the node", () => {
    const bad = file("bad", [{ id: "a", task_type: "code", context_propagation: { carry_risks: true } }], []);
    expect(problems(bad)).toEqual([
      "bad BATON-PIPELINE-001 workflow.nodes[0].context_propagation.carry_risks: carries nothing without a mode",
    ]);
  });
});

describe("a workflow within a workflow", () => {
  const inner = file(
    "inner",
    [
      { id: "x", task_type: "code", inputs: { q: "{{input.question}}", all: "for {{input.question}}" } },
      { id: "y", task_type: "code", inputs: { x: "{{x.data.found}}" } },
      "h",
    ],
    ["x > y if x.data.found != '' && response.data.ok", "y ! h", "x < y 2"],
    { ends: ["y"] },
  );

  it("[SAC-05] [SAC-06] stands in its place: edges lead to its start and leave its end, with its inputs", () => {
    const outer = file(
      "outer",
      [
        { id: "a", task_type: "code" },
        { id: "w", workflow: "inner", inputs: { question: "{{a.data.text}}" } },
        { id: "b", task_type: "code", inputs: { all: "{{w.data}}" } },
        "e",
      ],
      ["a > w", "w > b if w.data.score > 0.5 && response.data.ok", "w ! e", "a < w 3"],
    );
    expect(stages(outer, inner)).toEqual([
      "a code",
      'w.x code < a {"q":"{{a.data.text}}","all":"for {{a.data.text}}"}',
      'w.y code < w.x if nodes["w.x"].data.found != \'\' && response.data.ok ↺w.x*2 ↺a*3 {"x":"{{nodes[\\"w.x\\"].data.found}}"}',
      'b code < w.y if nodes["w.y"].data.score > 0.5 && response.data.ok {"all":"{{nodes[\\"w.y\\"].data}}"}',
      'w.h code < !w.y {"question":"{{a.data.text}}"}',
      "e code < !w.x < !w.h",
    ]);
  });

  it("[SAC-06] passes on the inputs of the task when its node has none", () => {
    expect(stages(file("outer", [{ id: "w", workflow: "inner" }], []), inner)[0]).toBe(
      'w.x code {"q":"{{input.question}}","all":"for {{input.question}}"}',
    );
  });

  it("[SAC-06] keeps literal braces and backslashes as they are", () => {
    const text = "\\{{q}} \\\\{{x.data.a}} {{input.a}}";
    const literal = file("literal", ["x", { id: "y", task_type: "code", inputs: { text } }], ["x > y"]);
    const outer = file("outer", [{ id: "w", workflow: "literal", inputs: { a: "\\{{z}}" } }], []);
    expect(stages(outer, literal)[1]).toContain(
      JSON.stringify({ text: '\\{{q}} \\\\{{nodes["w.x"].data.a}} \\{{z}}' }),
    );
  });

  it("[SAC-06] says which of its inputs is missing or cannot stand in a text", () => {
    const outer = (inputs: JsonObject) => file("outer", [{ id: "w", workflow: "inner", inputs }], []);
    expect(problems(outer({ other: 1 }), inner)).toEqual([
      "outer BATON-GRAPH-015 workflow.nodes[0].inputs: its workflow reads {{input.question}}, which is not among these inputs",
    ]);
    expect(problems(outer({ question: { a: 1 } }), inner)).toEqual([
      "outer BATON-GRAPH-015 workflow.nodes[0].inputs: its workflow puts {{input.question}} is an object within a text",
    ]);
  });

  it("[SAC-05] cannot be read as one node when it has several ends", () => {
    const forked = file("forked", ["x", "y", "z"], ["x > y", "x > z"]);
    const outer = file("outer", [{ id: "w", workflow: "forked" }, "b"], ["w > b if w.data.ok"]);
    expect(problems(outer, forked)).toEqual([
      'outer BATON-GRAPH-015 workflow.edges[0].condition: the workflow at "w" has several ends, so it has no single answer',
    ]);
    expect(
      stages(file("outer", [{ id: "w", workflow: "forked" }, "b"], ["w > b if response.data.ok"]), forked)[3],
    ).toBe("b code < w.y if response.data.ok < w.z if response.data.ok");
  });

  it("[SAC-05] that calls itself is an error, with the way round", () => {
    const a = file("a", [{ id: "n", workflow: "b" }], []);
    const b = file("b", [{ id: "n", workflow: "c" }], []);
    const c = file("c", [{ id: "n", workflow: "a" }], []);
    expect(problems(a, b, c)).toEqual([
      "a BATON-GRAPH-010 workflow.nodes[0].workflow: the workflow calls itself: a → b → c → a",
      "b BATON-GRAPH-010 workflow.nodes[0].workflow: the workflow calls itself: b → c → a → b",
      "c BATON-GRAPH-010 workflow.nodes[0].workflow: the workflow calls itself: c → a → b → c",
    ]);
    expect(problems(file("self", [{ id: "n", workflow: "self" }], []))).toEqual([
      "self BATON-GRAPH-010 workflow.nodes[0].workflow: the workflow calls itself: self → self",
    ]);
  });

  it("[SAC-05] may be nested 8 deep, and no deeper", () => {
    const chain = (depth: number) => [
      ...Array.from({ length: depth }, (_, at) => file(`w${at}`, [{ id: "n", workflow: `w${at + 1}` }], [])),
      file(`w${depth}`, ["x"], []),
    ];
    expect(stages(...chain(8))).toEqual([`${"n.".repeat(8)}x code`]);
    expect(problems(...chain(9))[0]).toBe(
      "w0 BATON-GRAPH-002 workflow.nodes[0].workflow: workflows are nested 9 deep, and 8 are allowed",
    );
  });

  it("[SAC-05] may have 1000 nodes with those within it, and no more", () => {
    const ids = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
    const many = file(
      "many",
      ids(100),
      ids(100)
        .slice(1)
        .map((id) => `n0 > ${id}`),
    );
    const outer = (count: number) =>
      file(
        "outer",
        ["s", ...ids(count).map((id) => ({ id, workflow: "many" }))],
        ids(count).map((id) => `s > ${id}`),
      );
    expect(stages(outer(9), many)).toHaveLength(901);
    expect(problems(outer(10), many)).toEqual([
      "outer BATON-GRAPH-002 workflow.nodes: with the workflows in it, it has more than the 1000 nodes that are allowed",
    ]);
  });

  it("[SAC-05] is not used while its own file has problems, which are reported there alone", () => {
    const bad = file("inner", ["x", "y"], ["x > y if response.data ="]);
    const outer = file("outer", [{ id: "w", workflow: "inner" }], []);
    expect(problems(outer, bad).map((text) => text.slice(0, 22))).toEqual(["inner BATON-GRAPH-001 "]);
    expect(compile(outer, bad).templates.size).toBe(0);
  });
});

describe("the file of a workflow", () => {
  const faults = (workflow: JsonObject) => {
    const reading = readWorkflow({ workflow });
    return reading.ok ? [] : reading.problems.map(({ at, message }) => `${at} ${message}`);
  };
  const work = { id: "a", task_type: "code" };

  it("[SAC-05] states who does the work of each node", () => {
    expect(faults({ name: "w", nodes: [{ id: "a" }] })).toEqual([
      "workflow.nodes[0] nothing says who does the work of this node",
    ]);
    expect(faults({ name: "w", nodes: [{ id: "a", workflow: "x", timeout: "5m", pack: "p" }] })).toEqual([
      "workflow.nodes[0].pack is not for a node that is a workflow",
      "workflow.nodes[0].timeout is not for a node that is a workflow",
    ]);
  });

  it("[SAC-05] has ids and names that conditions can use", () => {
    expect(
      faults({
        name: "a name",
        nodes: [
          { ...work, id: "a.b" },
          { ...work, id: "input" },
        ],
      }),
    ).toEqual([
      expect.stringContaining("workflow.name must be a name"),
      expect.stringContaining("workflow.nodes[0].id must be an id"),
      'workflow.nodes[1].id "input" has another meaning in conditions',
    ]);
  });

  it("[SAC-05] refuses what it does not know and schemas that are none", () => {
    const node = { ...work, data_schema: { type: "thing" }, budgett: {} };
    expect(faults({ name: "w", nodes: [node], edges: [{ from: "a", to: "a", max_times: 0 }] })).toEqual([
      "workflow.nodes[0].budgett is not known here",
      "workflow.edges[0].max_times must be a whole number from 1 to 100",
      expect.stringContaining("workflow.nodes[0].data_schema.type"),
    ]);
  });
});
