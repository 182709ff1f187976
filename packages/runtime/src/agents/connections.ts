import { CancelAgentRequestSchema, type TaskEnvelope } from "@baton/contract";
import { type Command, type Redactor, redactEnvelope, spanIdOf } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { type Address, isSame, keyOf, nameOf } from "../ports/agent-address.ts";
import type { AgentLink } from "../ports/outside.ts";
import type { AttemptChange, PendingCommand } from "../ports/stored-command.ts";
import type { EgressFilter } from "../redaction/egress-filter.ts";
import type { HeldCancel, HeldCancels } from "./held-cancels.ts";

type Send = Extract<Command, { type: "send" }>;
type CancelCommand = Extract<Command, { type: "cancel" }>;

/** Receives the outcome of sending an envelope. */
export interface Delivery {
  sent(): void;
  failed(reason: string): void;
  /** Its agent was not connected: nothing left the hub. */
  away(reason: string): void;
}

/** Adds the steps of earlier attempts to an envelope. */
type WithSteps = (tenantId: string, envelope: TaskEnvelope) => Promise<TaskEnvelope>;

interface Held {
  readonly envelope: TaskEnvelope;
  readonly delivery: Delivery;
}

/** `lost`: the instance should have them and does not. `stray`: it has them and nobody waits for them. */
export interface Reconciled {
  readonly lost: readonly string[];
  readonly stray: readonly string[];
}

/** Which instances are connected, their attempts, and what waits for one to come back. */
export class AgentConnections {
  readonly #instances = new Map<string, Instance>();
  /** By tenant and attempt, while it is under way. */
  readonly #instanceOf = new Map<string, Instance>();
  /** By tenant and instance id. */
  readonly #namesakes = new Map<string, Set<Instance>>();
  readonly #cancels: HeldCancels;
  readonly #toAgents: Redactor;
  readonly #withSteps: WithSteps;
  /** By tenant and attempt: decided after sending was stopped. Undefined while sending is on. */
  #withheld: Set<string> | undefined;
  #notifyQuiet: () => void = () => {};

  constructor(cancels: HeldCancels, filter: EgressFilter, withSteps: WithSteps) {
    this.#cancels = cancels;
    this.#withSteps = withSteps;
    this.#toAgents = filter.at("agent");
  }

  /** The link of an instance, if it is connected. */
  link(address: Address): AgentLink | undefined {
    return this.#instances.get(keyOf(address))?.link;
  }

  /** A newer link replaces an older one. Cancels that waited for the instance are sent. */
  connect(link: AgentLink): void {
    const instance = this.#instance(link);
    instance.link = link;
    for (const dispatchId of this.sendCancels(link)) instance.cancelled.add(dispatchId);
  }

