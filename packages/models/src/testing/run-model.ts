import { type EnvelopeInput, envelope, type RunOptions, runAgent } from "@baton/agent/testing";
import type { JsonObject } from "@bufbuild/protobuf";
import { onTestFinished } from "vitest";
import { type Script, type Scripted, type ScriptedReply, startModelServer } from "../../testing/index.ts";
import { withModel } from "../agent/model-agent.ts";
import type { ModelCalls } from "../calls/replaced-calls.ts";
import type { ModelTool } from "../tools/tool.ts";

/** A response of SACP as a model writes it. */
export const answer = (response: JsonObject): string =>
  JSON.stringify({ thought: "", data: {}, message: "Done.", ...response });
export const success: ScriptedReply = { text: answer({ status: "success" }) };

export interface Setup {
  readonly kind?: string;
  readonly provider?: JsonObject;
  readonly catalogue?: JsonObject;
  readonly model?: JsonObject;
  readonly tools?: readonly ModelTool[];
  readonly envelope?: EnvelopeInput;
  readonly schema?: JsonObject;
  readonly calls?: ModelCalls;
  readonly variables?: Readonly<Record<string, string>>;
  /** Of the pack. */
  readonly folder?: string;
  readonly pinTools?: RunOptions["pinTools"];
}

/** Runs one attempt of a model agent against the local server. */
export async function run(script: Script | readonly Scripted[], setup: Setup = {}) {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const { kind = "openai-compatible", provider, catalogue, model, tools = [], schema, calls } = setup;
  const definition = withModel({
    ...{
      pack: "writer",
      version: "1.0.0",
      taskTypes: ["summary"],
      tools,
      variables: setup.variables ?? { MODEL_KEY: "key-0123456789abcdef" },
      ...(calls && { calls }),
      ...(setup.folder !== undefined && { folder: setup.folder }),
    },
    models: {
      providers: [{ id: "local", kind, base_url: server.baseUrl, key_env: "MODEL_KEY", ...provider }],
      models: [
        {
          ...{ id: "large", provider: "local", context_window: 100_000, max_output_tokens: 1_000 },
          price: { input: 2, cache_read: 0.2, cache_write: 2.5, output: 10 },
          ...catalogue,
        },
        { id: "small", provider: "local", context_window: 100_000, max_output_tokens: 1_000 },
      ],
    },
    model: {
      model: "large",
      system_prompt: "You write summaries.",
      response_format: "json_standard",
      ...model,
    },
  });
  const task = envelope({ title: "Summarise the report", ...setup.envelope });
  const options = setup.pinTools ? { pinTools: setup.pinTools } : {};
  const runAgain = () => runAgent(definition, schema ? { ...task, outputSchema: schema } : task, options);
  const attempt = await runAgain();
  const { result } = attempt;
  if (result === undefined) throw new Error("the attempt has no result");
  return { ...attempt, result, requests: server.requests, runAgain };
}
