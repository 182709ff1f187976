import type { JsonObject } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { graphLimits } from "../limits.ts";
import { type NodeOutput, type Scope, statusNames } from "../scope.ts";
import { compileCondition, evaluateCondition } from "./condition.ts";

const runs = Number(process.env.BATON_FUZZ_RUNS);
const nodes = ["node_A", "any-id", "skipped", "response"];

function answer(data: JsonObject = {}, rest: Partial<NodeOutput> = {}): NodeOutput {
  return { status: "success", data, message: "all done", nextStepHint: "", ...rest };
}

function compiled(source: string) {
  const result = compileCondition(source, { nodes });
  if (!result.ok) throw new Error(`${result.problem.code} ${result.problem.message}`);
  return result.condition;
}

function truth(source: string, response: NodeOutput = answer(), others: Record<string, NodeOutput> = {}) {
  const scope: Scope = { response, nodes: new Map(Object.entries(others)) };
  const result = evaluateCondition(compiled(source), scope);
  return result.kind === "error" ? result.reason : result.kind === "true";
}

function problemOf(source: string) {
  const result = compileCondition(source, { nodes });
  if (result.ok) throw new Error(`${source} was taken`);
  const { code, message, fix, position: place } = result.problem;
  return { code, message, fix, at: `${place?.line}:${place?.column}` };
}

describe("conditions", () => {
  it.each([
    ['response.status == "success"', true],
    ['response.status == "failure"', false],
    ["response.data.score > 0.8", true],
    ["response.data.score > 0.8 && response.data.names.size() == 2", true],
    ['response.status in ["success", "completed"]', true],
    ['response.data.names.exists(name, name == "Bob")', true],
    ['response.data.names.filter(name, name.startsWith("A")).size() == 1', true],
    ["response.data.found.map(f, f.line).exists(line, line == 7)", true],
    ['response.message.contains("done")', true],
    ['response.message.matches("^all [a-z]+$")', true],
    ['response.data["any key"] == null', true],
    ["has(response.next_step_hint)", false],
    ["response.data.ok ? response.data.score < 1 : false", true],
  ])("[SAC-05] %s", (source, expected) => {
    const data = { score: 0.9, names: ["Alice", "Bob"], found: [{ line: 7 }], "any key": null, ok: true };
    expect(truth(source, answer(data))).toBe(expected);
  });

  it("[SAC-05] read other nodes by name, or by any id", () => {
    const others = { node_A: answer({ score: 2 }), "any-id": answer({}, { status: "failure" }) };
    expect(truth("node_A.data.score == 2", answer(), others)).toBe(true);
    expect(truth('nodes["any-id"].status == "failure"', answer(), others)).toBe(true);
    expect(truth("nodes.node_A.data.score == 2", answer(), others)).toBe(true);
    expect(
      truth('nodes["response"].message == "mine"', answer(), { response: answer({}, { message: "mine" }) }),
    ).toBe(true);
  });

  it("[SAC-05] can ask whether a node ran, and are in error when they read one that did not", () => {
    expect(truth("skipped.ran")).toBe(false);
    expect(truth('skipped.ran && skipped.status == "success"')).toBe(false);
    expect(truth('skipped.status == "success" && skipped.ran')).toBe(false);
    expect(truth('skipped.status == "success"')).toContain('node "skipped" did not run');
  });

  it("[SAC-05] mix whole numbers with the doubles of JSON", () => {
    const data = { n: 7 };
    expect(truth("response.data.n + 1 == 8 && 1 + response.data.n == 8", answer(data))).toBe(true);
    expect(truth("response.data.n * 2 - 1 == 13.0 && response.data.n / 2 == 3.5", answer(data))).toBe(true);
    expect(truth("response.data.n % 2 == 1 && 7 / 2 == 3", answer(data))).toBe(true);
  });

  it("[SAC-05] take names of the prototype, null and absence for what they are", () => {
    const data = JSON.parse('{"constructor": 1, "__proto__": {"x": 2}, "none": null}') as JsonObject;
    expect(truth("response.data.constructor == 1 && response.data.__proto__.x == 2", answer(data))).toBe(
      true,
    );
    expect(truth("has(response.data.toString)", answer(data))).toBe(false);
    expect(truth("has(response.data.none) && response.data.none == null", answer(data))).toBe(true);
    expect(truth('"none" in response.data && !("some" in response.data)', answer(data))).toBe(true);
    expect(truth("response.data == response.data", answer(data))).toBe(true);
  });

  it("[SAC-05] say which answers they read", () => {
    expect(compiled('node_A.ran || nodes["any-id"].data.x == 1')).toMatchObject({
      nodes: ["node_A", "any-id"],
      readsResponse: false,
    });
    expect(compiled('response.status == "success"')).toMatchObject({
      readsResponse: true,
      readsStatus: true,
    });
  });
});

