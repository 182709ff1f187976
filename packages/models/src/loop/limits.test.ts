import { Outcome } from "@baton/contract";
import { expect, it } from "vitest";
import { answer, run, success } from "../testing/run-model.ts";
import type { ModelTool } from "../tools/tool.ts";

const counting = () => {
  const tool = {
    ...{ name: "count", description: "Counts.", inputSchema: { type: "object" }, calls: 0 },
    ...{ idempotent: true, critical: false },
    call: async () => ({ text: `${++tool.calls}` }),
  };
  return tool satisfies ModelTool;
};
const calls = (count: number) => ({
  toolCalls: Array.from({ length: count }, (_, at) => ({ name: "count", args: { at } })),
});

it("[SAC-12] [DIS-16] an attempt has 1,000 steps, its beginning, calls of the model and of tools, and is escalated beyond them", async () => {
  const within = counting();
  const done = await run([calls(997), success], { tools: [within] });
  expect([done.result.status?.outcome, within.calls]).toEqual([Outcome.SUCCESS, 997]);
  const beyond = counting();
  const { result, requests } = await run([calls(998), success], { tools: [beyond] });
  expect([requests.length, beyond.calls]).toEqual([1, 998]);
  expect(result.status).toMatchObject({
    ...{ outcome: Outcome.POLICY_BLOCKED, failureCode: "STEP_LIMIT_REACHED" },
    failureReason: expect.stringContaining("1000"),
  });
});

it("[SAC-12] a prompt has 1 MiB, and a longer one is refused before any call", async () => {
  const prompt = (length: number) => ({ model: { system_prompt: "x".repeat(length) } });
  const limit = 1024 * 1024;
  const { requests } = await run([success], prompt(limit));
  expect(requests[0]?.system.startsWith("x".repeat(limit))).toBe(true);
  await expect(run([success], prompt(limit + 1))).rejects.toThrow(/system_prompt must .*1048576/);
});

it("[SAC-11] data goes back to the model 5 times at most", async () => {
  const schema = { type: "object", required: ["words"] };
  const wrong = { text: answer({ status: "success", data: {} }) };
  const most = await run(() => wrong, { schema, model: { max_corrections: 5 } });
  expect(most.requests).toHaveLength(6);
  expect(most.result.status?.failureCode).toBe("OUTPUT_SCHEMA");
  await expect(run([wrong], { schema, model: { max_corrections: 6 } })).rejects.toThrow(
    /max_corrections .*5/,
  );
});
