import { createServer } from "node:http2";
import { setTimeout as pause } from "node:timers/promises";
import {
  AttachAgentRequestSchema,
  type AttachAgentResponse,
  Outcome,
  RegistryService,
  type TaskEnvelope,
} from "@baton/contract";
import { resultFor } from "@baton/kernel/testing";
import type { Hub } from "@baton/runtime";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Empty, EmptySchema } from "@bufbuild/protobuf/wkt";
import { connectNodeAdapter, createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { onTestFinished } from "vitest";
import { agentCaller, heartbeat, manifest } from "./announce.ts";
import { type Behaviour, Cancels, type Connector } from "./connector.ts";
import { listening } from "./listening.ts";
import { babble, raw } from "./raw-message.ts";
import { StepCalls } from "./reported-steps.ts";
import { Transcript } from "./transcript.ts";

type Request = NonNullable<MessageInitShape<typeof AttachAgentRequestSchema>["message"]>;

/** An agent that opens a stream to the hub, over gRPC. */
export const attached: Connector = {
  name: "the attached stream",
  async connectAgent(first, behaviour) {
    let hub = first;
    const handler = connectNodeAdapter({
      routes: (router) =>
        router.rpc(RegistryService.method.attachAgent, (requests, { signal }) =>
          hub.attachAgent(agentCaller, requests, signal),
        ),
    });
    const { uri } = await listening(createServer(handler));
    const agent = new AttachedAgent(uri, behaviour, () => hub);
    await agent.welcomed();
    return {
      returnTo: (to) => {
        hub = to;
        return agent.welcomed();
      },
    };
  },
};

/** Opens its stream again when it is gone, and says what it still works on. */
class AttachedAgent {
  readonly #behaviour: Behaviour;
  readonly #hub: () => Hub;
  readonly #cancels = new Cancels();
  /** Steps that wait for an acknowledgement, by the number of their message. */
  readonly #reported = new Map<bigint, (refused?: string) => void>();
  readonly #sessions: Http2SessionManager;
  #welcomed = Promise.withResolvers<void>();
  readonly #held = new Map<string, number>();
  #sent = new Transcript<Empty>();
  #sequence = 0n;
  #isGone = false;

  constructor(uri: string, behaviour: Behaviour, hub: () => Hub) {
    this.#behaviour = behaviour;
    this.#hub = hub;
    this.#sessions = new Http2SessionManager(uri);
    onTestFinished(() => {
      this.#isGone = true;
      this.#sessions.abort();
    });
    void this.#live(uri);
  }

  /** Resolves at the next welcome. */
  welcomed(): Promise<void> {
    this.#welcomed = Promise.withResolvers();
    return this.#welcomed.promise;
  }

  async #live(uri: string): Promise<void> {
    const transport = createGrpcTransport({ baseUrl: uri, sessionManager: this.#sessions });
    const attach = { ...RegistryService.method.attachAgent, input: EmptySchema };
    while (!this.#isGone) {
      this.#sent = new Transcript();
      this.#sequence = 0n;
      const heldDispatches = [...this.#held].map(([dispatchId, attemptNumber]) => ({
        dispatchId,
        attemptNumber,
      }));
      this.#push({ case: "hello", value: { manifest, heartbeat: heartbeat(), heldDispatches } });
      try {
        const { message } = await transport.stream(attach, undefined, 0, undefined, this.#sent);
        for await (const one of message) this.#receive(one);
      } catch {
        // The stream is gone, and opened again.
      }
      await pause(10);
    }
  }

  #receive({ message }: AttachAgentResponse): void {
    if (message.case === "welcome") this.#welcomed.resolve();
    else if (message.case === "acknowledged") this.#acknowledge(message.value.sequence);
    else if (message.case === "refused")
      this.#reported.get(message.value.sequence)?.(message.value.error?.code ?? "");
    else if (message.case === "cancel") this.#cancels.cancel(message.value);
    else if (message.case === "dispatch") void this.#work(message.value);
  }

  #work(envelope: TaskEnvelope): Promise<void> {
    const { dispatchId = "", attemptNumber = 0 } = envelope.execution ?? {};
    const declined = { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "no room", failureCode: "BUSY" };
    this.#held.set(dispatchId, attemptNumber);
    const forget = () => this.#held.clear();
    const working = this.#behaviour({
      envelope,
      number: attemptNumber,
      cancelled: this.#cancels.of(dispatchId).promise,
      say: (message) => {
        if (message.case !== undefined) this.#push(message, dispatchId);
      },
      report: (step) => {
        const sequence = this.#push({ case: "step", value: step }, dispatchId);
        return new Promise((resolve) => this.#reported.set(sequence, resolve));
      },
      given: () => new StepCalls(this.#hub, envelope).given(),
      babble: () => {
        forget();
        this.#sent.push(babble(5));
      },
      decline: () => this.#push({ case: "result", value: resultFor(envelope, { status: declined }) }),
      die: () => {
        forget();
        this.#sessions.abort();
      },
    });
    return working.finally(() => this.#held.delete(dispatchId));
  }

  /** A refused message is acknowledged after its refusal. */
  #acknowledge(upTo: bigint): void {
    for (const [sequence, resolve] of this.#reported) if (sequence <= upTo) resolve();
  }

  #push(message: Request, dispatchId = ""): bigint {
    this.#sequence++;
    const request = create(AttachAgentRequestSchema, { sequence: this.#sequence, dispatchId, message });
    this.#sent.push(raw(AttachAgentRequestSchema, request));
    return this.#sequence;
  }
}
