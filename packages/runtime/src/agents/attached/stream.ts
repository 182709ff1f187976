import {
  type AgentHeartbeat,
  type AttachAgentResponse,
  type CancelAgentRequest,
  CancelReason,
  type TaskEnvelope,
} from "@baton/contract";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { Outgoing } from "../../lib/outgoing.ts";
import type { AgentLink } from "../../ports/outside.ts";
import { pipelineOf } from "../../ports/stored-command.ts";
import { fleetRefusal } from "../accept.ts";
import type { Hello } from "./hello.ts";
import { type Response, refusalOf, response } from "./response.ts";
import type { Session } from "./session.ts";
import type { AttachParts } from "./settings.ts";

/** The hub's side of one open stream. */
export class Stream implements AgentLink {
  readonly tenantId: string;
  readonly packId: string;
  readonly instanceId: string;
  readonly outgoing: Outgoing<AttachAgentResponse>;
  readonly session: Session;
  /** The latest of the instance. */
  heartbeat: AgentHeartbeat;
  readonly #parts: AttachParts;
  readonly #hello: Hello;
  #acknowledging = false;

  constructor(parts: AttachParts, session: Session, hello: Hello) {
    this.#parts = parts;
    this.session = session;
    this.#hello = hello;
    this.heartbeat = hello.heartbeat;
    this.outgoing = new Outgoing(parts.settings.outgoingLimit, () => this.#takeAcknowledgement());
    ({ tenantId: this.tenantId, packId: this.packId, instanceId: this.instanceId } = session.address);
  }

  /** The key that opened it; undefined where the hub has none. */
  get by(): string | undefined {
    return this.#hello.by;
  }

  /** Registers the pack and the instance. Throws when the fleet refuses one of them. */
  async introduce(): Promise<void> {
    const { engine } = this.#parts;
    const { manifest, by } = this.#hello;
    const unknown = await engine.enqueueFleet(this.tenantId, { kind: "register", manifest });
    if (unknown) throw fleetRefusal(unknown);
    const { heartbeat } = this;
    const refused = await engine.enqueueFleet(this.tenantId, { kind: "heartbeat", heartbeat, by });
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
        // A third of a lease may be a fraction, which a duration cannot carry.
        leaseTtl: durationFromMs(Math.floor(settings.leaseTtlMs)),
        heartbeatInterval: durationFromMs(Math.floor(settings.heartbeatIntervalMs)),
        orchestratorVersion: settings.orchestratorVersion,
      },
    });
  }

  /** `holds` is undefined when the agent has not stated it: then it holds what the hub expects. */
  reconcile(holds: ReadonlySet<string> | undefined): void {
    const { connections, engine, reports } = this.#parts;
    const { lost, stray } = connections.reconcile(this, holds ?? new Set(connections.underWay(this)));
    const reason = "the agent came back without it";
    for (const dispatchId of lost) {
      reports.mayRepeat(this, dispatchId);
      void engine.enqueue(pipelineOf(dispatchId), { type: "agent-lost", dispatchId, reason });
    }
    for (const dispatchId of stray) {
      this.#push({
        case: "cancel",
        value: {
          dispatchId,
          attemptNumber: this.#hello.held.get(dispatchId) ?? 1,
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

  /** Delivered when it is on the stream: if that breaks, the agent states what it holds when it comes back. */
  async cancel(request: CancelAgentRequest): Promise<boolean> {
    return this.#push({ case: "cancel", value: request });
  }

  refuse(sequence: bigint, error: unknown): void {
    this.#push({ case: "refused", value: { sequence, error: refusalOf(error, this.#parts.errors) } });
  }

  /** One acknowledgement for all messages that became durable together, after what else leaves with it. */
  acknowledge(): void {
    this.#acknowledging = true;
    this.outgoing.remind();
  }

  /** Announces that nothing new is sent, and how long the hub waits for what the agent has. */
  drain(reason: string, graceMs: number): void {
    this.#push({ case: "drain", value: { reason, grace: durationFromMs(graceMs) } });
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
