import { CancelAgentRequestSchema, type TaskEnvelope } from "@baton/contract";
import type { Command } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import type { AttemptChange, Order } from "../driver/order.ts";
import type { AgentLink } from "../ports/outside.ts";

type Send = Extract<Command, { type: "send" }>;
type Cancel = Extract<Command, { type: "cancel" }>;

/** What became of an envelope. */
export interface Delivery {
  sent(): void;
  failed(reason: string): void;
}

interface Held {
  readonly envelope: TaskEnvelope;
  readonly delivery: Delivery;
}

/** Which attempts of an instance turned out to be nowhere, and which it has that nobody waits for. */
export interface Reconciled {
  readonly lost: readonly string[];
  readonly stray: readonly string[];
}

/** Who is connected, what each has to do, and what waits for somebody to come back. */
export class Switchboard {
  readonly #desks = new Map<string, Desk>();
  /** By tenant and attempt, while it is under way. */
  readonly #deskOf = new Map<string, Desk>();
  /** By tenant and id of the instance. */
  readonly #namesakes = new Map<string, Set<Desk>>();

  /** The link of an instance, if it is connected. */
  link(address: Address): AgentLink | undefined {
    return this.#desks.get(keyOf(address))?.link;
  }

  /** A newer link takes the place of an older one. */
  connect(link: AgentLink): void {
    this.#desk(link).link = link;
  }

  /** Only of the link that is connected now: an instance may have come back before its old link was seen to be gone. */
  disconnect(link: AgentLink): boolean {
    const key = keyOf(link);
    const desk = this.#desks.get(key);
    if (desk?.link !== link) return false;
    desk.link = undefined;
    this.#tidy(key, desk);
    return true;
  }

  /** Whether another instance is at work on it. */
  isElsewhere(address: Address, dispatchId: string): boolean {
    const desk = this.#deskOf.get(`${address.tenantId}\n${dispatchId}`);
    return desk !== undefined && keyOf(desk.address) !== keyOf(address);
  }

  /** Everything is forgotten but who is connected: the attempts are told anew. */
  forgetAttempts(): void {
    this.#deskOf.clear();
    for (const [key, desk] of this.#desks) {
      desk.underWay.clear();
      desk.held.clear();
      this.#tidy(key, desk);
    }
  }

  /** What an instance has to do, as far as the hub knows. */
  underWay(address: Address): readonly string[] {
    return [...(this.#desks.get(keyOf(address))?.underWay ?? [])];
  }

  hear({ kind, dispatchId, ...address }: AttemptChange): void {
    const key = keyOf(address);
    const desk = this.#desk(address);
    const attempt = `${address.tenantId}\n${dispatchId}`;
    if (kind === "began") {
      desk.underWay.add(dispatchId);
      this.#deskOf.set(attempt, desk);
    } else {
      const held = desk.held.get(dispatchId);
      desk.underWay.delete(dispatchId);
      desk.held.delete(dispatchId);
      // Nobody has to get the envelope any more: the command is done.
      held?.delivery.sent();
      this.#deskOf.delete(attempt);
    }
    this.#tidy(key, desk);
  }

  send({ tenantId, again, refusal }: Order, { envelope, dispatchId }: Send, delivery: Delivery): void {
    if (refusal !== undefined) return delivery.failed(refusal);
    const desk = this.#deskOf.get(`${tenantId}\n${dispatchId}`);
    if (!desk) return delivery.failed("the attempt is over");
    if (desk.link) deliver(desk.link, envelope, delivery);
    else if (again) desk.held.set(dispatchId, { envelope, delivery });
    else delivery.failed("the agent is not connected");
  }

  cancel({ tenantId }: Order, { dispatchId, attempt, instanceId, reason, explanation }: Cancel): void {
    const request = { dispatchId, attemptNumber: attempt, reason, explanation };
    // Instances of two packs may have the same id: the one that does not know the attempt takes no notice.
    for (const { link } of this.#namesakes.get(`${tenantId}\n${instanceId}`) ?? [])
      link?.cancel(create(CancelAgentRequestSchema, request));
  }

  /**
   * The instance is back and says what it has. What was to be sent again and did not arrive is sent now; what it should
   * have and does not is lost; what it has and nobody waits for is told to stop.
   */
  reconcile(link: AgentLink, holds: ReadonlySet<string>): Reconciled {
    const desk = this.#desk(link);
    const lost: string[] = [];
    for (const dispatchId of desk.underWay) {
      const held = desk.held.get(dispatchId);
      desk.held.delete(dispatchId);
      if (holds.has(dispatchId)) held?.delivery.sent();
      else if (held) deliver(link, held.envelope, held.delivery);
      else lost.push(dispatchId);
    }
    return { lost, stray: [...holds].filter((dispatchId) => !desk.underWay.has(dispatchId)) };
  }

  #desk(address: Address): Desk {
    const key = keyOf(address);
    const known = this.#desks.get(key);
    if (known) return known;
    const { tenantId, packId, instanceId } = address;
    const desk: Desk = {
      address: { tenantId, packId, instanceId },
      link: undefined,
      underWay: new Set(),
      held: new Map(),
    };
    this.#desks.set(key, desk);
    const name = `${tenantId}\n${instanceId}`;
    this.#namesakes.set(name, (this.#namesakes.get(name) ?? new Set()).add(desk));
    return desk;
  }

  #tidy(key: string, desk: Desk): void {
    if (desk.link || desk.underWay.size > 0) return;
    this.#desks.delete(key);
    const name = `${desk.address.tenantId}\n${desk.address.instanceId}`;
    const namesakes = this.#namesakes.get(name);
    namesakes?.delete(desk);
    if (namesakes?.size === 0) this.#namesakes.delete(name);
  }
}

export interface Address {
  readonly tenantId: string;
  readonly packId: string;
  readonly instanceId: string;
}

interface Desk {
  readonly address: Address;
  link: AgentLink | undefined;
  readonly underWay: Set<string>;
  /** To be sent again to an instance that is not back yet. */
  readonly held: Map<string, Held>;
}

function deliver(link: AgentLink, envelope: TaskEnvelope, { sent, failed }: Delivery): void {
  link
    .send(envelope)
    .then(sent, (error: unknown) => failed(error instanceof Error ? error.message : String(error)));
}

function keyOf({ tenantId, packId, instanceId }: Address): string {
  return `${tenantId}\n${packId}\n${instanceId}`;
}
