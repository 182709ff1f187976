import { setTimeout as pause } from "node:timers/promises";
import { Mailbox } from "@baton/agent/testing";
import {
  AgentHeartbeatSchema,
  AgentManifestSchema,
  type AttachAgentRequest,
  AttachAgentRequestSchema,
  type AttachAgentResponse,
  type AttachWelcome,
  CancelOutcome,
  HealthStatus,
  RegistryService,
  type TaskEnvelope,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationMs, timestampNow } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import type { Faults } from "./faults.ts";
import { work } from "./work.ts";

type Body = NonNullable<MessageInitShape<typeof AttachAgentRequestSchema>["message"]>;

const packId = "conformance-faulty";
const packVersion = "1.0.0";
const reconnectMs = 50;

/** The smallest agent that attaches by the protocol, but for its faults. */
export class FaultyAttachedAgent {
  readonly #faults: Faults;
  readonly #stops = new Map<string, AbortController>();
  readonly #running = new Map<string, number>();
  #kept: AttachAgentRequest[] = [];
  #session = "";
  #last = 0n;
  #stream: Mailbox<AttachAgentRequest> | undefined;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  async live(hub: string): Promise<void> {
    const client = createClient(RegistryService, createGrpcTransport({ baseUrl: hub }));
    for (;;) {
      const outgoing = new Mailbox<AttachAgentRequest>();
      let beating: NodeJS.Timeout | undefined;
      outgoing.put(this.#hello());
      if (this.#faults.has("speaks-early")) outgoing.put(this.#number(this.#heartbeat()));
      try {
        for await (const { message } of client.attachAgent(outgoing)) {
          if (message.case !== "welcome") this.#receive(message);
          else beating = this.#welcomed(message.value, outgoing);
        }
      } catch (error) {
        const isRefused = error instanceof ConnectError && error.code === Code.PermissionDenied;
        if (isRefused && !this.#faults.has("comes-back")) return;
      }
      clearInterval(beating);
      outgoing.end();
      this.#stream = undefined;
      if (this.#faults.has("forgets-results")) this.#kept = [];
      await pause(reconnectMs);
    }
  }

  #hello(): AttachAgentRequest {
    const answered = this.#kept.flatMap(({ message }) => (message.case === "result" ? message.value : []));
    const running = [...this.#running].map(([dispatchId, attemptNumber]) => ({ dispatchId, attemptNumber }));
    const held = [...running, ...answered];
    const manifest = create(AgentManifestSchema, {
      ...{ packId, packVersion },
      capabilitySchemaVersion: "1.0.0",
      supportedTaskTypes: ["conformance.echo", "conformance.slow", "conformance.fail"],
      interface: { supportedSchemaVersions: ["^1.0.0"] },
    });
    if (this.#session === "") this.#last = 0n;
    const heartbeat = this.#heartbeat().value;
    const heldDispatches = held.map(({ dispatchId, attemptNumber }) => ({ dispatchId, attemptNumber }));
    return this.#number({
      case: "hello",
      value: { manifest, heartbeat, resumeSessionId: this.#session, heldDispatches },
    });
  }

  #heartbeat() {
    const value = create(AgentHeartbeatSchema, {
      ...{ packId, packVersion },
      instanceId: this.#faults.has("names-no-instance") ? "" : "1",
      health: { status: HealthStatus.HEALTHY },
      capacity: { maxTasks: 8 },
      heartbeatAt: timestampNow(),
    });
    return { case: "heartbeat", value } as const;
  }

  #welcomed(welcome: AttachWelcome, outgoing: Mailbox<AttachAgentRequest>): NodeJS.Timeout {
    if (welcome.sessionId === this.#session) this.#forget(welcome.acknowledgedSequence);
    else {
      this.#session = welcome.sessionId;
      for (const [index, request] of this.#kept.entries()) request.sequence = BigInt(index + 2);
      this.#last = BigInt(this.#kept.length + 1);
    }
    for (const request of this.#kept) outgoing.put(request);
    this.#stream = outgoing;
    const statedMs = welcome.heartbeatInterval ? durationMs(welcome.heartbeatInterval) : 0;
    const intervalMs = this.#faults.has("ignores-the-interval") ? 60_000 : statedMs;
    return setInterval(() => outgoing.put(this.#number(this.#heartbeat())), intervalMs);
  }

  #receive(message: AttachAgentResponse["message"]): void {
    if (message.case === "dispatch") void this.#take(message.value);
    if (message.case === "acknowledged") this.#forget(message.value.sequence);
    if (message.case === "refused") {
      const { sequence } = message.value;
      this.#kept = this.#kept.filter((request) => request.sequence !== sequence);
    }
    if (message.case === "cancel" && !this.#faults.has("ignores-cancel")) {
      const { dispatchId } = message.value;
      const { STOPPED, ALREADY_ENDED, UNKNOWN } = CancelOutcome;
      const ended = this.#stops.has(dispatchId) ? ALREADY_ENDED : UNKNOWN;
      const outcome = this.#running.has(dispatchId) ? STOPPED : ended;
      this.#stops.get(dispatchId)?.abort();
      this.#running.delete(dispatchId);
      this.#keep(dispatchId, { case: "cancelled", value: { outcome } });
    }
  }

  async #take(envelope: TaskEnvelope): Promise<void> {
    const { dispatchId = "", attemptNumber = 1 } = envelope.execution ?? {};
    if (this.#stops.has(dispatchId) && !this.#faults.has("runs-duplicates")) return this.#repeat(dispatchId);
    const stop = new AbortController();
    this.#stops.set(dispatchId, stop);
    this.#running.set(dispatchId, attemptNumber);
    const value = await work(envelope, stop.signal, this.#faults);
    this.#running.delete(dispatchId);
    if (!value) return;
    this.#keep(dispatchId, { case: "result", value });
    if (this.#faults.has("answers-twice")) this.#keep(dispatchId, { case: "result", value });
  }

  #repeat(dispatchId: string): void {
    const [kept] = this.#kept.filter((one) => one.message.case === "result" && one.dispatchId === dispatchId);
    if (kept) this.#stream?.put(kept);
  }

  #forget(sequence: bigint): void {
    if (this.#faults.has("sends-everything-again")) return;
    this.#kept = this.#kept.filter((request) => request.sequence > sequence);
  }

  #keep(dispatchId: string, message: Body): void {
    const request = this.#number(message, dispatchId);
    this.#kept.push(request);
    this.#stream?.put(request);
  }

  #number(message: Body, dispatchId = ""): AttachAgentRequest {
    this.#last++;
    return create(AttachAgentRequestSchema, { sequence: this.#last, dispatchId, message });
  }
}
