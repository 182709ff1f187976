import { AssertionError } from "node:assert";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../src/api/definition.ts";
import { assertPath, type ExpectedPath, envelope, pathOfAttempt, runAgent } from "../index.ts";

const agent: AgentDefinition = {
  ...{ pack: "searcher", version: "1.0.0", taskTypes: ["search"], tools: ["search", "mail"] },
  async run(task) {
    await task.tool("search", { name: "Doe", limit: 10 }, () => 2);
    await task
      .tool("mail", { to: "jdoe@acme.com" }, () => Promise.reject(new Error("no server")))
      .catch(() => {});
    task.spend({ inputTokens: 100, outputTokens: 20, costMicroUsd: 30 });
    return task.ask("Which Doe?", { data: { found: 2, names: ["John", "Jane"] } });
  },
};

async function pathOfAgent() {
  return pathOfAttempt(await runAgent(agent, envelope({ taskType: "search" })), "searcher");
}

describe("assertions on a path", () => {
  it("[SAC-12] hold for the tools with their arguments, the questions, the answers and what was spent", async () => {
    const path = await pathOfAgent();
    assertPath(path, {
      nodes: ["searcher"],
      tools: [
        { tool: "search", args: { name: "Doe" }, status: "success" },
        { tool: "mail", status: "failure" },
      ],
      questions: [/^Which/],
      answers: { searcher: { status: "clarification_needed", data: { found: 2 } } },
      ...{ maxTokens: 120, maxCostUsd: 0.00003 },
    });
    assertPath(path, { tools: ["search", "mail"], questions: ["Doe"] });
    assertPath(path, {});
  });

  it.each<[string, ExpectedPath]>([
    ["status", { status: "success" }],
    ["nodes", { nodes: [] }],
    ["taken", { taken: ["a -> b"] }],
    ["notTaken", { notTaken: ["a -> b"] }],
    ["tools", { tools: ["search"] }],
    ["tools", { tools: ["mail", "search"] }],
    ["tools", { tools: [{ tool: "search", args: { name: "Dow" } }, "mail"] }],
    ["tools", { tools: [{ tool: "search", status: "failure" }, "mail"] }],
    ["questions", { questions: [] }],
    ["questions", { questions: [/Jane/] }],
    ["answers.searcher", { answers: { searcher: { data: { names: ["John"] } } } }],
    ["answers.other", { answers: { other: {} } }],
    ["tokens", { maxTokens: 119 }],
    ["cost in dollars", { maxCostUsd: 0.000029 }],
  ])("[SAC-12] name what differs: %s", async (what, expected) => {
    const path = await pathOfAgent();
    expect(() => assertPath(path, expected)).toThrow(AssertionError);
    expect(() => assertPath(path, expected)).toThrow(`- ${what}: expected`);
  });

  it("[SAC-12] list every difference, with both sides", async () => {
    const path = await pathOfAgent();
    const expected = { nodes: ["other"], tools: ["search"], maxTokens: 1 };
    try {
      assertPath(path, expected);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({
        message: expect.stringMatching(
          /^the path of the attempt is not the expected one\n- nodes: .*\n- tools: .*\n- tokens: /,
        ),
        actual: { nodes: ["searcher"], tokens: 120 },
        expected: { nodes: ["other"], tools: ["search"], tokens: 1 },
      });
    }
  });
});
