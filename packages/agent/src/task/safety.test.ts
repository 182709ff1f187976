import { AgentResultSchema, type Event, Outcome, ToolStatus } from "@baton/contract";
import { isMessage } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type EnvelopeInput, envelope, runAgent } from "../../testing/index.ts";
import type { Task } from "../api/task.ts";

/** The result of an agent that does this without catching the error. */
async function statusOf(run: (task: Task) => unknown, given: EnvelopeInput) {
  const definition = {
    pack: "p",
    version: "1.0.0",
    taskTypes: [],
    run: async (task: Task) => {
      const ended = await run(task);
      return isMessage(ended, AgentResultSchema) ? ended : task.success("done");
    },
  };
  const { result, events } = await runAgent(definition, envelope(given));
  return { ...result?.status, events, usage: result?.usage, budgetNeeded: result?.budgetNeeded };
}

/** A refused call is a pair of events: why it was refused, and its failure. */
function pairOf(events: readonly Event[]) {
  const [invoked, completed] = events.map(({ payload }) => payload.value);
  expect(events).toHaveLength(2);
  expect(invoked).toMatchObject({ callId: (completed as { callId?: string }).callId });
  return [(invoked as { refused?: string }).refused, (completed as { status?: ToolStatus }).status];
}

const succeeded = { outcome: Outcome.SUCCESS };
const blocked = (failureCode: string) => ({ outcome: Outcome.POLICY_BLOCKED, failureCode });

describe("[DIS-16] tools", () => {
  const allowed = { toolAllowlist: ["node", "search"] };

  it("run when they are on the allow list, or without an allow list", async () => {
    expect(await statusOf((task) => task.exec("node", ["-e", "0"]), { safety: allowed })).toMatchObject(
      succeeded,
    );
    expect(await statusOf((task) => task.exec("node", ["-e", "0"]), {})).toMatchObject(succeeded);
    const search = (task: Task) => task.tool("search", { query: "x" }, ({ query }) => query);
    expect(await statusOf(search, { safety: allowed })).toMatchObject(succeeded);
  });

  it.each([
    { tool: "npm", safety: allowed, reason: "is not on the allow list (node, search)" },
    { tool: "node", safety: { toolDenylist: ["node"] }, reason: "is on the deny list" },
    { tool: "node", safety: { ...allowed, toolDenylist: ["node"] }, reason: "is on the deny list" },
    { tool: "/usr/bin/node", safety: { toolDenylist: ["node"] }, reason: "is on the deny list" },
    { tool: "./bin/node", safety: allowed, reason: "is not on the allow list (node, search)" },
  ])("do not run: $tool $reason", async ({ tool, safety, reason }) => {
    const status = await statusOf((task) => task.exec(tool), { safety });
    expect(status).toMatchObject(blocked("TOOL_NOT_ALLOWED"));
    expect(status.failureReason).toBe(`the tool "${tool}" ${reason}`);
    expect(pairOf(status.events)).toEqual([`the tool "${tool}" ${reason}`, ToolStatus.FAILURE]);
    const call = (task: Task) => task.tool(tool, {}, () => expect.unreachable());
    expect(await statusOf(call, { safety })).toMatchObject(blocked("TOOL_NOT_ALLOWED"));
  });

  it("run when their arguments match the pattern of an entry, as in the hub and Claude Code", async () => {
    const safety = { toolAllowlist: ["node(-e *)", "Bash(npm test *)"], toolDenylist: ["node(-e 1)"] };
    const exec = (...args: string[]) => statusOf((task) => task.exec("node", args), { safety });
    expect(await exec("-e", "0")).toMatchObject(succeeded);
    expect(await exec("-e", "1")).toMatchObject(blocked("TOOL_NOT_ALLOWED"));
    expect(await exec("--version")).toMatchObject(blocked("TOOL_NOT_ALLOWED"));
    const bash = (command: string) =>
      statusOf((task) => task.tool("Bash", { command }, () => "ran"), { safety });
    expect(await bash("npm test -- --watch")).toMatchObject(succeeded);
    expect(await bash("npm test && rm -r x")).toMatchObject(blocked("TOOL_NOT_ALLOWED"));
  });

  it("can be refused without ending the task", async () => {
    const status = await statusOf(
      (task) =>
        expect(task.exec("npm")).rejects.toMatchObject({ name: "ToolNotAllowed", code: "BATON-SDK-006" }),
      { safety: allowed },
    );
    expect(status).toMatchObject(succeeded);
  });
});

