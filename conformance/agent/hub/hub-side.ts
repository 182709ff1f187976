import { once } from "node:events";
import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import { setTimeout as pause } from "node:timers/promises";
import {
  type AgentHeartbeat,
  type AgentManifest,
  type AttachAgentRequest,
  AttachAgentRequestSchema,
  defaultLimits,
  type RegisterAgentRequest,
  RegisterAgentRequestSchema,
  RegisterAgentResponseSchema,
  RegistryService,
  type SendHeartbeatRequest,
  SendHeartbeatRequestSchema,
  SendHeartbeatResponseSchema,
  validate,
} from "@baton/contract";
import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { Bell } from "../bell.ts";
import type { Complaints } from "../complaints.ts";
import { limits } from "../limits.ts";
import { AgentStream } from "./agent-stream.ts";
import { HubSession } from "./session.ts";

export interface HubAddress {
  readonly host: string;
  /** Any free one when zero. */
  readonly port: number;
}

/** What a message that cannot be read, or is too large, ends a stream with. */
const babbles = new Set([Code.InvalidArgument, Code.Internal, Code.ResourceExhausted]);

/**
 * The hub's side of the protocol, for one agent: it says what a case wants said, decides nothing, and notes whatever
 * it receives that the contract does not allow.
 */
export class HubSide {
  readonly bell = new Bell();
  readonly complaints: Complaints;
  readonly session: HubSession;
  readonly streams: AgentStream[] = [];
  /** Of agents that are called. */
  readonly registrations: AgentManifest[] = [];
  readonly heartbeats: AgentHeartbeat[] = [];
  /** Every hello is counted, also one that is refused. */
  hellos = 0;
  /** Called with each message of a stream after hello. */
  onReceived: (request: AttachAgentRequest, isRepeated: boolean) => void = () => {};

  /** Whether it acknowledges at once what it receives. */
  acknowledges = true;
  /** Answers hello with this, as long as it is set. */
  refusal: Code | undefined;
  /** Holds each welcome back for so long. */
  welcomeAfterMs = 0;

  readonly #host: string;
  readonly #server: Http2Server;
  readonly #connections = new Set<ServerHttp2Session>();
  #messages = 0;

  private constructor(host: string, complaints: Complaints) {
    this.#host = host;
    this.complaints = complaints;
    this.session = new HubSession(complaints);
    const handler = connectNodeAdapter({
      readMaxBytes: defaultLimits.maxBytes,
      routes: (router) =>
        router.service(RegistryService, {
          attachAgent: (requests) => this.#attach(requests[Symbol.asyncIterator]()),
          registerAgent: (request) => this.#register(request),
          sendHeartbeat: (request) => this.#renew(request),
        }),
    });
    this.#server = createServer(handler);
    this.#server.on("session", (connection) => {
      this.#connections.add(connection);
      connection.on("close", () => this.#connections.delete(connection));
    });
  }

  static async start({ host, port }: HubAddress, complaints: Complaints): Promise<HubSide> {
    const hub = new HubSide(host, complaints);
    hub.#server.listen(port, host);
    await once(hub.#server, "listening");
    return hub;
  }

  get address(): string {
    const address = this.#server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    return `http://${this.#host.includes(":") ? `[${this.#host}]` : this.#host}:${port}`;
  }

  /** The stream on which the agent is in; undefined while it is away. */
  get stream(): AgentStream | undefined {
    const last = this.streams.at(-1);
    return last?.isOpen && last.isWelcomed ? last : undefined;
  }

  /** Breaks every connection, as a lost network would, and goes on listening. */
  cut(): void {
    for (const stream of this.streams) stream.end();
    for (const connection of this.#connections) connection.destroy();
  }

  async stop(): Promise<void> {
    const closed = Promise.withResolvers<void>();
    this.#server.close(() => closed.resolve());
    this.cut();
    await closed.promise;
  }

  #register(request: RegisterAgentRequest) {
    this.#check("RegisterAgent", RegisterAgentRequestSchema, request);
    if (request.manifest) this.registrations.push(request.manifest);
    this.bell.ring();
    return create(RegisterAgentResponseSchema);
  }

  #renew(request: SendHeartbeatRequest) {
    this.#check("SendHeartbeat", SendHeartbeatRequestSchema, request);
    if (request.heartbeat) this.heartbeats.push(request.heartbeat);
    this.bell.ring();
    const leaseExpiresAt = timestampFromMs(Date.now() + limits.leaseMs);
    return create(SendHeartbeatResponseSchema, { leaseExpiresAt });
  }

  async *#attach(incoming: AsyncIterator<AttachAgentRequest>) {
    const stream = await this.#greet(incoming);
    this.streams.at(-1)?.end();
    this.streams.push(stream);
    void this.#listen(incoming, stream);
    await pause(this.welcomeAfterMs);
    this.#welcome(stream);
    yield* stream.outgoing;
  }

  async #greet(incoming: AsyncIterator<AttachAgentRequest>): Promise<AgentStream> {
    const { value: first, done } = await incoming.next().catch((error) => {
      this.#noteBabble(error);
      throw error;
    });
    if (done || first.message.case !== "hello") {
      this.complaints.add(
        `a stream that begins with ${done ? "nothing" : first.message.case}, not with hello`,
      );
      throw new ConnectError("hello comes first", Code.InvalidArgument);
    }
    this.hellos++;
    this.bell.ring();
    this.#check("hello", AttachAgentRequestSchema, first);
    if (this.refusal !== undefined) throw new ConnectError("this agent is not let in", this.refusal);
    this.session.greet(first, first.message.value.resumeSessionId);
    return new AgentStream(first.message.value);
  }

  #welcome(stream: AgentStream): void {
    stream.isWelcomed = true;
    stream.say({
      case: "welcome",
      value: {
        sessionId: this.session.id,
        acknowledgedSequence: this.session.acknowledged,
        leaseTtl: durationFromMs(3 * limits.heartbeatMs),
        heartbeatInterval: durationFromMs(limits.heartbeatMs),
      },
    });
    this.bell.ring();
  }

  async #listen(incoming: AsyncIterator<AttachAgentRequest>, stream: AgentStream): Promise<void> {
    try {
      for (let next = await incoming.next(); !next.done; next = await incoming.next()) {
        this.#receive(next.value, stream);
      }
    } catch (error) {
      if (stream.isOpen) this.#noteBabble(error);
    }
    stream.end();
    this.bell.ring();
  }

  #receive(request: AttachAgentRequest, stream: AgentStream): void {
    const kind = request.message.case ?? "nothing";
    this.#check(kind, AttachAgentRequestSchema, request);
    if (kind === "hello") this.complaints.add("hello twice on one stream");
    if (!stream.isWelcomed) this.complaints.add(`${kind} before the welcome`);
    const isRepeated = this.session.note(request);
    stream.received.push(request);
    this.onReceived(request, isRepeated);
    if (this.acknowledges) {
      this.session.acknowledged = request.sequence;
      stream.say({ case: "acknowledged", value: { sequence: request.sequence } });
    }
    this.bell.ring();
    if (++this.#messages < limits.messages) return;
    this.complaints.add(`more than ${limits.messages} messages`);
    this.cut();
  }

  #noteBabble(error: unknown): void {
    if (!(error instanceof ConnectError && babbles.has(error.code))) return;
    this.complaints.add(`bytes that are no message: ${error.rawMessage}`);
  }

  #check<Desc extends DescMessage>(kind: string, schema: Desc, message: MessageShape<Desc>): void {
    for (const { field, message: rule } of validate(schema, message)) {
      this.complaints.add(`${kind}: ${field} ${rule}`);
    }
  }
}
