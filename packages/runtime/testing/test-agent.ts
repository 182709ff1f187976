import {
  type AgentResultSchema,
  type AttachAgentRequest,
  AttachAgentRequestSchema,
  type AttachAgentResponse,
  HealthStatus,
  type InterfaceContractSchema,
  RiskTier,
  type TaskEnvelope,
} from "@baton/contract";
import { resultFor } from "@baton/kernel/testing";
import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Hub } from "../src/api/hub.ts";
import { Outgoing } from "../src/lib/outgoing.ts";
import type { Caller } from "../src/ports/caller.ts";
import { eventually, settles } from "./eventually.ts";

type Message = Exclude<MessageInitShape<typeof AttachAgentRequestSchema>["message"], undefined>;

export interface TestAgentOptions {
  readonly packId: string;
  readonly instanceId?: string;
  readonly tenantId?: string;
  /** Its credential; none by default. */
  readonly keyId?: string;
  readonly maxTasks?: number;
  readonly taskTypes?: readonly string[];
  /** Fields of the interface in its manifest. */
  readonly spoken?: InterfaceInit;
  readonly packVersion?: string;
  readonly tools?: readonly string[];
  readonly dataSchema?: JsonObject;
  /** The session to resume, and the number of its last message. */
  readonly resume?: { readonly sessionId: string; readonly lastSequence: bigint };
  /** Its answer to an envelope; undefined is none. Default: success. */
  readonly answer?: (envelope: TaskEnvelope) => ResultInit | undefined;
}

type InterfaceInit = Extract<
  MessageInitShape<typeof InterfaceContractSchema>,
  { readonly $typeName?: never }
>;
type ResultInit = Extract<MessageInitShape<typeof AgentResultSchema>, { readonly $typeName?: never }>;
type Response = AttachAgentResponse["message"];
type Kind = Exclude<Response["case"], undefined>;
type ValueOf<Case extends Kind> = Extract<Response, { case: Case }>["value"];

/** For agents that answer on demand. */
export const silent = (): undefined => undefined;

export function dispatchOf({ execution }: TaskEnvelope): string {
  return execution?.dispatchId ?? "";
}

/** An agent at the other end of a stream, without a network. */
export class TestAgent {
  readonly received: AttachAgentResponse[] = [];
  readonly envelopes: TaskEnvelope[] = [];
  readonly #outgoing = new Outgoing<AttachAgentRequest>(10_000);
  readonly #options: TestAgentOptions;
  readonly #leave = new AbortController();
  /** By attempt: the number of the message with its answer. */
  readonly #answered = new Map<string, bigint>();
  #sequence = 0n;
  #waiting: (() => void)[] = [];
  /** Rejects when the hub refuses the stream. */
  readonly ended: Promise<void>;

  constructor(hub: Hub, options: TestAgentOptions, held: readonly string[] = []) {
    this.#options = options;
    this.#sequence = options.resume?.lastSequence ?? 0n;
    this.say(hello(options, held));
    const { tenantId = "acme", keyId } = options;
    const caller: Caller = {
      tenantId,
      id: "agent-key",
      kind: "agent",
      ...(keyId !== undefined && { keyId }),
    };
    this.ended = this.#listen(hub.attachAgent(caller, this.#outgoing, this.#leave.signal));
    this.ended.catch(() => {});
  }

  /** The number of its last message. */
  get lastSequence(): bigint {
    return this.#sequence;
  }

