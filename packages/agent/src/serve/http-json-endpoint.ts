import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  CancelAgentRequestSchema,
  CancelAgentResponseSchema,
  ContractError,
  decodeJson,
  defaultLimits,
  type ErrorDetail,
  ErrorDetailSchema,
  encodeJson,
  invalid,
  type Moment,
  RunAgentResponseSchema,
  TaskEnvelopeSchema,
  toErrorDetail,
  validate,
} from "@baton/contract";
import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { AgentError } from "../agent-error.ts";
import { momentOf } from "../work/time-left.ts";
import { type AgentCalls, Busy } from "./calls.ts";
import { type Endpoint, hasToken, type ListenAddress, listening } from "./endpoint.ts";

/** `POST /run` and `POST /cancel` with protobuf JSON over HTTP/1.1 (docs/reference/agent-protocols.md). */
export function openHttpJsonEndpoint(
  calls: AgentCalls,
  { host, port, token }: ListenAddress,
): Promise<Endpoint> {
  const server = createServer((request, response) => {
    answer(calls, token, request, response).catch((error) => refuse(response, error));
  });
  return listening(server, host, port);
}

async function answer(
  calls: AgentCalls,
  token: string | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!hasToken(token, request.headers.authorization)) throw new Refusal(401, "the call has no valid token");
  const path = URL.parse(request.url ?? "", "http://agent")?.pathname ?? "";
  if (path !== "/run" && path !== "/cancel") throw new Refusal(404, `unknown path ${path}`);
  if (request.method !== "POST") throw new Refusal(405, "the method must be POST");
  // A web page can send text to any local port, but JSON only where CORS allows it.
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) {
    throw new Refusal(415, "the content type must be application/json");
  }
  const body = await readBody(request);
  if (path === "/run") return run(calls, body, response);
  const outcome = await calls.cancel(read(CancelAgentRequestSchema, body));
  response.writeHead(200, { "content-type": "application/json" });
  response.end(encodeJson(CancelAgentResponseSchema, create(CancelAgentResponseSchema, { outcome })));
}

async function run(calls: AgentCalls, body: Buffer, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const transcript = calls.run(read(TaskEnvelopeSchema, body, momentOf));
  const messages = transcript.listen(gone.signal);
  response.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
  response.flushHeaders(); // The task is accepted, though its first message may be far away.
  for await (const message of messages) {
    const line = `${encodeJson(RunAgentResponseSchema, message)}\n`;
    if (!response.write(line)) await drained(response);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once("drain", resolve);
  response.once("close", resolve);
  return promise;
}

/** A peer may be newer, so unknown fields are ignored (A §2.15). */
function read<Desc extends DescMessage>(
  schema: Desc,
  body: Buffer,
  momentFor: (message: MessageShape<Desc>) => Moment | undefined = () => undefined,
): MessageShape<Desc> {
  const message = decodeJson(schema, body, { unknownFields: "ignore" });
  const violations = validate(schema, message, momentFor(message));
  if (violations.length > 0) throw invalid(schema, violations);
  return message;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += piece.length;
    if (size > defaultLimits.maxBytes) {
      throw new Refusal(413, `a request may have ${defaultLimits.maxBytes} bytes`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, detail } = describe(error);
  response.writeHead(status, {
    "content-type": "application/json",
    ...(status === 429 && { "retry-after": "1" }),
    // The rest of the request is not read.
    ...(status === 413 && { connection: "close" }),
  });
  response.end(encodeJson(ErrorDetailSchema, detail));
}

function describe(error: unknown): { readonly status: number; readonly detail: ErrorDetail } {
  if (error instanceof ContractError) return { status: 400, detail: toErrorDetail(error) };
  if (error instanceof Busy) return { status: 429, detail: detailOf(error.message, "try again later") };
  if (error instanceof Refusal) {
    return { status: error.status, detail: detailOf(error.message, "see docs/reference/agent-protocols.md") };
  }
  if (error instanceof AgentError) {
    const { code, message, fix } = error;
    return { status: 409, detail: create(ErrorDetailSchema, { code, message, fix }) };
  }
  return { status: 500, detail: detailOf("the agent failed to answer", "try again") };
}

function detailOf(message: string, fix: string): ErrorDetail {
  return create(ErrorDetailSchema, { code: "BATON-SDK-018", message, fix });
}
