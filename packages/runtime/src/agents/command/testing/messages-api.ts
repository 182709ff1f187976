import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A block of a model's answer, as the Messages API has them. */
export type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: object };

export interface ModelRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly name: string }[];
  readonly stream?: boolean;
  readonly model: string;
}

/** The answer of the model to a request, by the number of answers before it. */
export type Model = (request: ModelRequest, turn: number) => readonly Block[];

export interface MessagesApi {
  readonly url: string;
  /** Requests that the model answered. */
  readonly requests: readonly ModelRequest[];
  close(): void;
}

/** A server on this machine that speaks the Messages API of Anthropic, with a model that follows a script. */
export async function serveMessagesApi(model: Model): Promise<MessagesApi> {
  const requests: ModelRequest[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? "/", "http://here");
    if (request.method !== "POST" || pathname !== "/v1/messages")
      return void response.writeHead(404).end("{}");
    const body = JSON.parse(await bodyOf(request)) as ModelRequest;
    // Titles and the like are asked for without tools: they are no part of the conversation.
    const isAside = (body.tools?.length ?? 0) === 0;
    const blocks: readonly Block[] = isAside ? [{ type: "text", text: "{}" }] : model(body, requests.length);
    if (!isAside) requests.push(body);
    if (body.stream) stream(response, body, blocks);
    else response.writeHead(200, json).end(JSON.stringify(messageOf(body, blocks)));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error) =>
      response.writeHead(400, json).end(JSON.stringify(String(error))),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close: () => void server.close() };
}

const json = { "content-type": "application/json" };

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

let messages = 0;

function messageOf({ model }: ModelRequest, content: readonly Block[]) {
  const usesTool = content.some(({ type }) => type === "tool_use");
  return {
    id: `msg_${++messages}`,
    ...{ type: "message", role: "assistant", model, content },
    ...{ stop_reason: usesTool ? "tool_use" : "end_turn", stop_sequence: null },
    usage: { input_tokens: 100, output_tokens: 20 },
  };
}

function stream(response: ServerResponse, request: ModelRequest, blocks: readonly Block[]): void {
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const message = messageOf(request, blocks);
  response.writeHead(200, { "content-type": "text/event-stream" });
  send("message_start", {
    message: { ...message, content: [], stop_reason: null, usage: { input_tokens: 100, output_tokens: 1 } },
  });
  for (const [index, block] of blocks.entries()) {
    send("content_block_start", { index, content_block: emptyBlock(block) });
    send("content_block_delta", { index, delta: deltaOf(block) });
    send("content_block_stop", { index });
  }
  const { stop_reason, stop_sequence } = message;
  send("message_delta", { delta: { stop_reason, stop_sequence }, usage: { output_tokens: 20 } });
  send("message_stop", {});
  response.end();
}

function emptyBlock(block: Block): object {
  if (block.type === "text") return { type: "text", text: "" };
  if (block.type === "thinking") return { type: "thinking", thinking: "", signature: "" };
  return { ...block, input: {} };
}

function deltaOf(block: Block): object {
  if (block.type === "text") return { type: "text_delta", text: block.text };
  if (block.type === "thinking") return { type: "thinking_delta", thinking: block.thinking };
  return { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
}