describe("a condition that cannot be right is an error at load", () => {
  it("[SAC-05] names the misspelt status, the place and the known ones", () => {
    expect(problemOf('response.status == "sucess"')).toEqual({
      code: "BATON-GRAPH-006",
      message: '"sucess" is not a status',
      fix: "use one of success, failure, clarification_needed, completed, retry_with_instruction",
      at: "1:20",
    });
    expect(problemOf('"done" != node_A.status').code).toBe("BATON-GRAPH-006");
    expect(problemOf('response.status in ["success",\n "complete"]')).toMatchObject({
      code: "BATON-GRAPH-006",
      at: "2:2",
    });
  });

  it.each([
    ["", "BATON-GRAPH-001", "the condition is empty"],
    ['response.status = "success"', "BATON-GRAPH-001", '"=" is no operator of CEL'],
    ['(response.status == "success"', "BATON-GRAPH-001", '"(" is never closed'],
    ["response.data.list[0)", "BATON-GRAPH-001", '")" where "]" should be'],
    ['response.message == "open', "BATON-GRAPH-001", "a string without an end"],
    ["response.data.x and true", "BATON-GRAPH-001", "not a CEL expression"],
    ["foo.status == 1", "BATON-GRAPH-003", 'unknown name "foo"'],
    ['nodes["other"].ran', "BATON-GRAPH-003", 'there is no node "other"'],
    ["len(response.data) > 1", "BATON-GRAPH-003", 'there is no function "len"'],
    ["response.state == 1", "BATON-GRAPH-004", 'an answer has no field "state"'],
    ['response["thought"] == ""', "BATON-GRAPH-004", "a thought is for people"],
    ["response.ran", "BATON-GRAPH-004", 'an answer has no field "ran"'],
    ["response.message", "BATON-GRAPH-005", "the condition is a string, not a boolean"],
    ["response", "BATON-GRAPH-005", "a response holds an answer and is not a value"],
    ["size(nodes) > 1", "BATON-GRAPH-005", "`nodes` holds all answers"],
    ["response.status == 1", "BATON-GRAPH-005", "a status never equals an int"],
    ["response.message > 1", "BATON-GRAPH-005", "> does not take a string and an int"],
    ["response.status && true", "BATON-GRAPH-005", "&& takes booleans, not a status"],
    ["response.message.exists(c, true)", "BATON-GRAPH-005", "a macro goes through a list or a map"],
    ["has(nodes.skipped)", "BATON-GRAPH-005", "has() does not test whether a node ran"],
    ["nodes[response.data.next].ran", "BATON-GRAPH-005", "is not known before it runs"],
    ["response.data.list.exists(node_A, true)", "BATON-GRAPH-007", 'the variable "node_A" hides'],
    [".response.data.x", "BATON-GRAPH-007", "names do not begin with a dot"],
    ["Foo{a: 1} == 1", "BATON-GRAPH-007", "conditions make no messages"],
    ["response.message.matches(response.data.p)", "BATON-GRAPH-007", "has to be a literal"],
    ['response.message.matches("(?=a)")', "BATON-GRAPH-007", "unsupported Perl syntax"],
    ['response.message.matches("(a*)\\\\1")', "BATON-GRAPH-007", "invalid escape sequence"],
  ])("[SAC-05] %s", (source, code, message) => {
    const problem = problemOf(source);
    expect(problem.code).toBe(code);
    expect(problem.message).toContain(message);
    expect(problem.fix).not.toBe("");
  });

  it("[SAC-05] points at line and column", () => {
    expect(problemOf('// why\nresponse.data.ok &&\n  "😀" == respons.message').at).toBe("3:11");
  });

  it.each([
    ["too long", `true${" ".repeat(graphLimits.conditionChars)}`],
    ["brackets too deep", `${"(".repeat(33)}true${")".repeat(33)}`],
    ["operators too deep", `1${" + 1".repeat(64)} > 0`],
    ["too many parts", `${"true||".repeat(600)}true`],
    ["a macro in a macro", "response.data.a.all(x, x.b.exists(y, y == x))"],
  ])("[SAC-05] refuses what is %s", (_, source) => {
    expect(problemOf(source).code).toBe("BATON-GRAPH-002");
  });

  it("[SAC-05] takes macros one after another, and short patterns that repeat little", () => {
    expect(truth("response.data.a.map(x, x + 1).all(y, y > 1)", answer({ a: [1, 2] }))).toBe(true);
    expect(problemOf(`response.message.matches("${"a".repeat(129)}")`).code).toBe("BATON-GRAPH-007");
    expect(problemOf(`response.message.matches("(${"a".repeat(40)}){900}")`).code).toBe("BATON-GRAPH-007");
  });
});

