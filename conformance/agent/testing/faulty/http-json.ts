import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  type AgentResult,
  AgentResultSchema,
  CancelAgentRequestSchema,
  CancelAgentResponseSchema,
  CancelOutcome,
  decodeJson,
  encodeJson,
  RunAgentResponseSchema,
  TaskEnvelopeSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { Faults } from "./faults.ts";
import { work } from "./work.ts";

interface Running {
  readonly stop: AbortController;
  readonly answered: Promise<AgentResult | undefined>;
  hasEnded: boolean;
}

/** The smallest agent that is called over HTTP, but for its faults. Resolves with its address. */
export async function serveFaultyAgent(faults: Faults): Promise<string> {
  const attempts = new Map<string, Running>();

  async function run(body: Buffer, response: ServerResponse): Promise<void> {
    const envelope = decodeJson(TaskEnvelopeSchema, body, { unknownFields: "ignore" });
    const { dispatchId } = envelope.execution ?? {};
    if (!dispatchId) return void response.writeHead(400).end();
    const running = faults.has("runs-duplicates") ? undefined : attempts.get(dispatchId);
    const stop = running?.stop ?? new AbortController();
    const attempt = running ?? { stop, answered: work(envelope, stop.signal, faults), hasEnded: false };
    attempts.set(dispatchId, attempt);
    const value = await attempt.answered;
    attempt.hasEnded = true;
    // Either form of an answer is right.
    if (value && envelope.routing?.taskType === "conformance.fail") {
      response.writeHead(200, { "content-type": "application/json" });
      return void response.end(encodeJson(AgentResultSchema, value));
    }
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    if (!value) return void response.end();
    const line = encodeJson(
      RunAgentResponseSchema,
      create(RunAgentResponseSchema, { message: { case: "result", value } }),
    );
    response.end(faults.has("answers-twice") ? `${line}\n${line}\n` : `${line}\n`);
  }

  function cancel(body: Buffer, response: ServerResponse): void {
    const { dispatchId } = decodeJson(CancelAgentRequestSchema, body);
    const { STOPPED, ALREADY_ENDED, UNKNOWN } = CancelOutcome;
    const attempt = attempts.get(dispatchId);
    const known = attempt?.hasEnded ? ALREADY_ENDED : STOPPED;
    if (!faults.has("ignores-cancel")) attempt?.stop.abort();
    const outcome = attempt ? known : UNKNOWN;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(encodeJson(CancelAgentResponseSchema, create(CancelAgentResponseSchema, { outcome })));
  }

  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    if (request.url === "/run") await run(body, response);
    else cancel(body, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}
