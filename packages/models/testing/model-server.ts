import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import { isError, type RecordedRequest, type Script, type Scripted, type WireName } from "./reply.ts";
import { anthropicWire } from "./wire/anthropic.ts";
import { openaiChatWire } from "./wire/openai-chat.ts";
import { openaiResponsesWire } from "./wire/openai-responses.ts";
import type { Wire } from "./wire/wire.ts";
import { writeStream } from "./write-stream.ts";

const wires: Readonly<Record<string, readonly [WireName, Wire]>> = {
  "/v1/messages": ["anthropic", anthropicWire],
  "/v1/chat/completions": ["openai-chat", openaiChatWire],
  "/v1/responses": ["openai-responses", openaiResponsesWire],
};

/** A local model that speaks the protocols of Anthropic and OpenAI and says what a script decides. */
export interface ModelServer {
  /** `base_url` of a provider of any kind. */
  readonly baseUrl: string;
  /** All requests so far. */
  readonly requests: readonly RecordedRequest[];
  /** Replaces the script. A list is used up one by one; after the last, requests are refused. */
  script(script: Script | readonly Scripted[]): void;
  close(): Promise<void>;
}

export async function startModelServer(
  script: Script | readonly Scripted[] = [],
  { port = 0 }: { readonly port?: number } = {},
): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  let current = asScript(script);
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end(String(error));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const [name, wire] = wires[path] ?? [];
    if (name === undefined || wire === undefined)
      return void response.writeHead(404).end(`no protocol at ${path}`);
    const body = JSON.parse(await textOf(request)) as JsonObject;
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([key, value]) => [key, String(value)]),
    );
    const recorded: RecordedRequest = {
      ...{ wire: name, path, headers, body, model: String(body.model), atMs: Date.now() },
      ...wire.read(body),
    };
    const index = requests.push(recorded) - 1;
    const scripted = await current(recorded, index);
    if (isError(scripted)) {
      response.writeHead(scripted.status, { "content-type": "application/json", ...scripted.headers });
      response.end(scripted.body ?? JSON.stringify(wire.errorBody(scripted)));
      return;
    }
    const { stream = {} } = scripted;
    if (stream.firstDelayMs !== undefined) await sleep(stream.firstDelayMs, undefined, { ref: false });
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    await writeStream(response, wire, wire.events(scripted, recorded.model, `answer_${index}`), stream);
  }

  const { port: used } = await listen(server, port);
  return {
    baseUrl: `http://127.0.0.1:${used}/v1`,
    requests,
    script: (next) => {
      current = asScript(next);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function asScript(script: Script | readonly Scripted[]): Script {
  if (typeof script === "function") return script;
  const left = [...script];
  return () => left.shift() ?? { status: 400, message: "the script of the model has no more answers" };
}

function listen(server: Server, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server.address() as AddressInfo));
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
