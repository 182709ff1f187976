import { CancelAgentRequestSchema, type TaskEnvelope } from "@baton/contract";
import { type Command, type Redactor, redactEnvelope, spanIdOf } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import type { AttemptChange, Order } from "../driver/order.ts";
import type { Filter } from "../filter/filter.ts";
import type { AgentLink } from "../ports/outside.ts";
import { type Address, isSame, keyOf, nameOf } from "./address.ts";
import type { HeldCancel, HeldCancels } from "./held-cancels.ts";

type Send = Extract<Command, { type: "send" }>;
type CancelCommand = Extract<Command, { type: "cancel" }>;

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
  readonly #cancels: HeldCancels;
  readonly #toAgents: Redactor;
  /** By tenant and attempt: decided while nothing is sent any more. Undefined while everything is. */
  #withheld: Set<string> | undefined;
  #tellQuiet: () => void = () => {};

  constructor(cancels: HeldCancels, filter: Filter) {
    this.#cancels = cancels;
    this.#toAgents = filter.at("agent");
  }

  /** The link of an instance, if it is connected. */
  link(address: Address): AgentLink | undefined {
    return this.#desks.get(keyOf(address))?.link;
  }

  /** A newer link takes the place of an older one. What its instance could not be told before, it is told now. */
  connect(link: AgentLink): void {
    const desk = this.#desk(link);
    desk.link = link;
    for (const dispatchId of this.tellCancels(link)) desk.toldToStop.add(dispatchId);
  }

  /** Only of the link that is connected now: an instance may have come back before its old link was seen to be gone. */
  disconnect(link: AgentLink): boolean {
    const key = keyOf(link);
    const desk = this.#desks.get(key);
    if (desk?.link !== link) return false;
    desk.link = undefined;
    this.#tidy(key, desk);
    if (this.#withheld) this.#lookWhetherQuiet();
    return true;
  }

  /** Whether another instance is at work on it. */
  isElsewhere(address: Address, dispatchId: string): boolean {
    const desk = this.#deskOf.get(`${address.tenantId}\n${dispatchId}`);
    return desk !== undefined && !isSame(desk.address, address);
  }

  isUnderWayAt(address: Address, dispatchId: string): boolean {
    const desk = this.#deskOf.get(`${address.tenantId}\n${dispatchId}`);
    return desk !== undefined && isSame(desk.address, address);
  }

  isUnderWay({ tenantId, dispatchId }: { readonly tenantId: string; readonly dispatchId: string }): boolean {
    return this.#deskOf.has(`${tenantId}\n${dispatchId}`);
  }

  /** Everything is forgotten but who is connected: the attempts are told anew. */
  forgetAttempts(): void {
    this.#deskOf.clear();
    this.#cancels.forget();
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

  hear(change: AttemptChange): void {
    const { kind, dispatchId, tenantId } = change;
    const key = keyOf(change);
    const desk = this.#desk(change);
    const attempt = `${tenantId}\n${dispatchId}`;
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
      if (this.#withheld) this.#lookWhetherQuiet();
    }
    this.#tidy(key, desk);
  }

  send({ tenantId, again, refusal }: Order, { envelope, dispatchId }: Send, delivery: Delivery): void {
    if (refusal !== undefined) return delivery.failed(refusal);
    const attempt = `${tenantId}\n${dispatchId}`;
    if (this.#withheld) return void this.#withheld.add(attempt);
    const desk = this.#deskOf.get(attempt);
    if (!desk) return delivery.failed("the attempt is over");
    if (desk.link) void this.#deliver(desk.link, envelope, delivery);
    else if (again) desk.held.set(dispatchId, { envelope, delivery });
    else delivery.failed("the agent is not connected");
  }

  /** From now on nothing is sent: what is decided stays stored as it is, for the hub's next life. */
  withhold(): void {
    this.#withheld ??= new Set();
  }

  /** Resolves when nobody who is connected is at work. */
  quiet(): Promise<void> {
    return new Promise((resolve) => {
      this.#tellQuiet = resolve;
      this.#lookWhetherQuiet();
    });
  }

  /** Done when the instance has it, or is known to need it no more; until then it waits for its instance. */
  cancel({ tenantId, traceId }: Order, command: CancelCommand, done: () => void): void {
    const { dispatchId, attempt: attemptNumber, instanceId, reason, explanation } = command;
    const request = create(CancelAgentRequestSchema, {
      ...{ dispatchId, attemptNumber, reason, explanation: this.#explain(explanation) },
      trace: { traceId, spanId: spanIdOf(dispatchId), tenantId, agentId: instanceId },
    });
    const name = nameOf({ tenantId, instanceId });
    // Instances of two packs may have the same name: the one that does not know the attempt takes no notice.
    const desk = this.#deskOf.get(`${tenantId}\n${dispatchId}`);
    const desks = desk ? [desk] : [...(this.#namesakes.get(name) ?? [])];
    const links = desks.flatMap(({ link }) => link ?? []);
    this.#tell(links, this.#cancels.begin(name, request, done));
  }

  /** The instance was heard of: what it could not be told before is tried again. Says which attempts that was about. */
  tellCancels(link: AgentLink): readonly string[] {
    return this.#cancels.take(nameOf(link)).map((cancel) => {
      this.#tell([link], cancel);
      return cancel.request.dispatchId;
    });
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
      else if (held) void this.#deliver(link, held.envelope, held.delivery);
      else lost.push(dispatchId);
    }
    const expected = desk.underWay.union(desk.toldToStop);
    desk.toldToStop.clear();
    return { lost, stray: [...holds].filter((dispatchId) => !expected.has(dispatchId)) };
  }

  /** What cannot be redacted is not sent: the attempt ends as one that could not be delivered. */
  async #deliver(link: AgentLink, envelope: TaskEnvelope, { sent, failed }: Delivery): Promise<void> {
    try {
      await link.send(redactEnvelope(this.#toAgents, envelope));
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    }
    sent();
  }

  /** A cancel has to arrive, if need be without its words: they may quote a person. */
  #explain(explanation: string): string {
    try {
      return this.#toAgents.redactText(explanation).text;
    } catch {
      return "";
    }
  }

  #lookWhetherQuiet(): void {
    for (const { link, address, underWay } of this.#desks.values()) {
      if (!link) continue;
      for (const dispatchId of underWay)
        if (!this.#withheld?.has(`${address.tenantId}\n${dispatchId}`)) return;
    }
    this.#tellQuiet();
  }

  #tell(links: readonly AgentLink[], cancel: HeldCancel): void {
    if (links.length === 0) return this.#cancels.hold(cancel);
    void Promise.all(links.map((link) => link.cancel(cancel.request))).then((told) => {
      if (told.includes(true)) cancel.settle();
      else this.#cancels.hold(cancel);
    });
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
      toldToStop: new Set(),
    };
    this.#desks.set(key, desk);
    const name = nameOf(address);
    this.#namesakes.set(name, (this.#namesakes.get(name) ?? new Set()).add(desk));
    return desk;
  }

  #tidy(key: string, desk: Desk): void {
    if (desk.link || desk.underWay.size > 0) return;
    this.#desks.delete(key);
    const name = nameOf(desk.address);
    const namesakes = this.#namesakes.get(name);
    namesakes?.delete(desk);
    if (namesakes?.size === 0) this.#namesakes.delete(name);
  }
}

interface Desk {
  readonly address: Address;
  link: AgentLink | undefined;
  readonly underWay: Set<string>;
  /** To be sent again to an instance that is not back yet. */
  readonly held: Map<string, Held>;
  /** Told with its coming, so that it need not be told again when it says what it holds. */
  readonly toldToStop: Set<string>;
}