describe("a condition that goes wrong at run time", () => {
  it.each([
    ["response.data.score > 0.8", {}, "field not found: score at 1:14"],
    ["response.data.score > 0.8", { score: "high" }, "no matching overload"],
    ["response.data.ok", { ok: "yes" }, "it is string, not a boolean"],
    ["response.data.list[5] == 1", { list: [1] }, "index 5 is out of bounds"],
    ["int(response.data.n) == 1", { n: "one" }, "Cannot convert one to a BigInt"],
    ["1 / int(response.data.n) == 1", { n: 0 }, "divide by zero"],
  ])("[SAC-05] gives the reason: %s", (source, data, reason) => {
    expect(truth(source, answer(data))).toContain(reason);
  });

  it.each([
    [
      "a long list",
      "response.data.list.exists(x, x == -1)",
      { list: Array.from({ length: 50_000 }, (_, i) => i) },
    ],
    [
      "a large macro",
      `response.data.list.exists(x, ${"x == 0 || ".repeat(40)}false)`,
      { list: Array.from({ length: 2000 }, () => 1) },
    ],
    [
      "long text",
      "response.data.list.exists(x, response.data.text == x)",
      { list: ["", ""], text: "a".repeat(2 ** 23) },
    ],
    ["a pattern on long text", 'response.data.text.matches("(x+x+)+y")', { text: "x".repeat(2 ** 20) }],
    ["a number of a million digits", "int(response.data.text) == 1", { text: "9".repeat(2 ** 20) }],
    ["text that doubles", `["${"x".repeat(64)}"]${".map(x, x + x)".repeat(20)}.size() == 0`, {}],
    ["lists that double", `[[1, 1, 1, 1]]${".map(x, x + x)".repeat(20)}.size() == 0`, {}],
  ])("[SAC-05] stops %s at the cost limit", (_, source, data) => {
    expect(truth(source, answer(data))).toContain(`it takes more than ${graphLimits.conditionSteps} steps`);
  });

  it("[SAC-05] goes through ten thousand elements", () => {
    const list = Array.from({ length: 10_000 }, (_, i) => ({ severity: i % 2 ? "high" : "low" }));
    expect(truth('response.data.list.filter(f, f.severity == "high").size() == 5000', answer({ list }))).toBe(
      true,
    );
  });

  it("[SAC-05] is an error for an answer that is not there", () => {
    const result = evaluateCondition(compiled("response.data.ok"), { nodes: new Map() });
    expect(result).toMatchObject({
      kind: "error",
      reason: expect.stringContaining("the node before did not run"),
    });
  });

  it("[SAC-05] never throws, whatever the answers hold", () => {
    const sources = [
      "response.data.a > 1 || node_A.data.a == response.data.a",
      "response.data.exists(k, response.data[k] == null) ? node_A.data.a[0] == 1 : response.data.a.b.c",
      'response.data.a.map(x, x + 1).size() > 0 || nodes["any-id"].data.a in node_A.data.a',
      "response.data.a + node_A.data.a == response.data.a * 2 || -response.data.a < 0 || !response.data.a",
      'response.message.matches("^a*$") || string(response.data.a).contains(response.message)',
      "timestamp(response.data.a) > timestamp(node_A.data.a) || duration(response.message) > duration('1s')",
    ].map(compiled);
    const key = fc.oneof(fc.constantFrom("a", "b", "constructor", "__proto__", "size"), fc.string());
    const output = fc.record({
      status: fc.constantFrom(...statusNames),
      data: fc.dictionary(key, fc.jsonValue()) as fc.Arbitrary<JsonObject>,
      message: fc.string(),
      nextStepHint: fc.string(),
    });
    const scope = fc.record({
      response: fc.option(output, { nil: undefined }),
      nodes: fc.dictionary(fc.constantFrom(...nodes), output).map((all) => new Map(Object.entries(all))),
    });
    const check = fc.property(scope, fc.constantFrom(...sources), (anything, condition) => {
      expect(["true", "false", "error"]).toContain(evaluateCondition(condition, anything).kind);
    });
    fc.assert(check, { numRuns: runs });
  });

  it("[SAC-05] compiles or explains any source, and never throws", () => {
    const words = [
      "response",
      ".",
      "status",
      "data",
      "==",
      '"success"',
      "(",
      ")",
      "[",
      "]",
      "{",
      "}",
      "?",
      ":",
      "1",
    ];
    const more = [
      "||",
      "&&",
      "!",
      "-",
      "+",
      "in",
      ".exists(x, x)",
      ".map(",
      "x",
      ",",
      "nodes",
      "'",
      '"',
      "//",
      "\n",
    ];
    const source = fc.oneof(
      fc.array(fc.constantFrom(...words, ...more), { maxLength: 40 }).map((tokens) => tokens.join(" ")),
      fc.string({ unit: "binary" }),
    );
    const check = fc.property(source, (text) => {
      const result = compileCondition(text, { nodes });
      if (result.ok) evaluateCondition(result.condition, { response: answer(), nodes: new Map() });
      else expect(result.problem.position?.offset).toBeLessThanOrEqual(text.length);
    });
    fc.assert(check, { numRuns: runs });
  });
});
