import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { jsonSchema, type LanguageModel, streamText, type ToolSet, tool } from "ai";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ModelServer, type Scripted, startModelServer } from "./index.ts";

type Kind = "anthropic" | "openai" | "openai-chat" | "openai-compatible";

function modelOf(kind: Kind, { baseUrl: baseURL }: ModelServer): LanguageModel {
  const apiKey = "test-key";
  if (kind === "anthropic") return createAnthropic({ baseURL, apiKey })("a-model");
  if (kind === "openai") return createOpenAI({ baseURL, apiKey })("a-model");
  if (kind === "openai-chat") return createOpenAI({ baseURL, apiKey }).chat("a-model");
  return createOpenAICompatible({ baseURL, apiKey, name: "local", includeUsage: true })("a-model");
}

const tools = {
  weather: tool({
    description: "The weather of a city.",
    inputSchema: jsonSchema({ type: "object", properties: { city: { type: "string" } } }),
  }),
} as ToolSet;

async function ask(kind: Kind, scripted: Scripted) {
  const server = await startModelServer([scripted]);
  onTestFinished(() => server.close());
  const errors: unknown[] = [];
  const result = streamText({
    ...{ model: modelOf(kind, server), instructions: "Be brief.", prompt: "Hello?", tools, maxRetries: 0 },
    onError: ({ error }) => void errors.push(error),
  });
  const parts: string[] = [];
  for await (const { type } of result.stream) parts.push(type);
  return { server, result, errors, parts };
}

describe.each<Kind>(["anthropic", "openai", "openai-chat", "openai-compatible"])("a model by %s", (kind) => {
  it("[SAC-12] streams reasoning, text and tool calls to the provider package", async () => {
    const { server, result, errors } = await ask(kind, {
      ...{ reasoning: ["think ", "twice"], text: ["Hel", "lo."] },
      toolCalls: [{ name: "weather", args: { city: "London" } }],
      usage: { input: 7, cacheRead: 20, output: 9, reasoning: 3 },
    });
    expect(errors).toEqual([]);
    expect(await result.text).toBe("Hello.");
    // The chat completions of OpenAI itself have no reasoning.
    if (kind !== "openai-chat") expect(await result.reasoningText).toBe("think twice");
    expect(await result.toolCalls).toMatchObject([{ toolName: "weather", input: { city: "London" } }]);
    expect(await result.finishReason).toBe("tool-calls");
    expect(await result.usage).toMatchObject({
      ...{ inputTokens: 27, outputTokens: 9 },
      inputTokenDetails: { noCacheTokens: 7, cacheReadTokens: 20 },
    });
    expect(server.requests).toMatchObject([
      {
        ...{ model: "a-model", system: "Be brief.", messages: [{ role: "user", text: "Hello?" }] },
        tools: [{ name: "weather", description: "The weather of a city." }],
      },
    ]);
  });

  it("[SAC-12] is read whatever pieces its events arrive in, with unknown events between them", async () => {
    const { result, errors } = await ask(kind, {
      ...{ text: ["Crème ", "brûlée"], stream: { tornEvents: true } },
    });
    expect(errors).toEqual([]);
    expect(await result.text).toBe("Crème brûlée");
  });

  it("[SAC-12] refuses with the status and headers of the script", async () => {
    const { errors } = await ask(kind, {
      ...{ status: 429, message: "slow down", headers: { "retry-after-ms": "1500" } },
    });
    expect(errors).toMatchObject([
      { statusCode: 429, message: "slow down", responseHeaders: { "retry-after-ms": "1500" } },
    ]);
  });
});
