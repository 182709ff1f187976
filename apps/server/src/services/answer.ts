import { assertValid } from "@baton/contract";
import type { Caller } from "@baton/runtime";
import type {
  DescMessage,
  DescMethodBiDiStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { Code, type ConnectError, type HandlerContext } from "@connectrpc/connect";
import { type Call, callOf, whyEnded } from "../calls/call.ts";
import { followUntil } from "../calls/follow.ts";
import { refuse } from "../errors/refuse.ts";
import { type ErrorContext, toConnectError } from "../errors/to-connect-error.ts";
import { refuseLarge } from "./refuse-large.ts";

export interface MethodOptions extends ErrorContext {
  readonly nowMs: () => number;
  readonly callTimeoutMs: number;
  /** Largest message. */
  readonly messageBytes: number;
  /** Largest page of a list. */
  readonly pageSize: number;
  /** Whether workspaces are limited to listed folders. */
  readonly hasListedWorkspaces: boolean;
  /** Ends streams when the server stops; its reason is the error to report. */
  readonly stopped: AbortSignal;
}

/** Treats a larger page than the largest as the largest, as the contract says. */
export function limitPage<Request extends { pageSize: number }>(
  request: Request,
  { pageSize }: MethodOptions,
): Request {
  request.pageSize = Math.min(request.pageSize, pageSize);
  return request;
}

type Answers<O extends DescMessage> = AsyncGenerator<MessageInitShape<O>>;

/** A method with one request and one response: validates the request, calls the hub, reports its errors. */
export function unary<I extends DescMessage, O extends DescMessage>(
  options: MethodOptions,
  method: DescMethodUnary<I, O>,
  ask: (caller: Caller, request: MessageShape<I>) => Promise<MessageInitShape<O>>,
) {
  return async (_: MessageShape<I>, context: HandlerContext): Promise<MessageInitShape<O>> => {
    const call = callOf(context);
    try {
      const request = takeValid(call, method.input);
      const answer = await withTimeout(
        call.during(() => ask(callerOf(call), request)),
        context,
        options,
      );
      refuseLarge(method, context, options.messageBytes)(answer);
      return answer;
    } catch (error) {
      throw errorOf(error, call, context, options);
    }
  };
}

/** A method with one request and a stream of responses. */
export function serverStream<I extends DescMessage, O extends DescMessage>(
  options: MethodOptions,
  method: DescMethodServerStreaming<I, O>,
  ask: (caller: Caller, request: MessageShape<I>, signal: AbortSignal) => AsyncIterable<MessageInitShape<O>>,
) {
  return async function* (_: MessageShape<I>, context: HandlerContext): Answers<O> {
    const call = callOf(context);
    const signal = call.signal(context.signal, options.stopped);
    try {
      const request = takeValid(call, method.input);
      const check = refuseLarge(method, context, options.messageBytes);
      yield* followUntil(signal, ask(callerOf(call), request, signal), check);
      if (signal.aborted) throw whyCallEnded(context, signal);
    } catch (error) {
      throw errorOf(error, call, context, options, signal);
    }
  };
}

/**
 * A method with streams in both directions. Only the first request is validated here. The hub validates the others one by
 * one, so that an invalid request does not end the stream.
 */
export function bidiStream<I extends DescMessage, O extends DescMessage>(
  options: MethodOptions,
  method: DescMethodBiDiStreaming<I, O>,
  ask: (
    caller: Caller,
    requests: AsyncIterable<MessageShape<I>>,
    signal: AbortSignal,
  ) => AsyncIterable<MessageInitShape<O>>,
) {
  return async function* (arrivals: AsyncIterable<MessageShape<I>>, context: HandlerContext): Answers<O> {
    const call = callOf(context);
    const signal = call.signal(context.signal, options.stopped);
    /** Why the requests were cut off; reported whatever the hub does with it. */
    let broken: unknown;
    async function* requests() {
      let first = true;
      try {
        for await (const _ of arrivals) {
          const request = call.take(method.input);
          if (first) assertValid(method.input, request, { nowMs: options.nowMs() });
          first = false;
          yield request;
        }
      } catch (error) {
        broken = error;
        throw error;
      }
    }
    try {
      const check = refuseLarge(method, context, options.messageBytes);
      yield* followUntil(signal, ask(callerOf(call), requests(), signal), check);
      if (signal.aborted) throw whyCallEnded(context, signal);
      if (broken !== undefined) throw broken;
    } catch (error) {
      throw errorOf(broken ?? error, call, context, options, signal);
    }
  };
}

/** The hub checks the deadline: the request may repeat one that it has already accepted (DIS-15). */
function takeValid<I extends DescMessage>(call: Call, schema: I): MessageShape<I> {
  const request = call.take(schema);
  assertValid(schema, request);
  return request;
}

function callerOf(call: Call): Caller {
  if (call.caller === undefined) throw new Error(`${call.method.name} has no authenticated caller`);
  const { traceId, parentSpanId } = call.trace;
  return { ...call.caller, traceId, ...(parentSpanId !== undefined && { parentSpanId }) };
}

/** The hub's answer, or an error when the call times out first. The hub finishes what it has begun. */
async function withTimeout<T>(
  work: Promise<T>,
  context: HandlerContext,
  { callTimeoutMs }: MethodOptions,
): Promise<T> {
  const { signal } = context;
  return new Promise((resolve, reject) => {
    const end = () => reject(whyCallEnded(context, signal));
    const timer = setTimeout(() => reject(timedOut()), callTimeoutMs);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
    });
  });
}

function errorOf(
  error: unknown,
  call: Call,
  context: HandlerContext,
  options: MethodOptions,
  signal = context.signal,
): ConnectError {
  const reported = signal.aborted ? whyCallEnded(context, signal) : toConnectError(error, options);
  call.code = reported.code;
  return reported;
}

/** Tolerance for clock skew: the client may time out shortly before the server does. */
const clockSlackMs = 20;

/** Why a call ended from outside. Connect may give "internal error" as the reason of a timeout. */
function whyCallEnded({ timeoutMs }: HandlerContext, signal: AbortSignal): ConnectError {
  const leftMs = timeoutMs();
  return leftMs !== undefined && leftMs <= clockSlackMs ? timedOut() : whyEnded(signal);
}

function timedOut(): ConnectError {
  return refuse({
    code: Code.DeadlineExceeded,
    id: "BATON-SERVER-008",
    message: "the time for the call ran out",
    fix: "ask again with more time; a task is safe to submit again with the same idempotency key",
  });
}
