import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Caller } from "@baton/runtime";
import type { DescMessage, DescMethodBiDiStreaming, MessageShape } from "@bufbuild/protobuf";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { compressionGzip } from "@connectrpc/connect-node";
import type { ServerLimits } from "../limits.ts";
import { Call } from "./call.ts";
import { endUnreadBody } from "./end-unread-body.ts";
import { enterGate, type Gate } from "./gate.ts";
import { GrpcAnswers } from "./grpc-answers.ts";
import { GrpcRequests } from "./grpc-requests.ts";
import { linkSignals } from "./link-signals.ts";
import { logCall } from "./log-call.ts";
import { pumpAnswers } from "./pump-answers.ts";
import { type Telling, toConnectError } from "./to-connect-error.ts";
import { readTrace, writeTrace } from "./trace.ts";
import { whyEnded } from "./why-ended.ts";

/**
 * A method with many requests and many answers that is served without Connect when it is called over plain gRPC: on a
 * stream that carries thousands of small messages a second, Connect's chain of iterators costs more than the hub does.
 */
export interface DirectMethod {
  readonly path: string;
  serve(request: Http2ServerRequest, response: Http2ServerResponse, serving: DirectServing): void;
}

interface DirectServing extends Telling {
  readonly limits: ServerLimits;
}

interface DirectParts {
  readonly gate: Gate;
  readonly nowMs: () => number;
  /** Ends streams when the server stops; its reason is the error to tell. */
  readonly stopped: AbortSignal;
}

type Ask<I extends DescMessage, O extends DescMessage> = (
  caller: Caller,
  requests: AsyncIterable<MessageShape<I>>,
  signal: AbortSignal,
) => AsyncIterable<MessageShape<O>>;

export function directMethod<I extends DescMessage, O extends DescMessage>(
  parts: DirectParts,
  method: DescMethodBiDiStreaming<I, O>,
  ask: Ask<I, O>,
): DirectMethod {
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    serve: (request, response, serving) =>
      void serve(request, response, { ...parts, ...serving, method, ask }),
  };
}

/** Whether a request is what is served directly. For all else, such as compression and deadlines, there is Connect. */
export function isPlainGrpc({ method, headers }: Http2ServerRequest): boolean {
  return (
    method === "POST" &&
    /^application\/grpc(?:\+proto)?$/i.test(headers["content-type"] ?? "") &&
    (headers["grpc-encoding"] ?? "identity") === "identity" &&
    headers["grpc-timeout"] === undefined
  );
}

interface Serving<I extends DescMessage, O extends DescMessage> extends DirectParts, DirectServing {
  readonly method: DescMethodBiDiStreaming<I, O>;
  readonly ask: Ask<I, O>;
}

async function serve<I extends DescMessage, O extends DescMessage>(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  { gate, nowMs, stopped, limits, log, errors, method, ask }: Serving<I, O>,
): Promise<void> {
  const call = new Call(method, readTrace(headerOf(request, "traceparent")));
  const callLog = log.child({ traceId: call.trace.traceId });
  const gone = new AbortController();
  const signal = linkSignals(gone.signal, stopped);
  endUnreadBody(request, response);
  for (const end of [request, response]) end.on("error", () => undefined); // What is to know of it, "close" tells.
  let isAnswered = false;
  response.once("close", () => {
    gone.abort();
    call.close();
    logCall(call, undefined, isAnswered, callLog);
  });
  const answers = new GrpcAnswers(request.stream, method.output, limits.messageBytes);
  let requests: GrpcRequests<I> | undefined;
  let error: unknown;
  try {
    response.writeHead(200, {
      "content-type": "application/grpc+proto",
      "grpc-accept-encoding": compressionGzip.name, // Who compresses is served by Connect.
      traceresponse: writeTrace(call.trace),
    });
    const caller = enterGate(gate, call, headerOf(request, "authorization"));
    requests = new GrpcRequests(request.stream, method.input, limits, nowMs);
    await pumpAnswers(ask(caller, requests, signal), answers, request.stream, signal);
    error = requests.broken;
  } catch (thrown) {
    error = requests?.broken ?? thrown;
  }
  if (gone.signal.aborted) return;
  answers.flush();
  if (signal.aborted) error = whyEnded(signal);
  const told = error === undefined ? undefined : toConnectError(error, { log: callLog, errors });
  call.code = told?.code;
  response.addTrailers(Object.fromEntries(setTrailerStatus(new Headers(), told)));
  isAnswered = true;
  response.end();
  requests?.stop();
}

function headerOf({ headers }: Http2ServerRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}
