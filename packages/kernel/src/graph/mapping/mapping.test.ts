import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { graphLimits } from "../limits.ts";
import type { NodeOutput } from "../scope.ts";
import { applyMapping, compileMapping } from "./mapping.ts";

const runs = Number(process.env.BATON_FUZZ_RUNS);
const nodes = ["node_A", "any-id", "a.b", "a", "skipped"];

function answer(data: JsonObject, message = ""): NodeOutput {
  return { status: "success", data, message, nextStepHint: "" };
}

function apply(template: JsonObject, outputs: Record<string, NodeOutput>, input: JsonObject = {}) {
  const compiled = compileMapping(template, { nodes });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const mapped = applyMapping(compiled.mapping, { nodes: new Map(Object.entries(outputs)), input });
  return mapped.ok ? mapped.inputs : `${mapped.field}: ${mapped.reason}`;
}

function problems(template: JsonObject) {
  const compiled = compileMapping(template, { nodes });
  if (compiled.ok) throw new Error("the mapping was taken");
  return compiled.problems.map(({ code, field, message }) => `${code} ${field}: ${message}`);
}

describe("data mapping", () => {
  const researcher = {
    node_A: answer(
      {
        extracted_names: ["Alice", "Bob"],
        score: 0.9,
        found: [{ name: "x" }, { name: "y" }, { name: "z" }],
        "any key": true,
      },
      "I found two.",
    ),
  };

  it("[SAC-06] passes data on as it is when the template is the whole value", () => {
    const template = {
      names: "{{node_A.data.extracted_names}}",
      score: "{{ node_A.data.score }}",
      third: "{{node_A.data.found[2].name}}",
      all: "{{node_A.data}}",
      output: "{{node_A.message}}",
      how: "{{node_A.status}}",
      odd: '{{nodes["node_A"].data["any key"]}}',
      query: "{{input.query.text}}",
    };
    expect(apply(template, researcher, { query: { text: "CEO of Acme" } })).toEqual({
      names: ["Alice", "Bob"],
      score: 0.9,
      third: "z",
      all: researcher.node_A.data,
      output: "I found two.",
      how: "success",
      odd: true,
      query: "CEO of Acme",
    });
  });

  it("[SAC-06] keeps any JSON value when the template is the whole value", () => {
    const check = fc.property(fc.jsonValue({ maxDepth: 5 }), fc.string(), (json, key) => {
      const value = JSON.parse(JSON.stringify(json)) as JsonValue;
      const data = JSON.parse(`{${JSON.stringify(key)}: ${JSON.stringify(value)}}`) as JsonObject;
      const template = { deep: [{ x: `{{node_A.data[${JSON.stringify(key)}]}}` }] };
      expect(apply(template, { node_A: answer(data) })).toEqual({ deep: [{ x: value }] });
    });
    fc.assert(check, { numRuns: runs });
  });

  it("[SAC-06] inserts strings as they are into longer text, and other values as JSON", () => {
    const template = {
      text: "Check {{node_A.data.extracted_names}}, {{node_A.data.score}}: {{node_A.message}}",
    };
    expect(apply(template, researcher)).toEqual({ text: 'Check ["Alice","Bob"], 0.9: I found two.' });
  });

  it("[SAC-06] walks objects and lists, and leaves everything else alone", () => {
    const template = { a: [{ b: ["{{node_A.data.score}}", 1, null, true] }], c: {}, d: [] };
    expect(apply(template, researcher)).toEqual({ a: [{ b: [0.9, 1, null, true] }], c: {}, d: [] });
  });

  it("[SAC-06] never reads a template out of what an agent wrote", () => {
    const outputs = { node_A: answer({ text: "{{skipped.data.secret}}", list: ["{{a.message}}"] }) };
    const template = { whole: "{{node_A.data.list}}", part: "> {{node_A.data.text}} <" };
    expect(apply(template, outputs)).toEqual({
      whole: ["{{a.message}}"],
      part: "> {{skipped.data.secret}} <",
    });
  });

  it("[SAC-06] takes braces behind a backslash for braces", () => {
    const template = { a: "\\{{node_A.data}}", b: "\\\\{{node_A.data.score}}", c: "\\n }} {", d: "\\\\\\{{" };
    expect(apply(template, researcher)).toEqual({
      a: "{{node_A.data}}",
      b: "\\0.9",
      c: "\\n }} {",
      d: "\\{{",
    });
  });

  it("[SAC-06] finds the longest id that fits", () => {
    const outputs = { "a.b": answer({ x: 1 }), a: answer({}, "short"), "any-id": answer({ y: 2 }) };
    const template = { x: "{{a.b.data.x}}", y: "{{a.message}}", z: "{{any-id.data.y}}" };
    expect(apply(template, outputs)).toEqual({ x: 1, y: "short", z: 2 });
  });

  it("[SAC-06] takes names of the prototype for data", () => {
    const data = JSON.parse('{"__proto__": 1, "constructor": 2}') as JsonObject;
    const template = JSON.parse(
      '{"__proto__": "{{node_A.data.__proto__}}", "c": "{{node_A.data.constructor}}"}',
    );
    const inputs = apply(template, { node_A: answer(data) }) as JsonObject;
    expect(Object.entries(inputs)).toEqual([
      ["__proto__", 1],
      ["c", 2],
    ]);
    expect(apply({ x: "{{node_A.data.toString}}" }, researcher)).toContain('node_A.data has no "toString"');
  });

  it.each([
    [
      "{{node_A.data.names}}",
      'node_A.data has no "names"; it has "extracted_names", "score", "found", "any key"',
    ],
    ["{{node_A.data.found[3]}}", "node_A.data.found has no element 3; it is a list of 3"],
    ["{{node_A.data.found.name}}", 'node_A.data.found has no "name"; it is a list of 3'],
    ["{{node_A.data.score.x.y}}", 'node_A.data.score has no "x"; it is a number'],
    ["{{node_A.message.length}}", 'node_A.message has no "length"; it is a string'],
    ["{{skipped.data.x}}", 'node "skipped" did not run'],
    ["{{input.q}}", 'input has no "q"; it has nothing'],
  ])("[SAC-06] says what is missing and what is there: %s", (template, reason) => {
    expect(apply({ field: [`see ${template}`] }, researcher)).toBe(`field[0]: ${template}: ${reason}`);
  });

  it("[SAC-06] bounds the inputs it makes", () => {
    const outputs = { node_A: answer({ text: "x".repeat(graphLimits.inputsChars / 2) }) };
    expect(apply({ a: "{{node_A.data.text}}" }, outputs)).toHaveProperty("a");
    const twice = apply(
      { a: "{{node_A.data.text}}", b: "{{node_A.data.text}}{{node_A.data.text}}" },
      outputs,
    );
    expect(twice).toBe(`b: the inputs would be longer than ${graphLimits.inputsChars} characters`);
    let deep: JsonValue = 1;
    for (let level = 0; level < graphLimits.inputsDepth; level++) deep = [deep];
    expect(apply({ a: "{{node_A.data.deep}}" }, { node_A: answer({ deep }) })).toContain(
      "nested deeper than",
    );
  });
});