describe("[DIS-16] prohibited actions", () => {
  const safety = { prohibitedActions: ["git push", "deploy"] };

  it("are detected in a command line that a tool runs", async () => {
    const run = (task: Task) => task.tool("Bash", { command: "cd shop && git push -f" }, () => "ran");
    expect(await statusOf(run, { safety })).toMatchObject(blocked("ACTION_PROHIBITED"));
  });

  it.each([
    ["git", ["push"]],
    ["git", ["push", "--force"]],
    ["deploy", []],
  ])("prevent %s %j", async (command, args) => {
    const status = await statusOf((task) => task.exec(command, args), { safety });
    expect(status).toMatchObject(blocked("ACTION_PROHIBITED"));
    expect(pairOf(status.events)).toEqual([expect.stringContaining("prohibited"), ToolStatus.FAILURE]);
  });

  it("prevent a named step, and no other", async () => {
    expect(await statusOf((task) => task.step("deploy"), { safety })).toMatchObject(
      blocked("ACTION_PROHIBITED"),
    );
    expect(await statusOf((task) => task.step("deployment plan"), { safety })).toMatchObject(succeeded);
  });
});

describe("[DIS-16] steps", () => {
  it("count commands, tools, turns and named steps, and are reported as usage", async () => {
    const status = await statusOf(
      async (task) => {
        await task.exec("node", ["-e", "0"]);
        await task.tool("search", {}, () => 1);
        task.turn({ confidence: 1 });
        task.step();
      },
      { safety: { maxAutonomousSteps: 4 } },
    );
    expect(status).toMatchObject({ ...succeeded, usage: { steps: 4 } });
  });

  it.each([
    { what: "the safety context", given: { safety: { maxAutonomousSteps: 2 } }, taken: 2 },
    { what: "the budget", given: { budget: { maxSteps: 2 } }, taken: 2 },
    { what: "a budget of none", given: { budget: { maxSteps: 0 } }, taken: 0 },
    {
      what: "the smaller of both",
      given: { safety: { maxAutonomousSteps: 5 }, budget: { maxSteps: 1 } },
      taken: 1,
    },
  ])("are limited by $what", async ({ given, taken }) => {
    const status = await statusOf((task) => {
      for (let step = 0; step < 10; step++) task.step();
    }, given);
    expect(status).toMatchObject({ ...blocked("STEP_LIMIT_REACHED"), usage: { steps: taken } });
  });

  it("are not limited by zero", async () => {
    const status = await statusOf((task) => {
      for (let step = 0; step < 100; step++) task.step();
    }, {});
    expect(status).toMatchObject({ ...succeeded, usage: { steps: 100 } });
  });
});

