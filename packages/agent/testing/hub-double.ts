import { once } from "node:events";
import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import {
  type AttachAgentRequest,
  AttachAgentRequestSchema,
  type AttachAgentResponse,
  AttachAgentResponseSchema,
  type AttachHello,
  defaultLimits,
  ListStepsResponseSchema,
  type RegisterAgentRequest,
  RegisterAgentResponseSchema,
  RegistryService,
  type ReportStepRequest,
  ReportStepResponseSchema,
  type SendHeartbeatRequest,
  SendHeartbeatResponseSchema,
  type Step,
  type TaskEnvelope,
  validate,
} from "@baton/contract";
import { lastingPort } from "@baton/contract/testing/lasting-port";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { Mailbox } from "./mailbox.ts";

type Outgoing = NonNullable<MessageInitShape<typeof AttachAgentResponseSchema>["message"]>;

/** The hub side of one stream. Received messages are queued until a test takes them. */
export class HubStream {
  readonly hello: AttachHello;
  readonly helloSequence: bigint;
  readonly headers: Headers;
  /** Messages after hello, in order. */
  readonly received = new Mailbox<AttachAgentRequest>();
  readonly sent = new Mailbox<AttachAgentResponse>();
  /** Resolves when the agent has ended its side, or the stream failed. */
  readonly ended = Promise.withResolvers<void>();

  constructor(first: AttachAgentRequest, headers: Headers) {
    if (first.message.case !== "hello") throw new Error(`the first message is ${first.message.case}`);
    this.hello = first.message.value;
    this.helloSequence = first.sequence;
    this.headers = headers;
  }

  send(message: Outgoing): void {
    this.sent.put(create(AttachAgentResponseSchema, { message }));
  }

  dispatch(envelope: TaskEnvelope): void {
    this.send({ case: "dispatch", value: envelope });
  }

  cancel(dispatchId: string, explanation = ""): void {
    this.send({ case: "cancel", value: { dispatchId, attemptNumber: 1, explanation } });
  }

  acknowledge(sequence: bigint): void {
    this.send({ case: "acknowledged", value: { sequence } });
  }

  /** The next message of a kind; skips others. */
  async next<Kind extends AgentMessage["case"]>(kind: Kind): Promise<Received<Kind>> {
    for (;;) {
      const received = await this.received.take();
      const message: AnyMessage = received.message;
      if (isKind(message, kind)) return { ...received, value: message.value };
    }
  }

  /** Ends the stream without an error. */
  end(): void {
    this.sent.end();
  }
}

type AgentMessage = Exclude<AttachAgentRequest["message"], { case: undefined }>;
type Value<Kind extends AgentMessage["case"]> = Extract<AgentMessage, { case: Kind }>["value"];

export interface Received<Kind extends AgentMessage["case"]> {
  readonly value: Value<Kind>;
  readonly sequence: bigint;
  readonly dispatchId: string;
}

interface AnyMessage {
  readonly case?: string | undefined;
  readonly value?: unknown;
}

function isKind<Kind extends AgentMessage["case"]>(
  message: AnyMessage,
  kind: Kind,
): message is { readonly case: Kind; readonly value: Value<Kind> } {
  return message.case === kind;
}

export interface HubDoubleOptions {
  readonly port?: number;
  readonly heartbeatMs?: number;
  /** Refuses a hello or a call with this error. */
  readonly refuse?: () => ConnectError | undefined;
  /** Steps of earlier attempts, two on a page. */
  readonly givenSteps?: readonly Step[];
  /** Acknowledge each message at once. Default: true. */
  readonly acknowledges?: boolean;
  /** The session of a hello, and its acknowledged sequence. Default: a new session each time. */
  readonly session?: (hello: AttachHello) => { readonly id: string; readonly acknowledged?: bigint };
}

/**
 * A hub that a test controls: it speaks the real protocol on a real port, decides nothing, and validates every message it
 * receives.
 */
