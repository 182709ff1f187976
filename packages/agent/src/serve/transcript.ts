import {
  type AgentResult,
  type Event,
  type RunAgentResponse,
  RunAgentResponseSchema,
  type Step,
  type TurnEnvelope,
} from "@baton/contract";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { AgentError } from "../agent-error.ts";
import { checkMessageSize } from "../hub-client.ts";
import { limits } from "../limits.ts";

type Body = NonNullable<MessageInitShape<typeof RunAgentResponseSchema>["message"]>;

/**
 * All messages of one attempt, for every caller: one that lost its connection calls again with the same dispatch_id and
 * receives everything from the beginning.
 */
export class Transcript {
  #messages: { readonly message: RunAgentResponse; readonly bytes: number }[] = [];
  #bytes = 0;
  #end: "result" | "cancelled" | undefined;
  readonly #listeners = new Set<MessageQueue<RunAgentResponse>>();

  /** How the attempt ended; undefined while it runs. */
  get end(): "result" | "cancelled" | undefined {
    return this.#end;
  }

  turn(value: TurnEnvelope): void {
    this.#add({ case: "turn", value });
  }

  event(value: Event): void {
    this.#add({ case: "event", value });
  }

  step(value: Step): void {
    this.#add({ case: "step", value });
  }

  result(value: AgentResult): void {
    this.#add({ case: "result", value });
    this.#finish("result");
  }

  cancelled(): void {
    this.#finish("cancelled");
  }

  /** Throws `AgentError` at once when there are too many listeners. */
  listen(signal: AbortSignal): AsyncGenerator<RunAgentResponse> {
    if (this.#listeners.size >= limits.listenersPerAttempt) {
      const message = `${limits.listenersPerAttempt} callers listen to the attempt already`;
      throw new AgentError("BATON-SDK-019", message, { at: "dispatch_id" });
    }
    return this.#stream(signal);
  }

  async *#stream(signal: AbortSignal): AsyncGenerator<RunAgentResponse> {
    const queue = new MessageQueue<RunAgentResponse>();
    for (const { message } of this.#messages) queue.push(message);
    if (this.#end) queue.end();
    this.#listeners.add(queue);
    const leave = () => queue.end();
    signal.addEventListener("abort", leave, { once: true });
    try {
      yield* queue;
    } finally {
      signal.removeEventListener("abort", leave);
      this.#listeners.delete(queue);
    }
  }

  #add(body: Body): void {
    if (this.#end) return;
    const message = create(RunAgentResponseSchema, { message: body });
    const bytes = toBinary(RunAgentResponseSchema, message).length;
    checkMessageSize(bytes, body.case);
    this.#messages.push({ message, bytes });
    this.#bytes += bytes;
    while (this.#bytes > limits.transcriptBytes && this.#messages.length > 1) {
      this.#bytes -= this.#messages.shift()?.bytes ?? 0; // Later callers receive what is left.
    }
    for (const listener of this.#listeners) listener.push(message);
  }

  #finish(end: "result" | "cancelled"): void {
    this.#end ??= end;
    for (const listener of this.#listeners) listener.end();
  }
}

/** Messages for one stream, which reads them at its own pace. */
class MessageQueue<Message> implements AsyncIterable<Message> {
  #waiting: Message[] = [];
  #ended = false;
  #wake = Promise.withResolvers<void>();

  push(message: Message): void {
    if (this.#ended) return;
    this.#waiting.push(message);
    this.#wake.resolve();
  }

  /** Pushed messages are still delivered. */
  end(): void {
    this.#ended = true;
    this.#wake.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Message> {
    for (;;) {
      const batch = this.#waiting;
      this.#waiting = [];
      yield* batch;
      if (this.#waiting.length > 0) continue;
      if (this.#ended) return;
      this.#wake = Promise.withResolvers();
      await this.#wake.promise;
    }
  }
}
