import {
  type AgentHeartbeat,
  type AttachAgentResponse,
  type CancelAgentRequest,
  CancelReason,
  type TaskEnvelope,
} from "@baton/contract";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { pipelineOf } from "../../driver/order.ts";
import type { AgentLink } from "../../ports/outside.ts";
import { fleetRefusal } from "../agent-desk.ts";
import type { Hello } from "./hello.ts";
import { Outgoing } from "./outgoing.ts";
import { type Response, refusalOf, response } from "./response.ts";
import type { Session } from "./session.ts";
import type { AttachParts } from "./settings.ts";

/** One open stream, as the hub speaks on it. */
export class Stream implements AgentLink {
  readonly tenantId: string;
  readonly packId: string;
  readonly instanceId: string;
  readonly outgoing: Outgoing<AttachAgentResponse>;
  readonly session: Session;
  /** What the instance said of itself last. */
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

  /** Tells the fleet who is there. Throws when it may not be. */
  async introduce(): Promise<void> {
    const { driver } = this.#parts;
    const { manifest, by } = this.#hello;
    const unknown = await driver.tellFleet(this.tenantId, { kind: "register", manifest });
    if (unknown) throw fleetRefusal(unknown);
    const { heartbeat } = this;
    const refused = await driver.tellFleet(this.tenantId, { kind: "heartbeat", heartbeat, by });
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
    const { switchboard, driver, desk } = this.#parts;
    const { lost, stray } = switchboard.reconcile(this, holds ?? new Set(switchboard.underWay(this)));
    const reason = "the agent came back without it";
    for (const dispatchId of lost) {
      desk.mayRepeat(this, dispatchId);
      void driver.give(pipelineOf(dispatchId), { type: "agent-lost", dispatchId, reason });
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

  /** On the stream is as good as told: should it break, the agent says what it holds when it is back. */
  async cancel(request: CancelAgentRequest): Promise<boolean> {
    return this.#push({ case: "cancel", value: request });
  }

  refuse(sequence: bigint, error: unknown): void {
    this.#push({ case: "refused", value: { sequence, error: refusalOf(error, this.#parts.errors) } });
  }

  /** Once for all that became durable together, behind what else leaves with it. */
  acknowledge(): void {
    this.#acknowledging = true;
    this.outgoing.remind();
  }

  /** Nothing new will come, and what the agent has is waited for this long at the most. */
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
