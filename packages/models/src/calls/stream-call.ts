import type { JsonObject } from "@bufbuild/protobuf";
import { type JSONSchema7, jsonSchema, type ModelMessage, Output, streamText, type ToolSet } from "ai";
import { failureOf, ModelFailure, shorten } from "../failure.ts";
import { limits } from "../limits.ts";
import type { OpenModel } from "../providers/open-models.ts";
import type { ModelTool } from "../tools/tool.ts";
import type { ModelReply, ToolCall } from "./reply.ts";
import { Silence } from "./silence.ts";
import { callUsage } from "./usage.ts";

export interface ModelRequest {
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** Whether tools may be called; without it, earlier calls stay readable. */
  readonly mayCallTools: boolean;
  /** A schema that the provider enforces, if the model can. */
  readonly schema?: JsonObject;
  readonly sampling: Sampling;
}

export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly reasoning?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
  readonly maxOutputTokens?: number;
}

/** One try of one call. Rejects with a `ModelFailure`, or with the reason of the signal. */
export async function streamCall(
  open: OpenModel,
  request: ModelRequest,
  signal: AbortSignal,
  onPiece: (piece: string) => void,
): Promise<ModelReply> {
  const silence = new Silence(open.provider, signal);
  try {
    return await readStream(open, request, silence, onPiece);
  } catch (error) {
    signal.throwIfAborted();
    throw silence.failure ?? failureOf(error, open);
  } finally {
    silence.end();
  }
}

