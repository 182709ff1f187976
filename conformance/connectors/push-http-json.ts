import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  AgentTransport,
  CancelAgentRequestSchema,
  CancelAgentResponseSchema,
  decodeJson,
  encodeJson,
  RunAgentResponseSchema,
  TaskEnvelopeSchema,
} from "@baton/contract";
import type { Hub } from "@baton/runtime";
import { create } from "@bufbuild/protobuf";
import { announce } from "./announce.ts";
import type { Connector } from "./connector.ts";
import { listening } from "./listening.ts";
import { PushedAgent, type Utterance } from "./pushed-agent.ts";

/** An agent that listens for plain HTTP: `POST /run` and `POST /cancel` with JSON, as any web framework serves it. */
export const pushHttpJson: Connector = {
  name: "push over HTTP with JSON",
  async connectAgent(hub, behaviour) {
    let current: Hub = hub;
    const agent = new PushedAgent(
      behaviour,
      () => cutOff(),
      () => current,
    );
    const server = createServer(async (request, response) => {
      const body = await readBody(request);
      if (request.url === "/run") return answer(response, agent.run(decodeJson(TaskEnvelopeSchema, body)));
      const outcome = agent.cancel(decodeJson(CancelAgentRequestSchema, body));
      response.setHeader("content-type", "application/json");
      response.end(encodeJson(CancelAgentResponseSchema, create(CancelAgentResponseSchema, { outcome })));
    });
    const { uri, cutOff } = await listening(server);
    const returnTo = (to: Hub) => {
      current = to;
      return announce(to, { uri, transport: AgentTransport.HTTP_JSON });
    };
    await returnTo(hub);
    return { returnTo };
  },
};

async function answer(response: ServerResponse, messages: AsyncIterable<Utterance>): Promise<void> {
  response.setHeader("content-type", "application/x-ndjson");
  for await (const one of messages) {
    if (one === "no room") {
      response.writeHead(429).end();
      return;
    }
    const line = one === "babble" ? "this is no message" : encodeJson(RunAgentResponseSchema, one);
    if (!response.write(`${line}\n`) && !response.destroyed) await once(response, "drain").catch(() => {});
  }
  response.end();
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}
