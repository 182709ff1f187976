import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { argsText, piecesOf, type RecordedMessage, type ScriptedReply } from "../reply.ts";
import {
  contentText,
  defaultUsage,
  isObject,
  objects,
  sse,
  textOf,
  type Wire,
  type WireEvent,
} from "./wire.ts";

const stops = { end: "stop", tools: "tool_calls", length: "length", refusal: "content_filter" } as const;

function deltasOf(reply: ScriptedReply): readonly JsonObject[] {
  return [
    ...piecesOf(reply.reasoning).map((reasoning_content) => ({ reasoning_content })),
    ...piecesOf(reply.text).map((content) => ({ content })),
    ...(reply.toolCalls ?? []).map((call, index) => ({
      tool_calls: [
        {
          ...{ index, id: call.id ?? `call_${index}`, type: "function" },
          function: { name: call.name, arguments: argsText(call) },
        },
      ],
    })),
  ];
}

function messageOf(message: JsonObject): RecordedMessage {
  const { role, content, tool_calls: calls, tool_call_id: id } = message;
  const isResult = role === "tool";
  return {
    role: textOf(role),
    text: isResult ? "" : contentText(content),
    toolCalls: objects(calls).map((call) => {
      const called: JsonObject = isObject(call.function) ? call.function : {};
      return { id: textOf(call.id), name: textOf(called.name), args: textOf(called.arguments) };
    }),
    toolResults: isResult ? [{ id: textOf(id), text: contentText(content) }] : [],
  };
}

/** Chat completions of OpenAI and of compatible servers. */
export const openaiChatWire: Wire = {
  events(reply, model, id) {
    const usage = { ...defaultUsage, ...reply.usage };
    const stop = reply.stop ?? (reply.toolCalls?.length ? "tools" : "end");
    const chunk = (choices: JsonValue, more: JsonObject = {}): string =>
      sse({
        ...{ id, object: "chat.completion.chunk", created: 1_700_000_000, model: reply.model ?? model },
        ...{ choices, ...more },
      });
    const choice = (delta: JsonObject, finish_reason: string | null = null) => [
      { index: 0, delta, finish_reason },
    ];
    const input = usage.input + usage.cacheRead + usage.cacheWrite;
    const total: JsonObject = {
      ...{ prompt_tokens: input, completion_tokens: usage.output, total_tokens: input + usage.output },
      prompt_tokens_details: { cached_tokens: usage.cacheRead },
      completion_tokens_details: { reasoning_tokens: usage.reasoning },
    };
    const other = (text: string): WireEvent => ({ isOutput: false, text });
    return [
      other(chunk(choice({ role: "assistant", content: "" }))),
      ...deltasOf(reply).map((delta) => ({ isOutput: true, text: chunk(choice(delta)) })),
      other(chunk(choice({}, stops[stop]))),
      other(chunk([], { usage: total })),
      other("data: [DONE]\n\n"),
    ];
  },
  errorEvent: ({ type, message }) => sse({ error: { message, type, code: type, param: null } }),
  errorBody: ({ type = "error", message = "" }) => ({ error: { message, type, code: type, param: null } }),
  ping: ": ping\n\n",
  read: (body) => {
    const messages = objects(body.messages);
    const isSystem = ({ role }: JsonObject) => role === "system" || role === "developer";
    return {
      system: messages
        .filter(isSystem)
        .map(({ content }) => contentText(content))
        .join("\n"),
      messages: messages.filter((message) => !isSystem(message)).map(messageOf),
      tools: objects(body.tools).map((tool) => {
        const { name, description, parameters } = isObject(tool.function) ? tool.function : tool;
        return { name: textOf(name), description: textOf(description), schema: parameters as JsonValue };
      }),
    };
  },
};
