import type { Caller } from "@baton/runtime";
import {
  type DescMessage,
  type DescMethod,
  isMessage,
  type Message,
  type MessageShape,
} from "@bufbuild/protobuf";
import { Code, ConnectError, createContextKey, type HandlerContext } from "@connectrpc/connect";
import { refuse } from "../errors/refuse.ts";
import type { Trace } from "./trace.ts";

/** One call of a method, from its headers to the last byte of its answer. */
export class Call {
  readonly method: DescMethod;
  readonly trace: Trace;
  readonly startedMs = performance.now();
  /** Messages that were decoded and not yet taken. */
  readonly #received: Message[] = [];
  /** Who asks, once that is known. */
  caller: Caller | undefined;
  /** How it ended, when it is an error that was made here. */
  code: Code | undefined;
  #ending: AbortController | undefined;
  #leave: (() => void) | undefined;
  #working = false;
  #closed = false;
  readonly #atEnd: (() => void)[] = [];

  constructor(method: DescMethod, trace: Trace) {
    this.method = method;
    this.trace = trace;
  }

  /** Fires when the hub ends a stream before its caller does, with the error as its reason. */
  get ended(): AbortSignal {
    this.#ending ??= new AbortController();
    return this.#ending.signal;
  }

  end(reason: ConnectError): void {
    this.#ending ??= new AbortController();
    this.#ending.abort(reason);
  }

  /** Fires when the caller goes away, the server stops, or the hub ends the stream. */
  signal(gone: AbortSignal, stopped: AbortSignal): AbortSignal {
    return linkSignals(gone, stopped, this.ended);
  }

  /** The caller is known and has a place, to be left when the call is over. */
  admit(caller: Caller, leave: () => void): void {
    this.caller = caller;
    this.#leave = leave;
    this.#leaveWhenOver();
  }

  /** To be done when the call is over. */
  onClose(work: () => void): void {
    if (this.#closed) work();
    else this.#atEnd.push(work);
  }

  /** A message has come in. */
  receive(message: Message): void {
    this.#received.push(message);
  }

  /** The message that came in next. Connect has made sure that there is one: it holds an empty one in its place. */
  take<Desc extends DescMessage>(schema: Desc): MessageShape<Desc> {
    const message = this.#received.shift();
    if (isMessage(message, schema)) return message;
    throw new Error(`a ${schema.typeName} was expected, and ${message?.$typeName ?? "nothing"} was there`);
  }

  /** The hub works for the call; its place is kept until that has ended, even when the caller goes away. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#working = true;
    try {
      return await work();
    } finally {
      this.#working = false;
      this.#leaveWhenOver();
    }
  }

  /** The last byte was sent, or the caller has gone. */
  close(): void {
    this.#closed = true;
    for (const work of this.#atEnd.splice(0)) work();
    this.#leaveWhenOver();
  }

  #leaveWhenOver(): void {
    if (this.#closed && !this.#working) this.#leave?.();
  }
}

export const callKey = createContextKey<Call | undefined>(undefined, { description: "the call" });

export function callOf({ values, method }: Pick<HandlerContext, "values" | "method">): Call {
  const call = values.get(callKey);
  if (call === undefined) throw new Error(`${method.name} was called around the border`);
  return call;
}

/** Why a call ended from outside: the error with which the hub ended it, or that the caller went away. */
export function whyEnded({ reason }: AbortSignal): ConnectError {
  if (reason instanceof ConnectError && reason.details.length > 0) return reason;
  return refuse({
    code: Code.Canceled,
    id: "BATON-SERVER-008",
    message: "the caller went away",
    fix: "ask again; a task is safe to submit again with the same idempotency key",
  });
}

/** Removes its listeners when it fires, because one of the signals may outlive many calls. */
function linkSignals(...signals: readonly AbortSignal[]): AbortSignal {
  const linked = new AbortController();
  const fire = ({ target }: { readonly target: EventTarget | null }) => {
    for (const signal of signals) signal.removeEventListener("abort", fire);
    linked.abort(target instanceof AbortSignal ? target.reason : undefined);
  };
  for (const signal of signals) {
    signal.addEventListener("abort", fire);
    if (signal.aborted) fire({ target: signal });
  }
  return linked.signal;
}
