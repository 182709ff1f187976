import { describe, expect, it } from "vitest";
import { readModelAgent } from "../model-agent.ts";

const read = (tool: object) => readModelAgent({ model: "large", system_prompt: "You write.", tools: [tool] });
const problems = (tool: object) => {
  const reading = read(tool);
  return reading.ok ? [] : reading.problems.map(({ at, message }) => `${at} ${message}`);
};
const command = { name: "count", description: "Counts.", command: { run: ["wc"] } };

describe("a tool of a model", () => {
  it("[SAC-08] is read with its defaults", () => {
    const reading = read({ ...command, ask: "args.amount > 100.0" });
    expect(reading.ok && reading.model.tools).toEqual([
      {
        ...{ kind: "command", name: "count", description: "Counts.", run: ["wc"], network: false },
        ...{ inputSchema: { type: "object" }, idempotent: false, critical: false, timeoutMs: 60_000 },
        ask: "args.amount > 100.0",
      },
    ]);
  });

  it.each([
    ["of no kind", { name: "x" }, "says nothing about what to call"],
    ["of two kinds", { ...command, mcp: { url: "http://a/mcp" } }, "has command and mcp"],
    ["without a description", { ...command, description: undefined }, "has no description"],
    [
      "with an unknown name in its rule",
      { ...command, ask: "response.status == 1" },
      'unknown name "response"',
    ],
    ["with a rule that is no condition", { ...command, ask: "1 + 1" }, "not a boolean"],
    ["with a schema that is none", { ...command, input_schema: { type: "objekt" } }, "no usable JSON Schema"],
    [
      "with arguments that have no names",
      { ...command, input_schema: { type: "array" } },
      "describe an object",
    ],
    ["of two servers", { name: "x", mcp: { url: "http://a/mcp", run: ["y"] } }, "names two servers"],
    ["of no server", { name: "x", mcp: {} }, "names no server"],
    [
      "with an address that has a query",
      { name: "x", http: { allow: ["http://a/?q=1"] } },
      "beginning of an address",
    ],
    ["with too long a time", { ...command, command: { run: ["wc"], timeout: "2h" } }, "at most 1h"],
    [
      "with a variable for a server by address",
      { name: "x", mcp: { url: "http://a/mcp", pass_env: ["A"] } },
      "for run only",
    ],
  ])("[SAC-08] %s is refused", (_what, tool, message) => {
    expect(problems(tool).join()).toContain(message);
  });

  it("[SAC-08] of a name that another has is refused, and so are more than 128", () => {
    const twice = readModelAgent({ model: "m", system_prompt: "x", tools: [command, command] });
    expect(twice.ok || twice.problems[0]?.message).toBe("is the name of another tool");
    const many = Array.from({ length: 129 }, (_, index) => ({ ...command, name: `t${index}` }));
    const reading = readModelAgent({ model: "m", system_prompt: "x", tools: many });
    expect(reading.ok || reading.problems[0]?.message).toContain("128 items at the most");
  });
});
