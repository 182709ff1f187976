import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { argsText, piecesOf, type RecordedMessage, type ScriptedReply } from "../reply.ts";
import { contentText, defaultUsage, objects, sse, textOf, type Wire, type WireEvent } from "./wire.ts";

const stops = { end: "end_turn", tools: "tool_use", length: "max_tokens", refusal: "refusal" } as const;

function event(data: JsonObject, isOutput = false): WireEvent {
  return { isOutput, text: sse(data, textOf(data.type)) };
}

function block(index: number, start: JsonObject, deltas: readonly JsonObject[]): readonly WireEvent[] {
  return [
    event({ type: "content_block_start", index, content_block: start }),
    ...deltas.map((delta) => event({ type: "content_block_delta", index, delta }, true)),
    event({ type: "content_block_stop", index }),
  ];
}

function blocksOf(reply: ScriptedReply): readonly WireEvent[] {
  const reasoning = piecesOf(reply.reasoning);
  const text = piecesOf(reply.text);
  const blocks: (readonly [JsonObject, readonly JsonObject[]])[] = [];
  if (reasoning.length > 0)
    blocks.push([
      { type: "thinking", thinking: "", signature: "" },
      [
        ...reasoning.map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: "c2lnbmF0dXJl" },
      ],
    ]);
  if (text.length > 0)
    blocks.push([{ type: "text", text: "" }, text.map((piece) => ({ type: "text_delta", text: piece }))]);
  for (const [index, call] of (reply.toolCalls ?? []).entries())
    blocks.push([
      { type: "tool_use", id: call.id ?? `toolu_${index}`, name: call.name, input: {} },
      [{ type: "input_json_delta", partial_json: argsText(call) }],
    ]);
  return blocks.flatMap(([start, deltas], index) => block(index, start, deltas));
}

function messageOf(message: JsonObject): RecordedMessage {
  const parts = objects(message.content);
  const ofType = (type: string) => parts.filter((part) => part.type === type);
  return {
    role: textOf(message.role),
    text: contentText(message.content),
    toolCalls: ofType("tool_use").map(({ id, name, input }) => ({
      ...{ id: textOf(id), name: textOf(name), args: JSON.stringify(input) },
    })),
    toolResults: ofType("tool_result").map(({ tool_use_id: id, content }) => ({
      ...{ id: textOf(id), text: contentText(content) },
    })),
  };
}

/** The Messages API of Anthropic. */
export const anthropicWire: Wire = {
  events(reply, model, id) {
    const usage = { ...defaultUsage, ...reply.usage };
    const stop = reply.stop ?? (reply.toolCalls?.length ? "tools" : "end");
    const input: JsonObject = {
      input_tokens: usage.input,
      cache_read_input_tokens: usage.cacheRead,
      cache_creation_input_tokens: usage.cacheWrite,
    };
    const start: JsonObject = {
      ...{ id, type: "message", role: "assistant", model: reply.model ?? model, content: [] },
      ...{ stop_reason: null, stop_sequence: null, usage: { ...input, output_tokens: 1 } },
    };
    return [
      event({ type: "message_start", message: start }),
      event({ type: "ping" }),
      ...blocksOf(reply),
      event({
        type: "message_delta",
        delta: { stop_reason: stops[stop], stop_sequence: null },
        usage: { ...input, output_tokens: usage.output },
      }),
      event({ type: "message_stop" }),
    ];
  },
  errorEvent: ({ type, message }) => sse({ type: "error", error: { type, message } }, "error"),
  errorBody: ({ status, type = anthropicTypes[status] ?? "api_error", message = "" }) => ({
    type: "error",
    error: { type, message },
  }),
  ping: sse({ type: "ping" }, "ping"),
  read: (body) => ({
    system: contentText(body.system),
    messages: objects(body.messages).map(messageOf),
    tools: objects(body.tools).map(({ name, description, input_schema }) => ({
      ...{ name: textOf(name), description: textOf(description), schema: input_schema as JsonValue },
    })),
  }),
};

const anthropicTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};
