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

/** One call of a method, from its headers to the last byte of its response. */
export class Call {
  readonly method: DescMethod;
  readonly trace: Trace;
  readonly startedMs = performance.now();
  /** Decoded messages that the method has not taken yet. */
  readonly #received: Message[] = [];
  /** Set by `admit`. */
  caller: Caller | undefined;
  /** Set when the call failed with an error of the server. */
  code: Code | undefined;
  #ending: AbortController | undefined;
  #release: (() => void) | undefined;
  #isWorking = false;
  #isClosed = false;
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

  /** The caller is authenticated and admitted; `release` is called at the end of the call. */
  admit(caller: Caller, release: () => void): void {
    this.caller = caller;
    this.#release = release;
    this.#releaseAtEnd();
  }

  /** Notes the error for the log, and returns it. */
  fail(error: ConnectError): ConnectError {
    this.code = error.code;
    return error;
  }

  onClose(work: () => void): void {
    if (this.#isClosed) work();
    else this.#atEnd.push(work);
  }

  receive(message: Message): void {
    this.#received.push(message);
  }

  /** The next message. It exists, because Connect has received its empty placeholder. */
  take<Desc extends DescMessage>(schema: Desc): MessageShape<Desc> {
    const message = this.#received.shift();
    if (isMessage(message, schema)) return message;
    throw new Error(`expected ${schema.typeName}, received ${message?.$typeName ?? "nothing"}`);
  }

  /** The call counts against the limits until the work is done, even when the caller goes away. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#isWorking = true;
    try {
      return await work();
    } finally {
      this.#isWorking = false;
      this.#releaseAtEnd();
    }
  }

  /** The last byte was sent, or the caller went away. */
  close(): void {
    this.#isClosed = true;
    for (const work of this.#atEnd.splice(0)) work();
    this.#releaseAtEnd();
  }

  #releaseAtEnd(): void {
    if (this.#isClosed && !this.#isWorking) this.#release?.();
  }
}

export const callKey = createContextKey<Call | undefined>(undefined, { description: "the call" });

export function callOf({ values, method }: Pick<HandlerContext, "values" | "method">): Call {
  const call = values.get(callKey);
  if (call === undefined) throw new Error(`${method.name} was called without authorization`);
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