async function readStream(
  open: OpenModel,
  request: ModelRequest,
  silence: Silence,
  onPiece: (piece: string) => void,
): Promise<ModelReply> {
  const { model, provider } = open;
  const { temperature, topP, topK, seed, reasoning, maxOutputTokens } = request.sampling;
  const result = streamText({
    model: open.languageModel,
    instructions: request.instructions,
    messages: [...request.messages],
    ...(request.tools.length > 0 && {
      tools: toolSetOf(request.tools),
      toolChoice: request.mayCallTools ? "auto" : "none",
    }),
    ...(request.schema &&
      model.structuredOutput && {
        output: Output.object({ schema: jsonSchema(request.schema as JSONSchema7), name: "response" }),
      }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(seed !== undefined && { seed }),
    ...(reasoning !== undefined && { reasoning }),
    maxOutputTokens: Math.min(maxOutputTokens ?? model.maxOutputTokens, model.maxOutputTokens),
    providerOptions: { anthropic: { structuredOutputMode: "outputFormat" } },
    maxRetries: 0,
    abortSignal: silence.signal,
    // Errors are read from the stream; the default prints them.
    onError: () => {},
  });
  const answer = new Answer();
  for await (const part of result.stream) {
    switch (part.type) {
      case "reasoning-delta":
      case "text-delta":
        silence.received();
        answer.add(part.type === "text-delta" ? "text" : "reasoning", part.text);
        onPiece(part.text);
        break;
      case "tool-input-delta":
        silence.received();
        answer.count(part.delta.length);
        break;
      case "tool-call":
        silence.received();
        answer.toolCalls.push(toolCallOf(part));
        break;
      case "error":
        // Events that the provider's package does not know are skipped; the answer around them is complete.
        if (!isUnknownEvent(part.error)) throw part.error;
        break;
      case "abort":
        throw new ModelFailure("MODEL_STREAM_CUT", "the call was aborted");
      case "finish-step": {
        const { finishReason, rawFinishReason, providerMetadata } = part;
        const end = endOf(finishReason, rawFinishReason);
        if (end === "refused") throw refusal(provider.id, rawFinishReason, providerMetadata, answer.text);
        if (end === "cut")
          throw new ModelFailure("MODEL_STREAM_CUT", `provider "${provider.id}" ended its answer early`);
        const messages = (await result.finalStep).response.messages as readonly ModelMessage[];
        return {
          ...{ model: model.id, provider: provider.id, reasoning: answer.reasoning, text: answer.text },
          ...{ toolCalls: answer.toolCalls, end, messages: storable(messages) },
          usage: callUsage(part.usage, { ...model, provider: provider.id }),
        };
      }
    }
  }
  throw new ModelFailure("MODEL_STREAM_CUT", `provider "${provider.id}" ended its answer early`);
}

/** The texts of an answer, bounded. */
class Answer {
  readonly toolCalls: ToolCall[] = [];
  readonly #pieces = { text: [] as string[], reasoning: [] as string[] };
  #length = 0;

  add(kind: "text" | "reasoning", piece: string): void {
    this.count(piece.length);
    this.#pieces[kind].push(piece);
  }

  count(length: number): void {
    this.#length += length;
    if (this.#length <= limits.textLength) return;
    const message = `the answer is longer than ${limits.textLength} characters; lower max_output_tokens`;
    throw new ModelFailure("MODEL_TEXT_TOO_LONG", message);
  }

  get text(): string {
    return this.#pieces.text.join("").toWellFormed();
  }

  get reasoning(): string {
    return this.#pieces.reasoning.join("").toWellFormed();
  }
}

/** Without `execute`: the loop runs the calls, each as a step of its own. */
function toolSetOf(tools: readonly ModelTool[]): ToolSet {
  const entries = tools.map(({ name, description, inputSchema }) => [
    name,
    { description, inputSchema: jsonSchema(inputSchema as JSONSchema7) },
  ]);
  return Object.fromEntries(entries) as ToolSet;
}

interface GivenCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly invalid?: boolean | undefined;
}

function toolCallOf({ toolCallId: id, toolName: name, input, invalid }: GivenCall): ToolCall {
  if (isObject(input)) return { id, name, args: input };
  const isText = typeof input === "string";
  const why = invalid && isText ? "the arguments are not valid JSON" : "the arguments are not a JSON object";
  return { id, name, args: {}, invalid: isText ? `${why}: ${shorten(input)}` : why };
}

const ends: Readonly<Record<string, ModelReply["end"] | "refused">> = {
  ...{ stop: "complete", end_turn: "complete", stop_sequence: "complete", completed: "complete" },
  ...{ "tool-calls": "tools", tool_use: "tools", tool_calls: "tools" },
  ...{ length: "length", max_tokens: "length", max_output_tokens: "length" },
  ...{ "content-filter": "refused", content_filter: "refused", refusal: "refused" },
  other: "complete",
};

/** An error part turns the unified reason into `error`; the provider's own reason is still right then. */
function endOf(reason: string, raw: string | undefined): ModelReply["end"] | "refused" | "cut" {
  return (reason === "error" ? ends[raw ?? ""] : ends[reason]) ?? "cut";
}

function refusal(provider: string, raw: string | undefined, metadata: unknown, text: string): ModelFailure {
  const reasons = [raw, findText(metadata, "explanation"), findText(metadata, "category"), text];
  const explanation = reasons.filter((one) => one !== undefined && one !== "").join(": ");
  return new ModelFailure(
    "MODEL_REFUSED",
    `provider "${provider}" refused to answer: ${shorten(explanation)}`,
  );
}

/** The first text of this name in what the provider says besides. */
function findText(value: unknown, name: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (key === name && typeof inner === "string") return inner;
    const found = findText(inner, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The assistant's messages, as JSON. The SDK adds results of calls with invalid arguments, which the loop writes itself; and
 * providers refuse arguments that are no object.
 */
function storable(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const own = messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    const { content } = message;
    if (typeof content === "string") return [message];
    const parts = content.map((part) =>
      part.type === "tool-call" && !isObject(part.input) ? { ...part, input: {} } : part,
    );
    return [{ ...message, content: parts }];
  });
  return JSON.parse(JSON.stringify(own)) as readonly ModelMessage[];
}

function isUnknownEvent(error: unknown): boolean {
  return error instanceof Error && error.name === "AI_TypeValidationError";
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