describe("[DIS-16] scopes and budgets", () => {
  it("a missing scope is escalated to a person", async () => {
    const need = (task: Task) => task.needScope("repo:write");
    expect(await statusOf(need, { safety: { authScopes: ["repo:read"] } })).toMatchObject(
      blocked("SCOPE_MISSING"),
    );
    expect(await statusOf(need, { safety: { authScopes: ["repo:write"] } })).toMatchObject(succeeded);
  });

  it("usage is reported, also beyond the budget", async () => {
    const spend = (task: Task) => task.spend({ inputTokens: 60, outputTokens: 50, costMicroUsd: 7 });
    const usage = { inputTokens: 60n, outputTokens: 50n, costMicroUsd: 7n };
    expect(await statusOf(spend, { budget: { maxTokens: 110n } })).toMatchObject({ ...succeeded, usage });
    expect(await statusOf(spend, { budget: { maxTokens: 109n } })).toMatchObject({
      ...blocked("BUDGET_SPENT"),
      usage,
    });
    expect(await statusOf(spend, { budget: { maxCostMicroUsd: 6n } })).toMatchObject(blocked("BUDGET_SPENT"));
  });

  it("[SAC-12] the rest of a budget is known before a call, and an attempt can end for lack of it", async () => {
    const rests: unknown[] = [];
    const given = {
      budget: { maxTokens: 100n, maxCostMicroUsd: 9n, maxSteps: 7 },
      safety: { maxAutonomousSteps: 3 },
    };
    const { usage, budgetNeeded } = await statusOf((task) => {
      rests.push(task.budget());
      task.spend({ inputTokens: 60, outputTokens: 10, costMicroUsd: 4 });
      task.step();
      rests.push(task.budget());
      return task.outOfBudget({ needed: { tokens: 40, costMicroUsd: 8 }, reason: "one more page" });
    }, given);
    expect(rests).toEqual([
      { tokensLeft: 100, costLeftMicroUsd: 9, stepsLeft: 3 },
      { tokensLeft: 30, costLeftMicroUsd: 5, stepsLeft: 2 },
    ]);
    expect(usage).toMatchObject({ inputTokens: 60n, outputTokens: 10n });
    expect(budgetNeeded).toMatchObject({ maxTokens: 40n, maxCostMicroUsd: 8n });
  });

  it("[SAC-12] no limit is undefined, and the rest is never below zero", async () => {
    const rests: unknown[] = [];
    await statusOf((task) => rests.push(task.budget()), {});
    await statusOf(
      (task) => {
        expect(() => task.spend({ inputTokens: 9, costMicroUsd: 0 })).toThrow("9 tokens of 5");
        rests.push(task.budget());
      },
      { budget: { maxTokens: 5n } },
    );
    expect(rests).toEqual([{}, { tokensLeft: 0 }]);
  });

  it.each([[{}], [{ tokens: 0 }], [{ tokens: 1.5 }], [{ steps: 2 ** 31 }]])(
    "[SAC-12] a need of %o is an error of the agent",
    async (needed) => {
      const { outcome } = await statusOf((task) => task.outOfBudget({ needed }), {});
      expect(outcome).toBe(Outcome.NON_RETRYABLE_FAILURE);
    },
  );

  it("[SAC-12] usage is counted by model, with the tokens of caches and reasoning", async () => {
    const call = { provider: "anthropic", model: "claude", inputTokens: 10, outputTokens: 4 };
    const { usage } = await statusOf((task) => {
      task.spend({ ...call, cacheReadTokens: 6, cacheWriteTokens: 2, reasoningTokens: 3, costMicroUsd: 7 });
      task.spend({ ...call, costMicroUsd: 0 });
      task.spend({ model: "llama", inputTokens: 5 });
    }, {});
    expect(usage).toMatchObject({
      ...{
        inputTokens: 25n,
        outputTokens: 8n,
        cacheReadTokens: 6n,
        cacheWriteTokens: 2n,
        reasoningTokens: 3n,
      },
      ...{ costMicroUsd: 7n, costUnknown: true },
      models: [
        {
          provider: "anthropic",
          model: "claude",
          calls: 2,
          inputTokens: 20n,
          costMicroUsd: 7n,
          costUnknown: false,
        },
        { provider: "", model: "llama", calls: 1, inputTokens: 5n, costMicroUsd: 0n, costUnknown: true },
      ],
    });
  });

  it.each([
    { what: "says that there is no price", spend: { inputTokens: 1 }, unknown: true },
    { what: "costs nothing", spend: { inputTokens: 1, costMicroUsd: 0 }, unknown: false },
    {
      what: "counts tokens whose cost comes later",
      spend: { inputTokens: 1, costUnknown: false },
      unknown: false,
    },
    { what: "is more than its price", spend: { costMicroUsd: 5, costUnknown: true }, unknown: true },
    { what: "is nothing", spend: {}, unknown: false },
  ])("[SAC-12] usage that $what states whether its cost is unknown", async ({ spend, unknown }) => {
    const { usage } = await statusOf((task) => task.spend(spend), {});
    expect(usage?.costUnknown).toBe(unknown);
  });

  it("[SAC-12] a result names 64 models, and counts further ones together", async () => {
    const { usage } = await statusOf((task) => {
      for (let call = 0; call < 200; call++) task.spend({ model: `m${call % 100}`, inputTokens: 1 });
    }, {});
    expect(usage?.models).toHaveLength(64);
    expect(usage?.models.at(-1)).toMatchObject({ provider: "", model: "other models", calls: 74 });
    expect(usage?.inputTokens).toBe(200n);
  });

  it.each([
    { what: "fewer than no tokens", spend: { inputTokens: -1 } },
    { what: "half a token", spend: { outputTokens: 0.5 } },
    {
      what: "more cached tokens than input",
      spend: { inputTokens: 3, cacheReadTokens: 2, cacheWriteTokens: 2 },
    },
    { what: "more reasoning than output", spend: { outputTokens: 3, reasoningTokens: 4 } },
    { what: "a provider without a model", spend: { provider: "anthropic" } },
    { what: "a model without a name", spend: { model: "" } },
    { what: "a model with a long name", spend: { model: "m".repeat(257) } },
  ])("[SAC-12] $what is an error of the agent", async ({ spend }) => {
    const status = await statusOf((task) => task.spend(spend), {});
    expect(status.outcome).toBe(Outcome.NON_RETRYABLE_FAILURE);
  });
});
