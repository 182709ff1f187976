import {
  AgentService,
  type CancelAgentRequest,
  type CancelOutcome,
  decodeBinary,
  RunAgentRequestSchema,
  RunAgentResponseSchema,
  type TaskEnvelope,
  type TraceContext,
} from "@baton/contract";
import { create, toBinary } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import {
  type AgentCalls,
  type CallParts,
  isNoConnection,
  NotDelivered,
  type RunMessage,
  readRunMessage,
} from "./agent-calls.ts";
import { openConnection } from "./connect.ts";
import { traceHeaders } from "./trace-headers.ts";

/**
 * RunAgent with undecoded answers: an empty message keeps all unknown fields, so that the bytes can be checked for size and
 * depth before they are decoded.
 */
const runUnread = { ...AgentService.method.runAgent, output: EmptySchema };

/** The tag of `result` in RunAgentResponse. */
const resultTag = 0x1a;

/** AgentService over gRPC. All calls to one agent share one HTTP/2 connection, which is kept alive. */
export class GrpcLink implements AgentCalls {
  readonly #parts: CallParts;
  readonly #sessions: Http2SessionManager;
  readonly #transport: Transport;

  constructor(parts: CallParts) {
    const { url, hosts, limits } = parts;
    this.#parts = parts;
    this.#sessions = new Http2SessionManager(
      url.origin,
      {
        pingIntervalMs: limits.pingMs,
        pingTimeoutMs: limits.pingAnswerMs,
        idleConnectionTimeoutMs: limits.idleMs,
      },
      { createConnection: () => openConnection(url, "h2", hosts, limits) },
    );
    this.#transport = createGrpcTransport({
      baseUrl: url.href,
      sessionManager: this.#sessions,
      acceptCompression: [],
      readMaxBytes: limits.messageBytes,
    });
  }

  async run(envelope: TaskEnvelope, signal: AbortSignal): Promise<AsyncIterable<RunMessage>> {
    if ((await this.#sessions.connect()) === "error") throw notConnected(this.#sessions.error());
    const request = create(RunAgentRequestSchema, { envelope });
    const input = (async function* () {
      yield request;
    })();
    try {
      const headers = this.#headers(envelope.trace);
      const { message } = await this.#transport.stream(runUnread, signal, 0, headers, input);
      return this.#read(message);
    } catch (error) {
      throw isNoConnection(error) ? notConnected(error) : asRefusal(error);
    }
  }

  async cancel(request: CancelAgentRequest, signal: AbortSignal): Promise<CancelOutcome> {
    const { method } = AgentService;
    const headers = this.#headers(request.trace);
    const { message } = await this.#transport.unary(method.cancelAgent, signal, 0, headers, request);
    return message.outcome;
  }

  close(): void {
    this.#sessions.abort();
  }

  async *#read(
    answers: AsyncIterable<Parameters<typeof toBinary<typeof EmptySchema>>[1]>,
  ): AsyncGenerator<RunMessage> {
    let isFirst = true;
    try {
      for await (const answer of answers) {
        isFirst = false;
        const bytes = toBinary(EmptySchema, answer);
        yield readRunMessage(bytes.length, bytes[0] === resultTag, () =>
          decodeBinary(RunAgentResponseSchema, bytes),
        );
      }
    } catch (error) {
      // Headers are sent before the agent has read the task: it may still refuse it.
      throw isFirst ? asRefusal(error) : withoutWords(error);
    }
  }

  #headers(trace: TraceContext | undefined): Record<string, string> {
    const token = this.#parts.token();
    return { ...traceHeaders(trace), ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  }
}

/** Statuses with which an agent refuses a task before it begins. */
const refusals = new Set([
  ...[Code.InvalidArgument, Code.NotFound, Code.AlreadyExists, Code.PermissionDenied, Code.Unauthenticated],
  ...[Code.ResourceExhausted, Code.FailedPrecondition, Code.OutOfRange, Code.Unimplemented],
]);

/** Only the agent sends a status: errors found on this side have none. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof ConnectError) || !error.metadata.has("grpc-status")) return withoutWords(error);
  if (!refusals.has(error.code)) return withoutWords(error);
  return new NotDelivered(`the agent refused it with status ${codeName(error.code)}`);
}

/** Drops the message of the peer: it may be a service that is no agent. */
function withoutWords(error: unknown): unknown {
  return error instanceof ConnectError
    ? new Error(`the call of the agent failed with status ${codeName(error.code)}`)
    : error;
}

function codeName(code: Code): string {
  return Code[code].replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase();
}

function notConnected(cause: unknown): NotDelivered {
  const reason = cause instanceof ConnectError ? cause.rawMessage : String(cause);
  return new NotDelivered(`the agent cannot be reached: ${reason}`, { cause });
}
