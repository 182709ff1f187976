import {
  type AgentResult,
  defaultLimits,
  type Event,
  type RunAgentResponse,
  RunAgentResponseSchema,
  type TurnEnvelope,
} from "@baton/contract";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { AgentError } from "../agent-error.ts";
import { limits } from "../limits.ts";
import { Outgoing } from "./outgoing.ts";

type Body = NonNullable<MessageInitShape<typeof RunAgentResponseSchema>["message"]>;

/**
 * All that one attempt said, for everybody who listens to it: a caller that lost its connection calls again with the
 * same dispatch_id, and hears everything from the beginning.
 */
export class Transcript {
  #said: { readonly message: RunAgentResponse; readonly bytes: number }[] = [];
  #bytes = 0;
  #end: "result" | "cancelled" | undefined;
  readonly #listeners = new Set<Outgoing<RunAgentResponse>>();

  /** How it ended; undefined while it goes on. */
  get end(): "result" | "cancelled" | undefined {
    return this.#end;
  }

  turn(value: TurnEnvelope): void {
    this.#say({ case: "turn", value });
  }

  event(value: Event): void {
    this.#say({ case: "event", value });
  }

  result(value: AgentResult): void {
    this.#say({ case: "result", value });
    this.#finish("result");
  }

  cancelled(): void {
    this.#finish("cancelled");
  }

  /** Throws `AgentError` at once when too many listen. */
  listen(signal: AbortSignal): AsyncGenerator<RunAgentResponse> {
    if (this.#listeners.size >= limits.listenersPerAttempt) {
      const what = `${limits.listenersPerAttempt} callers listen to the attempt already`;
      throw new AgentError("BATON-SDK-019", what, { at: "dispatch_id" });
    }
    return this.#tell(signal);
  }

  async *#tell(signal: AbortSignal): AsyncGenerator<RunAgentResponse> {
    const outgoing = new Outgoing<RunAgentResponse>();
    for (const { message } of this.#said) outgoing.push(message);
    if (this.#end) outgoing.end();
    this.#listeners.add(outgoing);
    const leave = () => outgoing.end();
    signal.addEventListener("abort", leave, { once: true });
    try {
      yield* outgoing;
    } finally {
      signal.removeEventListener("abort", leave);
      this.#listeners.delete(outgoing);
    }
  }

  #say(body: Body): void {
    if (this.#end) return;
    const message = create(RunAgentResponseSchema, { message: body });
    const bytes = toBinary(RunAgentResponseSchema, message).length;
    if (bytes > defaultLimits.maxBytes) {
      const what = `${bytes} bytes are more than the ${defaultLimits.maxBytes} that the hub takes`;
      throw new AgentError("BATON-SDK-005", what, { at: `a message of kind ${body.case}` });
    }
    this.#said.push({ message, bytes });
    this.#bytes += bytes;
    while (this.#bytes > limits.transcriptBytes && this.#said.length > 1) {
      this.#bytes -= this.#said.shift()?.bytes ?? 0; // Who listens has it; who comes later gets what is left.
    }
    for (const listener of this.#listeners) listener.push(message);
  }

  #finish(end: "result" | "cancelled"): void {
    this.#end ??= end;
    for (const listener of this.#listeners) listener.end();
  }
}
