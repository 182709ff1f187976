import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { compileGraph } from "./graph.ts";
import { graphLimits } from "./limits.ts";

const found: JsonObject = {
  type: "object",
  properties: {
    ceo_name: { type: "string" },
    score: { type: "number" },
    sure: { type: "boolean" },
    guesses: { type: "array", items: { $ref: "#/$defs/guess" } },
    note: { type: ["string", "null"] },
    more: { type: "object", additionalProperties: { type: "string" } },
    any: true,
    either: { anyOf: [{ properties: { a: true } }, { properties: { b: true } }] },
    both: { allOf: [{ properties: { a: { type: "string" } } }, { properties: { b: { type: "number" } } }] },
  },
  $defs: { guess: { type: "object", properties: { email: { type: "string" } } } },
};

function problems(
  condition: string | undefined,
  inputs: JsonObject = {},
  dataSchema: JsonObject | undefined = found,
) {
  const compiled = compileGraph({
    nodes: [
      { id: "find", taskType: "code", dataSchema },
      { id: "check", taskType: "code", inputs },
    ],
    edges: [{ from: "find", to: "check", ...(condition !== undefined && { condition }) }],
  });
  return compiled.ok ? [] : compiled.problems.map(({ code, at, message }) => `${code} ${at}: ${message}`);
}

describe("a condition, against the schema of the data it reads", () => {
  it.each([
    "response.data.score > 0.8",
    "response.data.score + 1 >= find.data.score",
    "response.data.sure",
    "size(response.data.guesses) > 0 && response.data.guesses[0].email != ''",
    "response.data.guesses.exists(g, g.email.endsWith('.com'))",
    "response.data.note == null",
    "response.data.more.anything == 'x'",
    "response.data.any.thing[3].there > 1",
    "response.data.either.a == 1",
    "response.data.both.a == 'x' && response.data.both.b > 1",
    "response.data['score'] > 1",
    "has(response.data.ceo_name)",
  ])("[SAC-05] accepts %s", (condition) => {
    expect(problems(condition)).toEqual([]);
  });

  it.each([
    [
      "response.data.scor > 0.8",
      '004 edges[0].condition: the data has no field "scor" here: it has ceo_name, score',
    ],
    ["nodes['find'].data.scor > 0.8", '004 edges[0].condition: the data has no field "scor" here'],
    ["response.data['scor'] > 0.8", '004 edges[0].condition: the data has no field "scor" here'],
    ["response.data.score == 'high'", "005 edges[0].condition: a double never equals a string"],
    ["response.data.ceo_name > 3", "005 edges[0].condition: > does not take a string and an int"],
    ["response.data.score", "005 edges[0].condition: the condition is a double, not a boolean"],
    ["response.data.ceo_name.first == 'John'", "005 edges[0].condition: a string has no fields"],
    ["response.data.guesses.email == 'x'", "005 edges[0].condition: a list has no fields"],
    [
      "response.data.guesses[0].mail == 'x'",
      '004 edges[0].condition: the data has no field "mail" here: it has email',
    ],
    [
      "response.data.guesses.exists(g, g.mail == 'x')",
      '004 edges[0].condition: the data has no field "mail"',
    ],
    [
      "response.data.guesses.all(g, g.email > 1)",
      "005 edges[0].condition: > does not take a string and an int",
    ],
    ["response.data.both.c == 1", '004 edges[0].condition: the data has no field "c" here'],
    ["response.data.either.c == 1", '004 edges[0].condition: the data has no field "c" here'],
  ])("[SAC-05] refuses %s", (condition, problem) => {
    expect(problems(condition)).toEqual([expect.stringContaining(`BATON-GRAPH-${problem}`)]);
  });

  it("[SAC-05] says nothing of data without a schema, or with an open one", () => {
    expect(problems("response.data.x > 1", {}, {})).toEqual([]);
    expect(problems("response.data.x > 1", {}, { type: "object" })).toEqual([]);
    const open = { properties: { y: true }, additionalProperties: true };
    expect(problems("response.data.x > 1", {}, open)).toEqual([]);
    expect(problems("response.data.x > 1", {}, { ...open, additionalProperties: false })).toHaveLength(1);
    expect(problems("response.data.x > 1", {}, { $ref: "#" })).toEqual([]);
  });
});

describe("a mapping, against the schema of the data it reads", () => {
  it("[SAC-06] accepts what is there", () => {
    const inputs = {
      all: "{{find.data.guesses}}",
      first: "{{find.data.guesses[0].email}}",
      any: "{{find.data.any.x}}",
    };
    expect(problems(undefined, inputs)).toEqual([]);
  });

  it("[SAC-06] refuses a path that the schema lacks or types otherwise, each at its place", () => {
    const inputs = {
      missing: "{{find.data.gueses}}",
      deep: { list: ["for {{find.data.ceo_name.first}}"] },
      element: "{{find.data.score[0]}}",
      text: "{{find.message.length}}",
    };
    expect(problems(undefined, inputs)).toEqual([
      expect.stringMatching(
        /^BATON-GRAPH-004 nodes\[1\].inputs.missing: .*there is no "gueses" here: it has ceo_name/,
      ),
      'BATON-GRAPH-004 nodes[1].inputs.deep.list[0]: {{find.data.ceo_name.first}}: there is no "first" here: it is text',
      "BATON-GRAPH-004 nodes[1].inputs.element: {{find.data.score[0]}}: there is no element 0 here: it is a number",
      'BATON-GRAPH-004 nodes[1].inputs.text: {{find.message.length}}: there is no "length" here: it is text',
    ]);
  });
});

describe("the depth of a graph", () => {
  const chain = (length: number) => {
    const ids = Array.from({ length }, (_, at) => `n${at}`);
    const edges = ids.slice(1).map((to, at) => ({ from: `n${at}`, to }));
    return compileGraph({ nodes: ids.map((id) => ({ id, taskType: "code" })), edges });
  };

  it("[SAC-05] may be as large as its limit, and no larger", () => {
    expect(chain(graphLimits.depth).ok).toBe(true);
    expect(chain(graphLimits.depth + 1)).toMatchObject({
      problems: [
        {
          code: "BATON-GRAPH-002",
          message: "the longest path has 101 nodes, more than the 100 that are allowed",
        },
      ],
    });
  });
});