  say(message: Message, dispatchId = ""): bigint {
    this.#sequence++;
    this.sayAs(this.#sequence, message, dispatchId);
    return this.#sequence;
  }

  /** Sends a message with a number that was used before. */
  sayAs(sequence: bigint, message: Message, dispatchId = ""): void {
    this.#outgoing.push(create(AttachAgentRequestSchema, { sequence, dispatchId, message }));
  }

  beat(): void {
    this.say({ case: "heartbeat", value: heartbeat(this.#options) });
  }

  answer(envelope: TaskEnvelope, init: ResultInit = {}): bigint {
    const sequence = this.say({ case: "result", value: resultFor(envelope, init) });
    this.#answered.set(dispatchOf(envelope), sequence);
    return sequence;
  }

  /** Attempts in progress, or with an unacknowledged answer. */
  held(): readonly TaskEnvelope[] {
    const acknowledged = this.all("acknowledged").at(-1)?.sequence ?? 0n;
    return this.envelopes.filter(
      (envelope) => (this.#answered.get(dispatchOf(envelope)) ?? acknowledged + 1n) > acknowledged,
    );
  }

  hasAnswered(envelope: TaskEnvelope): boolean {
    return this.#answered.has(dispatchOf(envelope));
  }

  /** The same instance on another hub. It sends unacknowledged answers again. */
  moveTo(hub: Hub): TestAgent {
    this.vanish();
    const held = this.held();
    const moved = new TestAgent(hub, this.#options, held.map(dispatchOf));
    moved.envelopes.push(...held);
    for (const envelope of held) if (this.hasAnswered(envelope)) moved.answer(envelope);
    return moved;
  }

  /** The stream breaks off. */
  vanish(): void {
    this.#leave.abort();
    this.#outgoing.end();
  }

  /** Received messages of one kind, in order. */
  all<Case extends Kind>(kind: Case): readonly ValueOf<Case>[] {
    // The compiler cannot relate case and value when the case is a variable.
    return this.received.flatMap(({ message }) =>
      message.case === kind ? [message.value as ValueOf<Case>] : [],
    );
  }

  /** The first message of a kind, or a later one; waits for it. */
  async receive<Case extends Kind>(kind: Case, count = 1): Promise<ValueOf<Case>> {
    const waiting = async () => {
      for (;;) {
        const found = this.all(kind)[count - 1];
        if (found) return found;
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    };
    const cases = () => this.received.map(({ message }) => message.case);
    return settles(waiting(), `${kind} number ${count}`, cases);
  }

  /** The first envelope, or a later one; waits for it. */
  async envelope(count = 1): Promise<TaskEnvelope> {
    return eventually(
      `envelope ${count}`,
      () => this.envelopes[count - 1],
      () => this.envelopes.length,
    );
  }

  async #listen(messages: AsyncIterable<AttachAgentResponse>): Promise<void> {
    for await (const message of messages) {
      this.received.push(message);
      if (message.message.case === "dispatch") this.#work(message.message.value);
      for (const resume of this.#waiting.splice(0)) resume();
    }
  }

  /** A repeated envelope is ignored. */
  #work(envelope: TaskEnvelope): void {
    if (this.envelopes.some((one) => dispatchOf(one) === dispatchOf(envelope))) return;
    this.envelopes.push(envelope);
    const { answer } = this.#options;
    const given = answer ? answer(envelope) : {};
    if (given) this.answer(envelope, given);
  }
}

function hello(options: TestAgentOptions, held: readonly string[]): Message {
  const { packId, packVersion = "1.0.0", maxTasks = 1, taskTypes, spoken, tools = [], resume } = options;
  return {
    case: "hello",
    value: {
      manifest: {
        packId,
        packVersion,
        capabilitySchemaVersion: "1.0.0",
        minOrchestratorVersion: "0.1.0",
        safetyTier: RiskTier.CRITICAL,
        providedTools: [...tools],
        ...(options.dataSchema && { dataSchema: options.dataSchema }),
        supportedTaskTypes: [...(taskTypes ?? ["code", "review", "verify"])],
        interface: {
          supportedSchemaVersions: ["^1.0.0"],
          acceptedRiskTiers: ["LOW", "NORMAL", "CRITICAL"],
          maxConcurrentTasks: maxTasks,
          ...spoken,
        },
      },
      heartbeat: heartbeat(options),
      resumeSessionId: resume?.sessionId ?? "",
      heldDispatches: held.map((dispatchId) => ({ dispatchId, attemptNumber: 1 })),
    },
  };
}

function heartbeat({
  packId,
  instanceId = `${packId}-1`,
  packVersion = "1.0.0",
  maxTasks = 1,
  tools = [],
}: TestAgentOptions) {
  return {
    packId,
    instanceId,
    packVersion,
    health: { status: HealthStatus.HEALTHY },
    capacity: { maxTasks },
    heartbeatAt: timestampFromMs(Date.now()),
    leaseTtl: durationFromMs(30_000),
    availableTools: [...tools],
  };
}

/** The first message of an agent, for tests that write the stream themselves. */
export function helloOf(options: TestAgentOptions): AttachAgentRequest {
  return create(AttachAgentRequestSchema, { sequence: 1n, message: hello(options, []) });
}
