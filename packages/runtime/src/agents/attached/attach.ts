/**
 * The stream that an agent opens (RegistryService.AttachAgent): registration, heartbeats, turns, events and results come
 * up, envelopes, cancels and acknowledgements go down. docs/reference/agent-protocols.md says it for those who write agents.
 */
import {
  type AgentHeartbeat,
  type AttachAgentRequest,
  type AttachAgentResponse,
  AttachAgentResponseSchema,
  type AttachHello,
  AttachHelloSchema,
  CancelReason,
  type TaskEnvelope,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { Driver } from "../../driver/driver.ts";
import { pipelineOf } from "../../driver/order.ts";
import type { Caller } from "../../hub/hub.ts";
import { HubError } from "../../hub/hub-error.ts";
import type { AgentLink } from "../../ports/outside.ts";
import { type AgentDesk, accept, fleetRefusal } from "../agent-desk.ts";
import type { Address, Switchboard } from "../switchboard.ts";
import { Acknowledgements } from "./acknowledgements.ts";
import { Outgoing } from "./outgoing.ts";

export interface AttachSettings {
  readonly leaseTtlMs: number;
  readonly heartbeatIntervalMs: number;
  /** How long an instance whose stream broke may take to come back before its lease ends. */
  readonly resumeGraceMs: number;
  /** Messages on their way to one agent. */
  readonly outgoingLimit: number;
  /** Messages of one agent that are not durable yet; beyond, its stream is not read. */
  readonly outstandingLimit: number;
  readonly orchestratorVersion: string;
}

export interface AttachParts {
  readonly driver: Driver;
  readonly switchboard: Switchboard;
  readonly desk: AgentDesk;
  readonly settings: AttachSettings;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  readonly uuid: () => string;
}

type Response = Exclude<MessageInitShape<typeof AttachAgentResponseSchema>["message"], undefined>;

/** Sessions of instances that may come back, and who is attached now. */
export class AttachedAgents {
  readonly #parts: AttachParts;
  /** By instance: each has one. */
  readonly #sessions = new Map<string, Session>();
  readonly #streams = new Set<Stream>();
  /** By instance: ends the wait for one whose stream broke. */
  readonly #leaving = new Map<string, () => void>();

  constructor(parts: AttachParts) {
    this.#parts = parts;
  }

  async *attach(
    caller: Caller,
    requests: AsyncIterable<AttachAgentRequest>,
    signal: AbortSignal,
  ): AsyncIterable<AttachAgentResponse> {
    const incoming = requests[Symbol.asyncIterator]();
    const stream = await this.#open(caller, await firstHello(incoming));
    const stop = () => stream.outgoing.end();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    // A stream that breaks is over, however it breaks.
    void stream.read(incoming).then(stop, stop);
    try {
      yield* stream.outgoing;
    } finally {
      signal.removeEventListener("abort", stop);
      this.#streams.delete(stream);
      if (this.#parts.switchboard.disconnect(stream)) this.#leave(stream);
    }
  }

  /** Who is attached says again who it is: the hub's memory of the fleet has begun anew. */
  introduceAgain(): void {
    for (const stream of this.#streams) {
      const back = stream.introduce().then(() => stream.reconcile(undefined));
      // One that may not be there any more hears so when it connects again.
      back.catch(() => stream.outgoing.end());
    }
  }

  /** Nothing new will come; the streams end. */
  drain(reason: string, graceMs: number): void {
    for (const { outgoing } of this.#streams) {
      outgoing.push(response({ case: "drain", value: { reason, grace: durationFromMs(graceMs) } }));
      outgoing.end();
    }
  }

  /** An agent that listens is connected too, but holds no stream. */
  isAttached({ tenantId, packId, instanceId }: Address): boolean {
    return this.#parts.switchboard.link({ tenantId, packId, instanceId }) instanceof Stream;
  }

  async #open(caller: Caller, hello: AttachHello): Promise<Stream> {
    const { switchboard } = this.#parts;
    const { manifest, heartbeat } = accept(AttachHelloSchema, hello);
    if (!manifest || !heartbeat) throw new Error("a valid hello has both");
    if (manifest.packId !== heartbeat.packId) {
      throw new HubError("invalid", "BATON-AGENT-003", "manifest and heartbeat name different packs", {
        fix: "state the same pack_id in both",
      });
    }
    const { tenantId } = caller;
    const { packId, instanceId } = heartbeat;
    const session = this.#session({ tenantId, packId, instanceId }, hello.resumeSessionId);
    const stream = new Stream(this.#parts, session, hello);
    // It is back before it is let in: its lease must not end meanwhile.
    this.#stay(stream);
    await stream.introduce().catch((error: unknown): never => {
      if (!switchboard.link(stream)) this.#leave(stream);
      throw error;
    });
    this.#stay(stream);
    for (const other of this.#streams) if (sameAddress(other, stream)) other.outgoing.end();
    this.#sessions.set(keyOf(stream), session);
    session.stream = stream;
    this.#streams.add(stream);
    switchboard.connect(stream);
    stream.welcome();
    stream.reconcile(new Set(hello.heldDispatches.map(({ dispatchId }) => dispatchId)));
    return stream;
  }

  /** The session to go on with, if it is this instance's own. */
  #session(address: Address, resume: string): Session {
    const known = this.#sessions.get(keyOf(address));
    if (known?.id !== resume) return new Session(this.#parts.uuid(), address);
    known.resumed = true;
    return known;
  }

  /** The instance may come back within a moment; otherwise its lease ends, and what it had is lost. */
  #leave({ tenantId, packId, instanceId }: Address): void {
    const { driver, settings, after } = this.#parts;
    const key = keyOf({ tenantId, packId, instanceId });
    this.#leaving.get(key)?.();
    const stop = after(settings.resumeGraceMs, () => {
      this.#leaving.delete(key);
      this.#sessions.delete(key);
      void driver.tellFleet(tenantId, { kind: "detach", packId, instanceId });
    });
    this.#leaving.set(key, stop);
  }

  #stay(address: Address): void {
    const key = keyOf(address);
    this.#leaving.get(key)?.();
    this.#leaving.delete(key);
  }
}

class Session {
  readonly id: string;
  readonly address: Address;
  /** Hello is the first message of a session. */
  readonly acknowledgements = new Acknowledgements(1n);
  resumed = false;
  /** The one that is open now, or was last. */
  stream: Stream | undefined;
  /** Lets a stream go on that waits because too much is outstanding. */
  room: (() => void) | undefined;

  constructor(id: string, address: Address) {
    this.id = id;
    this.address = address;
  }
}

/** One open stream. */
class Stream implements AgentLink {
  readonly tenantId: string;
  readonly packId: string;
  readonly instanceId: string;
  readonly outgoing: Outgoing<AttachAgentResponse>;
  readonly session: Session;
  readonly #parts: AttachParts;
  readonly #hello: AttachHello;
  #heartbeat: AgentHeartbeat | undefined;
  #acknowledging = false;

  constructor(parts: AttachParts, session: Session, hello: AttachHello) {
    this.#parts = parts;
    this.session = session;
    this.#hello = hello;
    this.#heartbeat = hello.heartbeat;
    this.outgoing = new Outgoing(parts.settings.outgoingLimit, () => this.#takeAcknowledgement());
    ({ tenantId: this.tenantId, packId: this.packId, instanceId: this.instanceId } = session.address);
  }

  /** Tells the fleet who is there. Throws when it may not be. */
  async introduce(): Promise<void> {
    const { driver } = this.#parts;
    const { manifest } = this.#hello;
    if (!manifest || !this.#heartbeat) return;
    const unknown = await driver.tellFleet(this.tenantId, { kind: "register", manifest });
    if (unknown) throw fleetRefusal(unknown);
    const refused = await driver.tellFleet(this.tenantId, { kind: "heartbeat", heartbeat: this.#heartbeat });
    if (refused) throw fleetRefusal(refused);
  }

  welcome(): void {
    const { settings } = this.#parts;
    const { id, resumed, acknowledgements } = this.session;
    this.#push({
      case: "welcome",
      value: {
        sessionId: id,
        acknowledgedSequence: resumed ? acknowledgements.acknowledged : 0n,
        // Whole milliseconds: a third of a lease may be none, and what is none cannot be sent.
        leaseTtl: durationFromMs(Math.floor(settings.leaseTtlMs)),
        heartbeatInterval: durationFromMs(Math.floor(settings.heartbeatIntervalMs)),
        orchestratorVersion: settings.orchestratorVersion,
      },
    });
  }

  /** Without a word of what it holds, it holds what the hub believes it has. */
  reconcile(holds: ReadonlySet<string> | undefined): void {
    const { switchboard, driver } = this.#parts;
    const { lost, stray } = switchboard.reconcile(this, holds ?? new Set(switchboard.underWay(this)));
    for (const dispatchId of lost) {
      const reason = "the agent came back without it";
      void driver.give(pipelineOf(dispatchId), {
        type: "agent-lost",
        dispatchId,
        reason,
      });
    }
    for (const dispatchId of stray) {
      const held = this.#hello.heldDispatches.find((one) => one.dispatchId === dispatchId);
      this.#push({
        case: "cancel",
        value: {
          dispatchId,
          attemptNumber: held?.attemptNumber ?? 1,
          reason: CancelReason.REWOUND,
          explanation: "the hub no longer waits for this attempt",
        },
      });
    }
  }

  async send(envelope: TaskEnvelope): Promise<void> {
    if (!this.#push({ case: "dispatch", value: envelope }))
      throw new Error("the agent does not read its stream");
  }

  cancel(request: Extract<Response, { case: "cancel" }>["value"]): void {
    this.#push({ case: "cancel", value: request });
  }

  /** Reads until the agent ends the stream. Beyond the limit of what is not durable yet, it waits. */
  async read(incoming: AsyncIterator<AttachAgentRequest>): Promise<void> {
    const { session } = this;
    for (;;) {
      const { done, value } = await incoming.next();
      if (done) return;
      void this.#take(value);
      while (session.acknowledgements.outstanding >= this.#parts.settings.outstandingLimit) {
        await new Promise<void>((resolve) => {
          const others = session.room;
          session.room = () => {
            others?.();
            resolve();
          };
        });
      }
    }
  }

  async #take(request: AttachAgentRequest): Promise<void> {
    const { sequence } = request;
    const { session } = this;
    if (!session.acknowledgements.begin(sequence)) return;
    // The agent may have opened another stream of the session meanwhile: that is where it listens.
    const newest = () => session.stream ?? this;
    try {
      await this.#handle(request);
    } catch (error) {
      newest().#push({ case: "refused", value: { sequence, error: refusalOf(error) } });
    }
    if (session.acknowledgements.end(sequence)) newest().#acknowledge();
    const { room } = session;
    session.room = undefined;
    room?.();
  }

  async #handle({ message, dispatchId }: AttachAgentRequest): Promise<void> {
    const { desk } = this.#parts;
    switch (message.case) {
      case "result":
        return desk.take(this, message.value.dispatchId || dispatchId, message);
      case "turn":
      case "event":
        return desk.take(this, dispatchId, message);
      case "heartbeat":
        return this.#beat(message.value);
      case "cancelled":
        return;
      default:
        throw new HubError("invalid", "BATON-AGENT-001", "a stream begins with one hello, and has no other", {
          fix: "send hello first, then heartbeats, turns, events and results",
        });
    }
  }

  async #beat(heartbeat: AgentHeartbeat): Promise<void> {
    if (heartbeat.packId !== this.packId || heartbeat.instanceId !== this.instanceId) {
      throw new HubError("invalid", "BATON-AGENT-003", "the heartbeat is another instance's", {
        fix: "state pack_id and instance_id of the hello",
      });
    }
    this.#heartbeat = heartbeat;
    const refused = await this.#parts.driver.tellFleet(this.tenantId, { kind: "heartbeat", heartbeat });
    if (refused) throw fleetRefusal(refused);
  }

  /** Once for all that became durable together, behind what else leaves with it. */
  #acknowledge(): void {
    this.#acknowledging = true;
    this.outgoing.remind();
  }

  #takeAcknowledgement(): AttachAgentResponse | undefined {
    if (!this.#acknowledging) return undefined;
    this.#acknowledging = false;
    return response({
      case: "acknowledged",
      value: { sequence: this.session.acknowledgements.acknowledged },
    });
  }

  #push(message: Response): boolean {
    return this.outgoing.push(response(message));
  }
}

async function firstHello(incoming: AsyncIterator<AttachAgentRequest>): Promise<AttachHello> {
  const { value, done } = await incoming.next();
  const message = done ? undefined : value.message;
  if (message?.case === "hello") return message.value;
  throw new HubError("invalid", "BATON-AGENT-001", "the first message of an agent is its hello", {
    fix: "send hello with manifest and heartbeat first",
  });
}

function response(message: Response): AttachAgentResponse {
  return create(AttachAgentResponseSchema, { message });
}

function refusalOf(error: unknown) {
  if (!(error instanceof HubError))
    return { code: "BATON-HUB-001", message: "a mistake of the hub", fix: "send it again" };
  const { code, message, fix, violations } = error;
  return { code, message, fix, violations: violations.map((violation) => ({ ...violation })) };
}

function sameAddress(one: Address, other: Address): boolean {
  return (
    one.tenantId === other.tenantId && one.packId === other.packId && one.instanceId === other.instanceId
  );
}

function keyOf({ tenantId, packId, instanceId }: Address): string {
  return `${tenantId}\n${packId}\n${instanceId}`;
}
