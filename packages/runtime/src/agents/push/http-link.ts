import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import {
  AgentResultSchema,
  type CancelAgentRequest,
  CancelAgentRequestSchema,
  CancelAgentResponseSchema,
  type CancelOutcome,
  decodeJson,
  encodeJson,
  RunAgentResponseSchema,
  type TaskEnvelope,
  TaskEnvelopeSchema,
  type TraceContext,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import {
  type AgentCalls,
  type CallParts,
  NotDelivered,
  type RunMessage,
  readRunMessage,
} from "./agent-calls.ts";
import { openConnection } from "./connect.ts";
import { readLines } from "./read-lines.ts";
import { traceHeaders } from "./trace-headers.ts";

/** A peer may be newer: unknown fields are ignored (A §2.15). */
const fromPeer = { unknownFields: "ignore" } as const;

/**
 * `POST {uri}/run` and `POST {uri}/cancel` with protobuf JSON (docs/reference/agent-protocols.md). Every call has a
 * connection of its own: the agent could close a reused one in the moment of a call, and the hub would not know whether the
 * task arrived. Redirects are not followed.
 */
export class HttpLink implements AgentCalls {
  readonly #parts: CallParts;
  readonly #open = new AbortController();

  constructor(parts: CallParts) {
    this.#parts = parts;
  }

  async run(envelope: TaskEnvelope, signal: AbortSignal): Promise<AsyncIterable<RunMessage>> {
    const response = await this.#post(
      "run",
      encodeJson(TaskEnvelopeSchema, envelope),
      envelope.trace,
      signal,
    );
    await this.#assertAccepted(response);
    const type = mediaType(response);
    if (type === "application/x-ndjson") return this.#lines(response);
    if (type === "application/json") return this.#oneResult(response);
    response.destroy();
    throw new Error("the agent answered with something else than JSON or JSON lines");
  }

  async cancel(request: CancelAgentRequest, signal: AbortSignal): Promise<CancelOutcome> {
    const asked = encodeJson(CancelAgentRequestSchema, request);
    const response = await this.#post("cancel", asked, request.trace, signal);
    await this.#assertAccepted(response);
    const body = await readAll(response, this.#parts.limits.errorBytes);
    if (!body) throw new Error("the answer to a cancel is too long");
    return decodeJson(CancelAgentResponseSchema, body, fromPeer).outcome;
  }

  close(): void {
    this.#open.abort();
  }

  #post(
    call: "run" | "cancel",
    body: string,
    trace: TraceContext | undefined,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { url, hosts, token, limits } = this.#parts;
    const target = new URL(`${url.pathname.replace(/\/+$/, "")}/${call}`, url);
    const bearer = token();
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    let isConnected = false;
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(target, {
      method: "POST",
      signal: AbortSignal.any([signal, this.#open.signal]),
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        accept: "application/x-ndjson, application/json",
        "accept-encoding": "identity",
        ...traceHeaders(trace),
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      },
      createConnection: () =>
        openConnection(url, "http/1.1", hosts, limits).once(
          url.protocol === "https:" ? "secureConnect" : "connect",
          () => {
            isConnected = true;
          },
        ),
    });
    request.once("response", (response) => {
      response.on("error", () => {}); // The reader gets it; there may be none yet.
      resolve(response);
    });
    request.on("error", (error) => {
      const never = `the agent cannot be reached: ${error.message}`;
      reject(isConnected ? error : new NotDelivered(never, { cause: error }));
    });
    request.end(body);
    return promise;
  }

  /** Throws when the agent did not accept the call; `NotDelivered` only when it certainly does not work on it. */
  async #assertAccepted(response: IncomingMessage): Promise<void> {
    const { statusCode = 0, headers } = response;
    if (statusCode >= 200 && statusCode < 300) {
      const encoding = headers["content-encoding"] ?? "identity";
      if (encoding === "identity") return;
      response.destroy();
      throw new Error("the agent answered in an encoding that was not asked for");
    }
    // The body is not read: it may come from a service that is no agent.
    response.destroy();
    if (statusCode === 429) throw new NotDelivered("the agent is busy (status 429)");
    if (statusCode >= 300 && statusCode < 500)
      throw new NotDelivered(`the agent refused it with status ${statusCode}`);
    throw new Error(`the agent failed with status ${statusCode}`);
  }

  async *#lines(response: IncomingMessage): AsyncGenerator<RunMessage> {
    for await (const line of readLines(response, this.#parts.limits.messageBytes)) {
      if (line.kind === "blank") yield { kind: "nothing", bytes: line.bytes };
      else if (line.kind === "too-long") {
        const reason = `a line is longer than ${this.#parts.limits.messageBytes} bytes`;
        yield { kind: "unreadable", bytes: line.bytes, reason, isResult: beginsAsResult(line.beginning) };
        return;
      } else {
        const { text } = line;
        yield readRunMessage(text.length, beginsAsResult(text), () =>
          decodeJson(RunAgentResponseSchema, text, fromPeer),
        );
      }
    }
  }

  /** A simple agent answers with one AgentResult. */
  async *#oneResult(response: IncomingMessage): AsyncGenerator<RunMessage> {
    const { messageBytes } = this.#parts.limits;
    const body = await readAll(response, messageBytes);
    if (!body) {
      const reason = `the result is longer than ${messageBytes} bytes`;
      yield { kind: "unreadable", bytes: messageBytes, reason, isResult: true };
    } else if (body.length > 0) {
      yield readRunMessage(body.length, true, () => {
        const value = decodeJson(AgentResultSchema, body, fromPeer);
        return create(RunAgentResponseSchema, { message: { case: "result", value } });
      });
    }
  }
}

function mediaType({ headers }: IncomingMessage): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function beginsAsResult(line: Buffer): boolean {
  return /^\s*\{\s*"result"\s*:/.test(line.toString("latin1", 0, 64));
}

/** Undefined when it is too long. */
async function readAll(response: IncomingMessage, max: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response) {
    size += piece.length;
    if (size > max) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