  /** Ignores an old link: its instance may have come back before the old link was closed. */
  disconnect(link: AgentLink): boolean {
    const key = keyOf(link);
    const instance = this.#instances.get(key);
    if (instance?.link !== link) return false;
    instance.link = undefined;
    this.#removeIdle(key, instance);
    if (this.#withheld) this.#checkQuiet();
    return true;
  }

  /** Whether another instance works on it. */
  isElsewhere(address: Address, dispatchId: string): boolean {
    const instance = this.#instanceOf.get(`${address.tenantId}\n${dispatchId}`);
    return instance !== undefined && !isSame(instance.address, address);
  }

  isUnderWayAt(address: Address, dispatchId: string): boolean {
    const instance = this.#instanceOf.get(`${address.tenantId}\n${dispatchId}`);
    return instance !== undefined && isSame(instance.address, address);
  }

  isUnderWay({ tenantId, dispatchId }: { readonly tenantId: string; readonly dispatchId: string }): boolean {
    return this.#instanceOf.has(`${tenantId}\n${dispatchId}`);
  }

  /** Forgets all but the links; recovery adds the attempts again. */
  forgetAttempts(): void {
    this.#instanceOf.clear();
    this.#cancels.forget();
    for (const [key, instance] of this.#instances) {
      instance.underWay.clear();
      instance.held.clear();
      this.#removeIdle(key, instance);
    }
  }

  /** The attempts of an instance, as far as the hub knows. */
  underWay(address: Address): readonly string[] {
    return [...(this.#instances.get(keyOf(address))?.underWay ?? [])];
  }

  update(change: AttemptChange): void {
    const { kind, dispatchId, tenantId } = change;
    const key = keyOf(change);
    const instance = this.#instance(change);
    const attempt = `${tenantId}\n${dispatchId}`;
    if (kind === "began") {
      instance.underWay.add(dispatchId);
      this.#instanceOf.set(attempt, instance);
    } else {
      const held = instance.held.get(dispatchId);
      instance.underWay.delete(dispatchId);
      instance.held.delete(dispatchId);
      // The envelope is not needed any more: its command is done.
      held?.delivery.sent();
      this.#instanceOf.delete(attempt);
      if (this.#withheld) this.#checkQuiet();
    }
    this.#removeIdle(key, instance);
  }

  send(
    { tenantId, again, refusal }: PendingCommand,
    { envelope, dispatchId }: Send,
    delivery: Delivery,
  ): void {
    if (refusal !== undefined) return delivery.failed(refusal);
    const attempt = `${tenantId}\n${dispatchId}`;
    if (this.#withheld) return void this.#withheld.add(attempt);
    const instance = this.#instanceOf.get(attempt);
    if (!instance) return delivery.failed("the attempt is over");
    if (instance.link) void this.#deliver(instance.link, envelope, delivery);
    else if (again) instance.held.set(dispatchId, { envelope, delivery });
    else delivery.away("the agent is not connected");
  }

  /** Stops sending: commands decided from now on stay stored, and are executed after the restart. */
  withhold(): void {
    this.#withheld ??= new Set();
  }

  /** Resolves when no connected instance has an attempt. */
  quiet(): Promise<void> {
    return new Promise((resolve) => {
      this.#notifyQuiet = resolve;
      this.#checkQuiet();
    });
  }

  /** `done` is called when the instance has it or it has expired; until then it waits for its instance. */
  cancel({ tenantId, traceId }: PendingCommand, command: CancelCommand, done: () => void): void {
    const { dispatchId, attempt: attemptNumber, instanceId, reason, explanation } = command;
    const request = create(CancelAgentRequestSchema, {
      ...{ dispatchId, attemptNumber, reason, explanation: this.#explain(explanation) },
      trace: { traceId, spanId: spanIdOf(dispatchId), tenantId, agentId: instanceId },
    });
    const name = nameOf({ tenantId, instanceId });
    // Instances of two packs may have the same name: the one that does not know the attempt ignores it.
    const instance = this.#instanceOf.get(`${tenantId}\n${dispatchId}`);
    const instances = instance ? [instance] : [...(this.#namesakes.get(name) ?? [])];
    const links = instances.flatMap(({ link }) => link ?? []);
    this.#sendCancel(links, this.#cancels.begin(name, request, done));
  }

  /** The instance is reachable: sends the cancels that wait for it, and returns their attempts. */
  sendCancels(link: AgentLink): readonly string[] {
    return this.#cancels.take(nameOf(link)).map((cancel) => {
      this.#sendCancel([link], cancel);
      return cancel.request.dispatchId;
    });
  }

  /**
   * Compares the attempts that an instance holds with those it should have. Envelopes that wait for it and that it does not
   * hold are sent.
   */
  reconcile(link: AgentLink, holds: ReadonlySet<string>): Reconciled {
    const instance = this.#instance(link);
    const lost: string[] = [];
    for (const dispatchId of instance.underWay) {
      const held = instance.held.get(dispatchId);
      instance.held.delete(dispatchId);
      if (holds.has(dispatchId)) held?.delivery.sent();
      else if (held) void this.#deliver(link, held.envelope, held.delivery);
      else lost.push(dispatchId);
    }
    const expected = instance.underWay.union(instance.cancelled);
    instance.cancelled.clear();
    return { lost, stray: [...holds].filter((dispatchId) => !expected.has(dispatchId)) };
  }

  /**
   * An envelope that cannot be redacted is not sent: the attempt ends as not delivered. Steps are added after that: their
   * values return to the work that made them, and must be the same.
   */
  async #deliver(link: AgentLink, envelope: TaskEnvelope, { sent, failed }: Delivery): Promise<void> {
    try {
      const redacted = redactEnvelope(this.#toAgents, envelope);
      await link.send(envelope.steps ? await this.#withSteps(link.tenantId, redacted) : redacted);
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    }
    sent();
  }

  /** A cancel has to arrive; without its explanation if that cannot be redacted. */
  #explain(explanation: string): string {
    try {
      return this.#toAgents.redactText(explanation).text;
    } catch {
      return "";
    }
  }

  #checkQuiet(): void {
    for (const { link, address, underWay } of this.#instances.values()) {
      if (!link) continue;
      for (const dispatchId of underWay)
        if (!this.#withheld?.has(`${address.tenantId}\n${dispatchId}`)) return;
    }
    this.#notifyQuiet();
  }

  #sendCancel(links: readonly AgentLink[], cancel: HeldCancel): void {
    if (links.length === 0) return this.#cancels.hold(cancel);
    void Promise.all(links.map((link) => link.cancel(cancel.request))).then((accepted) => {
      if (accepted.includes(true)) cancel.settle();
      else this.#cancels.hold(cancel);
    });
  }

  #instance(address: Address): Instance {
    const key = keyOf(address);
    const known = this.#instances.get(key);
    if (known) return known;
    const { tenantId, packId, instanceId } = address;
    const instance: Instance = {
      address: { tenantId, packId, instanceId },
      link: undefined,
      underWay: new Set(),
      held: new Map(),
      cancelled: new Set(),
    };
    this.#instances.set(key, instance);
    const name = nameOf(address);
    this.#namesakes.set(name, (this.#namesakes.get(name) ?? new Set()).add(instance));
    return instance;
  }

  #removeIdle(key: string, instance: Instance): void {
    if (instance.link || instance.underWay.size > 0) return;
    this.#instances.delete(key);
    const name = nameOf(instance.address);
    const namesakes = this.#namesakes.get(name);
    namesakes?.delete(instance);
    if (namesakes?.size === 0) this.#namesakes.delete(name);
  }
}

interface Instance {
  readonly address: Address;
  link: AgentLink | undefined;
  readonly underWay: Set<string>;
  /** Envelopes to send again when the instance is back. */
  readonly held: Map<string, Held>;
  /** Cancelled when it connected; reconciling need not cancel them again. */
  readonly cancelled: Set<string>;
}
