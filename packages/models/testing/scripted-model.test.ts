import { Outcome, ResponseStatus } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { run } from "../src/testing/run-model.ts";
import type { ModelTool } from "../src/tools/tool.ts";
import { scriptedModel } from "./index.ts";

const search: ModelTool = {
  name: "search",
  description: "Searches the directory.",
  inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  idempotent: true,
  critical: false,
  call: async ({ name }) => ({ text: `${name} has 2 addresses` }),
};

describe("a scripted model", () => {
  it("[SAC-12] answers, calls tools and counts tokens by its script, without network and key", async () => {
    const model = scriptedModel([
      {
        reasoning: "I look it up.",
        toolCalls: [{ name: "search", args: { name: "Doe" } }],
        usage: { input: 100 },
      },
      {
        answer: { status: "success", data: { addresses: 2 } },
        usage: { input: 200, cacheRead: 50, output: 7 },
      },
    ]);
    const { result, requests, events } = await run([], { calls: model, tools: [search], variables: {} });
    expect(result.response).toMatchObject({ status: ResponseStatus.SUCCESS, data: { addresses: 2 } });
    expect(result.usage).toMatchObject({ inputTokens: 350n, outputTokens: 12n });
    expect(requests).toEqual([]);
    expect(model.calls.map(({ request }) => request.messages.length)).toEqual([1, 3]);
    expect(JSON.stringify(model.calls[1]?.request.messages)).toContain("Doe has 2 addresses");
    const thoughts = events.flatMap(({ payload }) =>
      payload.case === "thoughtStream" ? [payload.value.chunk] : [],
    );
    expect(thoughts.join("")).toContain("I look it up.");
  });

  it("[SAC-12] fails as a provider does, and the agent tries again or gives up", async () => {
    const again = scriptedModel([
      { failure: "MODEL_OVERLOADED", waitMs: 1 },
      { answer: { status: "success" } },
    ]);
    expect((await run([], { calls: again })).result.status?.outcome).toBe(Outcome.SUCCESS);
    expect(again.calls.length).toBe(2);
    const refused = scriptedModel([{ text: "I cannot help with that.", stop: "refusal" }]);
    const { result } = await run([], { calls: refused });
    expect(result.status).toMatchObject({
      outcome: Outcome.NON_RETRYABLE_FAILURE,
      failureCode: "MODEL_REFUSED",
    });
  });

  it("[SAC-12] decides by the call, and reports one that its script does not answer", async () => {
    const echo = scriptedModel(({ request }, index) => ({
      answer: { status: "success", data: { index, tools: request.tools.length } },
    }));
    expect((await run([], { calls: echo })).result.response?.data).toEqual({ index: 0, tools: 0 });
    const { result } = await run([], { calls: scriptedModel([]) });
    expect(result.status).toMatchObject({
      failureCode: "MODEL_NOT_SCRIPTED",
      failureReason: "the script has no answer to call 1; it ends after 0",
    });
  });
});
