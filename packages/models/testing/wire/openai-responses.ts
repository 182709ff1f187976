import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { argsText, piecesOf, type RecordedMessage, type ScriptedReply } from "../reply.ts";
import {
  contentText,
  defaultUsage,
  emptyMessage,
  objects,
  sse,
  textOf,
  type Wire,
  type WireEvent,
} from "./wire.ts";

function event(data: JsonObject, isOutput = false): WireEvent {
  return { isOutput, text: sse(data, textOf(data.type)) };
}

/** One item of the output: its events and its completed form. */
interface Item {
  readonly events: readonly WireEvent[];
  readonly done: JsonObject;
}

function reasoningItem(pieces: readonly string[], at: number): Item {
  const id = `rs_${at}`;
  const done = { type: "reasoning", id, summary: [{ type: "summary_text", text: pieces.join("") }] };
  const part = { item_id: id, output_index: at, summary_index: 0 };
  return {
    done,
    events: [
      event({
        type: "response.output_item.added",
        output_index: at,
        item: { type: "reasoning", id, summary: [] },
      }),
      event({
        type: "response.reasoning_summary_part.added",
        ...part,
        part: { type: "summary_text", text: "" },
      }),
      ...pieces.map((delta) =>
        event({ type: "response.reasoning_summary_text.delta", ...part, delta }, true),
      ),
      event({ type: "response.reasoning_summary_part.done", ...part, part: done.summary[0] as JsonObject }),
      event({ type: "response.output_item.done", output_index: at, item: done }),
    ],
  };
}

function textItem(pieces: readonly string[], at: number): Item {
  const id = `msg_${at}`;
  const message = { type: "message", id, role: "assistant" };
  const done = {
    ...{ ...message, status: "completed" },
    content: [{ type: "output_text", text: pieces.join(""), annotations: [] }],
  };
  const delta = (piece: string) => ({
    ...{ type: "response.output_text.delta", item_id: id, output_index: at, content_index: 0, delta: piece },
  });
  return {
    done,
    events: [
      event({
        type: "response.output_item.added",
        output_index: at,
        item: { ...message, status: "in_progress", content: [] },
      }),
      ...pieces.map((piece) => event(delta(piece), true)),
      event({ type: "response.output_item.done", output_index: at, item: done }),
    ],
  };
}

function toolItem(name: string, args: string, callId: string, at: number): Item {
  const call = { type: "function_call", id: `fc_${at}`, call_id: callId, name };
  const done = { ...call, arguments: args, status: "completed" };
  return {
    done,
    events: [
      event({
        type: "response.output_item.added",
        output_index: at,
        item: { ...call, arguments: "", status: "in_progress" },
      }),
      event(
        {
          type: "response.function_call_arguments.delta",
          ...{ item_id: call.id, output_index: at, delta: args },
        },
        true,
      ),
      event({ type: "response.output_item.done", output_index: at, item: done }),
    ],
  };
}

function itemsOf(reply: ScriptedReply): readonly Item[] {
  const items: Item[] = [];
  const reasoning = piecesOf(reply.reasoning);
  if (reasoning.length > 0) items.push(reasoningItem(reasoning, items.length));
  const text = piecesOf(reply.text);
  if (text.length > 0) items.push(textItem(text, items.length));
  for (const call of reply.toolCalls ?? [])
    items.push(toolItem(call.name, argsText(call), call.id ?? `call_${items.length}`, items.length));
  return items;
}

function messageOf(item: JsonObject): RecordedMessage {
  const { type, role, content, call_id: id } = item;
  if (type === "function_call") {
    const call = { id: textOf(id), name: textOf(item.name), args: textOf(item.arguments) };
    return { ...emptyMessage, role: "assistant", toolCalls: [call] };
  }
  if (type === "function_call_output")
    return { ...emptyMessage, role: "tool", toolResults: [{ id: textOf(id), text: textOf(item.output) }] };
  return { ...emptyMessage, role: textOf(role), text: contentText(content) };
}

/** The Responses API of OpenAI. */
export const openaiResponsesWire: Wire = {
  events(reply, model, id) {
    const usage = { ...defaultUsage, ...reply.usage };
    const items = itemsOf(reply);
    const response = { id, object: "response", created_at: 1_700_000_000, model: reply.model ?? model };
    const incomplete = { length: "max_output_tokens", refusal: "content_filter" } as const;
    const reason = incomplete[reply.stop as keyof typeof incomplete];
    const input = usage.input + usage.cacheRead + usage.cacheWrite;
    const end: JsonObject = {
      ...response,
      status: reason === undefined ? "completed" : "incomplete",
      incomplete_details: reason === undefined ? null : { reason },
      output: items.map(({ done }) => done),
      usage: {
        ...{ input_tokens: input, input_tokens_details: { cached_tokens: usage.cacheRead } },
        ...{ output_tokens: usage.output, output_tokens_details: { reasoning_tokens: usage.reasoning } },
        total_tokens: input + usage.output,
      },
    };
    return [
      event({ type: "response.created", response: { ...response, status: "in_progress", output: [] } }),
      ...items.flatMap(({ events }) => events),
      event({ type: `response.${reason === undefined ? "completed" : "incomplete"}`, response: end }),
    ];
  },
  errorEvent: ({ type, message }) =>
    sse({ type: "error", sequence_number: 1, error: { type, code: type, message, param: null } }, "error"),
  errorBody: ({ type = "error", message = "" }) => ({ error: { message, type, code: type, param: null } }),
  ping: ": ping\n\n",
  read: (body) => {
    const items = objects(body.input);
    const isSystem = ({ role }: JsonObject) => role === "system" || role === "developer";
    const system = [
      ...(typeof body.instructions === "string" ? [body.instructions] : []),
      ...items.filter(isSystem).map(({ content }) => contentText(content)),
    ];
    return {
      system: system.join("\n"),
      messages: items.filter((item) => !isSystem(item)).map(messageOf),
      tools: objects(body.tools).map(({ name, description, parameters }) => ({
        ...{ name: textOf(name), description: textOf(description), schema: parameters as JsonValue },
      })),
    };
  },
};
