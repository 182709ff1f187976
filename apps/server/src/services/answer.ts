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
import { type Call, callOf } from "../rpc/call.ts";
import { linkSignals } from "../rpc/link-signals.ts";
import { refuse } from "../rpc/refuse.ts";
import { type Telling, toConnectError } from "../rpc/to-connect-error.ts";
import { whyEnded } from "../rpc/why-ended.ts";
import { followUntil } from "./follow.ts";
import { refuseLarge } from "./refuse-large.ts";

export interface Answering extends Telling {
  readonly nowMs: () => number;
  readonly callTimeoutMs: number;
  /** What a message has at the most. */
  readonly messageBytes: number;
  /** Ends streams, which would not end by themselves, when the server stops; its reason is the error to tell. */
  readonly stopped: AbortSignal;
}

type Answers<O extends DescMessage> = AsyncGenerator<MessageInitShape<O>>;

/** A method with one request and one answer: the request is checked, the hub asked, its errors told. */
export function unary<I extends DescMessage, O extends DescMessage>(
  answering: Answering,
  method: DescMethodUnary<I, O>,
  ask: (caller: Caller, request: MessageShape<I>) => Promise<MessageInitShape<O>>,
) {
  return async (_: MessageShape<I>, context: HandlerContext): Promise<MessageInitShape<O>> => {
    const call = callOf(context);
    try {
      const request = takeValid(call, method.input);
      const answer = await inTime(
        call.during(() => ask(callerOf(call), request)),
        context,
        answering,
      );
      refuseLarge(method, context, answering.messageBytes)(answer);
      return answer;
    } catch (error) {
      throw tell(error, call, context, answering);
    }
  };
}

/** A method with one request and many answers. */
export function serverStream<I extends DescMessage, O extends DescMessage>(
  answering: Answering,
  method: DescMethodServerStreaming<I, O>,
  ask: (caller: Caller, request: MessageShape<I>, signal: AbortSignal) => AsyncIterable<MessageInitShape<O>>,
) {
  return async function* (_: MessageShape<I>, context: HandlerContext): Answers<O> {
    const call = callOf(context);
    const signal = linkSignals(linkSignals(context.signal, answering.stopped), call.ended);
    try {
      const request = takeValid(call, method.input);
      const look = refuseLarge(method, context, answering.messageBytes);
      yield* followUntil(signal, ask(callerOf(call), request, signal), look);
      if (signal.aborted) throw whyCallEnded(context, signal);
    } catch (error) {
      throw tell(error, call, context, answering, signal);
    }
  };
}

/**
 * A method with many requests and many answers. The first request is checked here: when it is not valid nothing begins.
 * Those that follow are for the hub to judge one by one, so that a bad one is refused and not the stream.
 */
export function bidiStream<I extends DescMessage, O extends DescMessage>(
  answering: Answering,
  method: DescMethodBiDiStreaming<I, O>,
  ask: (
    caller: Caller,
    requests: AsyncIterable<MessageShape<I>>,
    signal: AbortSignal,
  ) => AsyncIterable<MessageInitShape<O>>,
) {
  return async function* (arrivals: AsyncIterable<MessageShape<I>>, context: HandlerContext): Answers<O> {
    const call = callOf(context);
    const signal = linkSignals(linkSignals(context.signal, answering.stopped), call.ended);
    /** Why the requests ended before their end. It is told, however the hub takes it. */
    let broken: unknown;
    async function* requests() {
      let first = true;
      try {
        for await (const _ of arrivals) {
          const request = call.take(method.input);
          if (first) assertValid(method.input, request, { nowMs: answering.nowMs() });
          first = false;
          yield request;
        }
      } catch (error) {
        broken = error;
        throw error;
      }
    }
    try {
      const look = refuseLarge(method, context, answering.messageBytes);
      yield* followUntil(signal, ask(callerOf(call), requests(), signal), look);
      if (signal.aborted) throw whyCallEnded(context, signal);
      if (broken !== undefined) throw broken;
    } catch (error) {
      throw tell(broken ?? error, call, context, answering, signal);
    }
  };
}

/** Whether it comes in time is for the hub to say: it may have taken the same request before (DIS-15). */
function takeValid<I extends DescMessage>(call: Call, schema: I): MessageShape<I> {
  const request = call.take(schema);
  assertValid(schema, request);
  return request;
}

function callerOf(call: Call): Caller {
  if (call.caller === undefined)
    throw new Error(`${call.method.name} was called before its caller was known`);
  const { traceId, parentSpanId } = call.trace;
  return { ...call.caller, traceId, ...(parentSpanId !== undefined && { parentSpanId }) };
}

/** The hub's answer, or the error of a call whose time ran out first. The hub goes on with what it has begun. */
async function inTime<T>(
  work: Promise<T>,
  context: HandlerContext,
  { callTimeoutMs }: Answering,
): Promise<T> {
  const { signal } = context;
  return new Promise((resolve, reject) => {
    const end = () => reject(whyCallEnded(context, signal));
    const timer = setTimeout(() => reject(timeRanOut()), callTimeoutMs);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
    });
  });
}

function tell(
  error: unknown,
  call: Call,
  context: HandlerContext,
  telling: Answering,
  signal = context.signal,
): ConnectError {
  const told = signal.aborted ? whyCallEnded(context, signal) : toConnectError(error, telling);
  call.code = told.code;
  return told;
}

/** The client's clock and ours run a little apart: its end of time may reach us before ours. */
const clockSlackMs = 20;

/** Why a call was ended from outside. The reason that Connect gives may be "internal error" when the time is up. */
function whyCallEnded({ timeoutMs }: HandlerContext, signal: AbortSignal): ConnectError {
  const leftMs = timeoutMs();
  return leftMs !== undefined && leftMs <= clockSlackMs ? timeRanOut() : whyEnded(signal);
}

function timeRanOut(): ConnectError {
  return refuse({
    code: Code.DeadlineExceeded,
    id: "BATON-SERVER-008",
    message: "the time for the call ran out",
    fix: "ask again with more time; a task is safe to submit again with the same idempotency key",
  });
}
