import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from "node:http2";
import { ContractError } from "@baton/contract";
import type { Caller } from "@baton/runtime";
import type {
  DescMessage,
  DescMethodBiDiStreaming,
  DescMethodServerStreaming,
  MessageShape,
} from "@bufbuild/protobuf";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { compressionGzip } from "@connectrpc/connect-node";
import { type Authorization, authorizeCall } from "../calls/authorize.ts";
import { Call, whyEnded } from "../calls/call.ts";
import { logCall } from "../calls/log-call.ts";
import { readTrace, writeTrace } from "../calls/trace.ts";
import { type ErrorContext, toConnectError } from "../errors/to-connect-error.ts";
import type { ServerLimits } from "../limits.ts";
import { endUnreadBody } from "../transport/end-unread-body.ts";
import { GrpcAnswers, GrpcFrames } from "./grpc-answers.ts";
import { GrpcRequests } from "./grpc-requests.ts";
import { pumpAnswers } from "./pump-answers.ts";

/**
 * A streaming method that bypasses Connect when it is called over plain gRPC: on a stream with thousands of small messages
 * per second, Connect's chain of iterators costs more than the hub itself.
 */
export interface DirectMethod {
  readonly path: string;
  serve(request: Http2ServerRequest, response: Http2ServerResponse, serving: DirectServing): void;
}

interface DirectServing extends ErrorContext {
  readonly limits: ServerLimits;
}

interface DirectParts {
  readonly authorization: Authorization;
  readonly nowMs: () => number;
  /** Largest message. */
  readonly messageBytes: number;
  /** Ends streams when the server stops; its reason is the error to report. */
  readonly stopped: AbortSignal;
}

type DirectDescription<I extends DescMessage, O extends DescMessage> =
  | DescMethodBiDiStreaming<I, O>
  | DescMethodServerStreaming<I, O>;

/** Puts all responses of a call into `answers`; the call ends when it resolves or throws. */
type Answer<I extends DescMessage, O extends DescMessage> = (
  caller: Caller,
  requests: GrpcRequests<I>,
  answers: GrpcAnswers<O>,
  call: { readonly stream: ServerHttp2Stream; readonly signal: AbortSignal },
) => Promise<void>;

export function directBidiStream<I extends DescMessage, O extends DescMessage>(
  parts: DirectParts,
  method: DescMethodBiDiStreaming<I, O>,
  ask: (
    caller: Caller,
    requests: AsyncIterable<MessageShape<I>>,
    signal: AbortSignal,
  ) => AsyncIterable<MessageShape<O>>,
): DirectMethod {
  return directMethod(parts, method, (caller, requests, answers, { stream, signal }) =>
    pumpAnswers(ask(caller, requests, signal), (message) => answers.put(message), stream, signal),
  );
}

/** The responses come in lists; streams that receive the same list share its bytes. */
export function directServerStream<I extends DescMessage, O extends DescMessage>(
  parts: DirectParts,
  method: DescMethodServerStreaming<I, O>,
  ask: (
    caller: Caller,
    request: MessageShape<I>,
    signal: AbortSignal,
  ) => AsyncIterable<Iterable<MessageShape<O>> & object>,
): DirectMethod {
  return directMethod(parts, method, async (caller, requests, answers, { stream, signal }) => {
    const request = await onlyOne(requests, method);
    await pumpAnswers(ask(caller, request, signal), (messages) => answers.putAll(messages), stream, signal);
  });
}

function directMethod<I extends DescMessage, O extends DescMessage>(
  parts: DirectParts,
  method: DirectDescription<I, O>,
  answer: Answer<I, O>,
): DirectMethod {
  const frames = new GrpcFrames(method.output, parts.messageBytes);
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    serve: (request, response, serving) =>
      void serve(request, response, { ...parts, ...serving, method, frames, answer }),
  };
}

/** Whether a request can be served directly. Connect serves all others, such as those with compression or a deadline. */
export function isPlainGrpc({ method, headers }: Http2ServerRequest): boolean {
  return (
    method === "POST" &&
    /^application\/grpc(?:\+proto)?$/i.test(headers["content-type"] ?? "") &&
    (headers["grpc-encoding"] ?? "identity") === "identity" &&
    headers["grpc-timeout"] === undefined
  );
}

interface Serving<I extends DescMessage, O extends DescMessage> extends DirectParts, DirectServing {
  readonly method: DirectDescription<I, O>;
  readonly frames: GrpcFrames<O>;
  readonly answer: Answer<I, O>;
}

async function serve<I extends DescMessage, O extends DescMessage>(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  { authorization, nowMs, stopped, limits, log, errors, method, frames, answer }: Serving<I, O>,
): Promise<void> {
  const call = new Call(method, readTrace(headerOf(request, "traceparent")));
  const callLog = log.child({ traceId: call.trace.traceId });
  const gone = new AbortController();
  const signal = call.signal(gone.signal, stopped);
  endUnreadBody(request, response);
  for (const end of [request, response]) end.on("error", () => undefined); // "close" follows.
  let isAnswered = false;
  response.once("close", () => {
    gone.abort();
    call.close();
    logCall(call, undefined, isAnswered, callLog);
  });
  const { stream } = request;
  const answers = new GrpcAnswers(stream, frames);
  let requests: GrpcRequests<I> | undefined;
  let error: unknown;
  try {
    response.writeHead(200, {
      "content-type": "application/grpc+proto",
      "grpc-accept-encoding": compressionGzip.name, // Connect serves compressed requests.
      traceresponse: writeTrace(call.trace),
    });
    const caller = authorizeCall(authorization, call, headerOf(request, "authorization"));
    requests = new GrpcRequests(stream, method, limits, nowMs);
    await answer(caller, requests, answers, { stream, signal });
    error = requests.broken;
  } catch (thrown) {
    error = requests?.broken ?? thrown;
  }
  if (gone.signal.aborted) return;
  answers.flush();
  if (signal.aborted) error = whyEnded(signal);
  const failure =
    error === undefined ? undefined : call.fail(toConnectError(error, { log: callLog, errors }));
  response.addTrailers(Object.fromEntries(setTrailerStatus(new Headers(), failure)));
  isAnswered = true;
  response.end();
  requests?.stop();
}

async function onlyOne<I extends DescMessage>(
  requests: AsyncIterable<MessageShape<I>>,
  { name, input }: DirectDescription<I, DescMessage>,
): Promise<MessageShape<I>> {
  const iterator = requests[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (!first.done && (await iterator.next()).done) return first.value;
  const problem = first.done ? "the call has no message" : "the call has more than one message";
  throw new ContractError("BATON-CONTRACT-002", input.typeName, problem, [], {
    fix: `send one ${input.name} with ${name}, and end the request`,
  });
}

function headerOf({ headers }: Http2ServerRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}