describe("a mapping that cannot be right is an error at load", () => {
  it("[SAC-06] names every fault at once", () => {
    const template = {
      a: "{{node_B.data.x}}",
      b: ["{{node_A}}", { c: "{{node_A.thought}}" }],
      d: "{{node_A.data.x",
      e: "{{node_A.data.x | upper}}",
      f: "{{}}",
      g: '{{nodes["gone"].data}}',
    };
    expect(problems(template)).toEqual([
      'BATON-GRAPH-003 a: there is no node "node_B"',
      'BATON-GRAPH-004 b[0]: "node_A" is a whole answer',
      'BATON-GRAPH-004 b[1].c: an answer has no field "thought"; a thought is for people, not for the next agent',
      "BATON-GRAPH-008 d: a template is never closed",
      'BATON-GRAPH-008 e: the template cannot be read after "node_A.data.x"',
      "BATON-GRAPH-003 f: a template without a name",
      'BATON-GRAPH-003 g: there is no node "gone"',
    ]);
  });

  it("[SAC-06] refuses more than the limits", () => {
    let deep: JsonObject = {};
    for (let level = 0; level < graphLimits.mappingDepth; level++) deep = { a: deep };
    expect(problems(deep)).toEqual([expect.stringContaining("nested deeper than 16")]);
    const many = "{{node_A.message}}".repeat(graphLimits.mappingReferences + 1);
    expect(problems({ many })).toEqual([expect.stringContaining("more than 256 references")]);
    expect(problems({ a: "x".repeat(graphLimits.mappingChars), b: "{{", c: "{{" })).toHaveLength(1);
  });

  it("[SAC-06] reads or explains any template, and never throws", () => {
    const word = fc.constantFrom(
      "{{",
      "}}",
      "node_A",
      ".",
      "data",
      "[",
      "]",
      '"',
      "0",
      "\\",
      " ",
      "input",
      "x",
    );
    const check = fc.property(
      fc.array(word).map((words) => words.join("")),
      (text) => {
        const compiled = compileMapping({ text }, { nodes });
        if (compiled.ok) applyMapping(compiled.mapping, { nodes: new Map([["node_A", answer({ x: 1 })]]) });
        else expect(compiled.problems[0]?.fix).not.toBe("");
      },
    );
    fc.assert(check, { numRuns: runs });
  });
});