export class HubDouble {
  readonly streams = new Mailbox<HubStream>();
  readonly registered = new Mailbox<RegisterAgentRequest>();
  readonly heartbeats = new Mailbox<SendHeartbeatRequest>();
  readonly steps = new Mailbox<ReportStepRequest>();
  /** Rules of the contract that received messages broke. */
  readonly violations: string[] = [];
  readonly #options: HubDoubleOptions;
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #packs = new Set<string>();
  #count = 0;

  private constructor(options: HubDoubleOptions) {
    this.#options = options;
    this.#server = createServer(
      connectNodeAdapter({
        readMaxBytes: defaultLimits.maxBytes,
        routes: (router) =>
          router.service(RegistryService, {
            attachAgent: (requests, { requestHeader }) => this.#attach(requests, requestHeader),
            registerAgent: (request) => {
              this.#refuse();
              this.registered.put(request);
              this.#packs.add(request.manifest?.packId ?? "");
              return create(RegisterAgentResponseSchema);
            },
            sendHeartbeat: (request) => {
              this.#refuse();
              if (!this.#packs.has(request.heartbeat?.packId ?? "")) {
                throw new ConnectError("no such pack", Code.NotFound);
              }
              this.heartbeats.put(request);
              const leaseExpiresAt = timestampFromMs(Date.now() + 3 * (options.heartbeatMs ?? 10_000));
              return create(SendHeartbeatResponseSchema, { leaseExpiresAt });
            },
            reportStep: (request) => {
              this.#refuse();
              this.steps.put(request);
              return create(ReportStepResponseSchema);
            },
            listSteps: ({ after }) => {
              this.#refuse();
              const all = options.givenSteps ?? [];
              return create(ListStepsResponseSchema, { steps: all.slice(after, after + 2) });
            },
          }),
      }),
    );
    this.#server.on("session", (session) => {
      this.#sessions.add(session);
      session.on("close", () => this.#sessions.delete(session));
    });
  }

  static async start(options: HubDoubleOptions = {}): Promise<HubDouble> {
    const hub = new HubDouble(options);
    hub.#server.listen(options.port ?? (await lastingPort()), "127.0.0.1");
    await once(hub.#server, "listening");
    return hub;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the hub does not listen");
    return address.port;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Drops every connection, as a network failure would, and keeps listening. */
  dropConnections(): void {
    for (const session of this.#sessions) session.destroy();
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = Promise.withResolvers<void>();
    this.#server.close(() => closed.resolve());
    this.dropConnections();
    await closed.promise;
  }

  #refuse(): void {
    const error = this.#options.refuse?.();
    if (error) throw error;
  }

  async *#attach(requests: AsyncIterable<AttachAgentRequest>, headers: Headers) {
    const incoming = requests[Symbol.asyncIterator]();
    const first = await incoming.next();
    if (first.done) return;
    this.#check(first.value);
    const stream = new HubStream(first.value, headers);
    this.#refuse();
    const session = this.#options.session?.(stream.hello) ?? { id: `session-${++this.#count}` };
    const heartbeatMs = this.#options.heartbeatMs ?? 10_000;
    stream.send({
      case: "welcome",
      value: {
        sessionId: session.id,
        acknowledgedSequence: session.acknowledged ?? 0n,
        leaseTtl: durationFromMs(3 * heartbeatMs),
        heartbeatInterval: durationFromMs(heartbeatMs),
      },
    });
    this.streams.put(stream);
    void this.#listen(incoming, stream);
    yield* stream.sent;
  }

  async #listen(incoming: AsyncIterator<AttachAgentRequest>, stream: HubStream): Promise<void> {
    try {
      for (let next = await incoming.next(); !next.done; next = await incoming.next()) {
        this.#check(next.value);
        if (this.#options.acknowledges ?? true) stream.acknowledge(next.value.sequence);
        stream.received.put(next.value);
      }
    } catch {
      // The connection is closed.
    }
    stream.sent.end();
    stream.ended.resolve();
  }

  #check(request: AttachAgentRequest): void {
    for (const { field, message } of validate(AttachAgentRequestSchema, request)) {
      this.violations.push(`${request.message.case} ${field} ${message}`);
    }
  }
}
