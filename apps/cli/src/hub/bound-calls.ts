import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

type AnyMessage = Message;

export interface CallLimits {
  /** From a call to its answer. */
  readonly callTimeoutMs: number;
  /** From one message of a stream to the next. */
  readonly streamIdleMs: number;
}

/**
 * Fails a call that is not answered in time, and a stream that stays silent. A connection can go away without an error on
 * the calls that it carried, so the interceptor relies on its own timer and not on the transport.
 */
export function boundCalls({ callTimeoutMs, streamIdleMs }: CallLimits): Interceptor {
  return (next) => async (request) => {
    const expired = new AbortController();
    const signal = AbortSignal.any([request.signal, expired.signal]);
    const bounded = <Value>(work: Promise<Value>, ms: number): Promise<Value> => {
      const timer = setTimeout(() => expired.abort(timeout(ms)), ms);
      return settleOnAbort(work, signal).finally(() => clearTimeout(timer));
    };
    const response = await bounded(
      next({ ...request, signal }),
      request.stream ? streamIdleMs : callTimeoutMs,
    );
    if (!response.stream) return response;
    const boundNext = (work: Promise<IteratorResult<AnyMessage>>) => bounded(work, streamIdleMs);
    return { ...response, message: boundMessages(response.message, boundNext) };
  };
}

async function* boundMessages(
  messages: AsyncIterable<AnyMessage>,
  bounded: (next: Promise<IteratorResult<AnyMessage>>) => Promise<IteratorResult<AnyMessage>>,
): AsyncGenerator<AnyMessage> {
  const iterator = messages[Symbol.asyncIterator]();
  try {
    for (let item = await bounded(iterator.next()); !item.done; item = await bounded(iterator.next()))
      yield item.value;
  } finally {
    // Not awaited: the iterator of a silent stream returns only after its pending item.
    Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

function timeout(ms: number): DOMException {
  return new DOMException(`nothing came for ${ms} ms`, "TimeoutError");
}

function settleOnAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(asConnectError(signal.reason));
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function asConnectError(reason: unknown): ConnectError {
  const isTimeout = reason instanceof DOMException && reason.name === "TimeoutError";
  const message = reason instanceof Error ? reason.message : String(reason);
  const code = isTimeout ? Code.DeadlineExceeded : Code.Canceled;
  return new ConnectError(message, code, undefined, undefined, reason);
}
