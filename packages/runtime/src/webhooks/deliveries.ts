/**
 * Delivers messages of the outbox to webhooks, at least once.
 *
 * W1. A message leaves the outbox when its receiver has answered with success, or with the input that asks a person.
 * W2. What must be signed is never sent unsigned: without a usable secret an attempt fails.
 * W3. The time of the next attempt follows from the time since the decision, so a restart neither hurries nor forgets one.
 */
import { hash } from "node:crypto";
import {
  type Delivery,
  type NotificationFormat,
  notificationsOf,
  RedactionFailure,
  type SecretSource,
  signingSecrets,
  type WebhookPolicy,
} from "@baton/kernel";
import type { Clock } from "../ports/clock.ts";
import type { HookSender, SendOutcome } from "../ports/hook-sender.ts";
import { Lane } from "./lane.ts";
import type { WebhookLimits } from "./limits.ts";
import type { ReadSecret } from "./secrets.ts";
import { parseKey } from "./sign.ts";

export interface DeliveryOrder {
  readonly id: number;
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly delivery: Delivery;
}

interface DeliveryHandlers {
  /** Nothing is left to do. */
  readonly done: () => void;
  readonly undelivered: (host: string, reason: string) => void;
}

interface DeliveriesOptions {
  readonly sender: HookSender;
  readonly clock: Clock;
  readonly limits: WebhookLimits;
  /** The policy in force, read for each attempt. */
  readonly policy: () => WebhookPolicy | undefined;
  readonly readSecret: ReadSecret;
  /** The redacted body of a message. */
  readonly body: (order: DeliveryOrder, format: NotificationFormat) => Promise<Uint8Array>;
  /** Aborts when the hub closes. */
  readonly signal: AbortSignal;
  readonly onProblem: (problem: Error) => void;
}

/** Where a message goes now. */
interface Destination {
  readonly address: string;
  readonly format: NotificationFormat;
  readonly secrets: readonly SecretSource[];
}

interface Job extends DeliveryHandlers {
  readonly order: DeliveryOrder;
}

const noPolicy: WebhookPolicy = {
  hosts: [],
  signing: { others: [], tenants: new Map() },
  notifications: [],
};

export class Deliveries {
  readonly #options: DeliveriesOptions;
  /** By command: after a failure of the store, the engine hands over again what it has in the outbox. */
  readonly #jobs = new Map<number, Job>();
  readonly #lanes = new Map<string, Lane<Job>>();
  #underWay = 0;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  /** Messages that are not delivered yet. */
  get waiting(): number {
    return this.#jobs.size;
  }

  /** Of all Ed25519 keys in the policy that can be read now. */
  publicKeys(): readonly string[] {
    const { policy, readSecret } = this.#options;
    const { signing, notifications } = policy() ?? noPolicy;
    const sources = [
      ...signing.others,
      ...[...signing.tenants.values()].flat(),
      ...notifications.flatMap(({ secrets }) => secrets),
    ];
    const found = sources.flatMap((source): readonly string[] => {
      try {
        const key = parseKey(readSecret(source));
        return key.kind === "ed25519" ? [key.publicKey] : [];
      } catch {
        return []; // Reported when a message is to be signed.
      }
    });
    return [...new Set(found)];
  }

  take(order: DeliveryOrder, handlers: DeliveryHandlers): void {
    if (this.#jobs.has(order.id)) return;
    const job = { order, ...handlers };
    this.#jobs.set(order.id, job);
    this.#enqueue(job);
  }

  #enqueue(job: Job): void {
    const { receiver } = job.order.delivery;
    const key = receiver.kind === "address" ? `reply ${hostOf(receiver.address)}` : `rule ${receiver.name}`;
    const lane = this.#lanes.get(key) ?? new Lane<Job>(this.#options.clock.nowMs());
    this.#lanes.set(key, lane);
    lane.queue.push(job);
    this.#pump(key, lane);
  }

  #pump(key: string, lane: Lane<Job>): void {
    const { limits, clock, signal } = this.#options;
    while (!signal.aborted && lane.active < limits.ofReceiver && this.#underWay < limits.together) {
      const [next] = lane.queue;
      if (!next) break;
      const waitMs = lane.takeTurn(clock.nowMs(), this.#perMinute(next));
      if (waitMs > 0) {
        lane.wakeAfter(clock, waitMs, () => this.#pump(key, lane));
        return;
      }
      lane.queue.shift();
      lane.active++;
      this.#underWay++;
      void this.#attempt(next).then((outcome) => {
        lane.active--;
        this.#underWay--;
        if (!signal.aborted) this.#settle(next, outcome);
        for (const [name, other] of this.#lanes) this.#pump(name, other);
      });
    }
    if (lane.active === 0 && lane.queue.length === 0 && key.startsWith("reply ")) this.#lanes.delete(key);
  }

  #perMinute({ order }: Job): number | undefined {
    const { receiver } = order.delivery;
    return receiver.kind === "notification" ? this.#ruleOf(order)?.perMinute : undefined;
  }

  #ruleOf({ tenantId, delivery: { receiver } }: DeliveryOrder) {
    const rules = notificationsOf(this.#options.policy(), tenantId);
    return receiver.kind === "notification" ? rules.find(({ name }) => name === receiver.name) : undefined;
  }

  async #attempt({ order }: Job): Promise<SendOutcome> {
    const { sender, body, readSecret, signal } = this.#options;
    try {
      const to = this.#destinationOf(order);
      // The rule was removed: nobody wants the message any more.
      if (!to) return { ok: true };
      if (to.format === "plain" && to.secrets.length === 0)
        return { ok: false, reason: "no secret signs results: the hub's webhooks.signing has none" };
      return await sender.send(
        {
          id: messageId(order.delivery.deliveryId),
          address: to.address,
          body: await body(order, to.format),
          secrets: to.secrets.map(readSecret),
        },
        signal,
      );
    } catch (error) {
      if (error instanceof RedactionFailure)
        return { ok: false, reason: `the message is withheld: ${error.code}` };
      return { ok: false, reason: error instanceof Error ? error.message : "the hub failed" };
    }
  }

  #destinationOf(order: DeliveryOrder): Destination | undefined {
    const { policy, readSecret } = this.#options;
    const { receiver } = order.delivery;
    if (receiver.kind === "address") {
      const secrets = signingSecrets(policy(), order.tenantId);
      return { address: receiver.address, format: "plain", secrets };
    }
    const rule = this.#ruleOf(order);
    if (!rule) return undefined;
    const { address, format, secrets } = rule;
    return { address: typeof address === "string" ? address : readSecret(address), format, secrets };
  }

  #settle(job: Job, outcome: SendOutcome): void {
    const { clock, limits } = this.#options;
    const { order } = job;
    const { delivery } = order;
    if (outcome.ok) return this.#end(job, job.done);
    const triedMs = Math.max(0, clock.nowMs() - delivery.sinceMs);
    if (!outcome.gone && triedMs < limits.giveUpMs) {
      clock.after(retryDelayMs(triedMs, limits, outcome.retryAfterMs), () => this.#enqueue(job));
      return;
    }
    const { receiver } = delivery;
    if (receiver.kind === "address")
      return this.#end(job, () => job.undelivered(hostOf(receiver.address), outcome.reason));
    // A chat that is away for a day must not fill the inbox.
    const what = `notification "${receiver.name}" of run ${order.pipelineId} was given up: ${outcome.reason}`;
    this.#options.onProblem(new Error(what));
    this.#end(job, job.done);
  }

  #end({ order }: Job, finish: () => void): void {
    this.#jobs.delete(order.id);
    finish();
  }
}

/** Half of the time tried so far; the last attempt is at the end of the time. */
export function retryDelayMs(
  triedMs: number,
  { firstRetryMs, longestRetryMs, giveUpMs }: WebhookLimits,
  askedMs = 0,
): number {
  const delayMs = Math.min(Math.max(triedMs / 2, firstRetryMs, askedMs), longestRetryMs);
  return Math.ceil(Math.max(1, Math.min(delayMs, giveUpMs - triedMs)));
}

/** Without a full stop, which separates the parts of what is signed. */
export function messageId(deliveryId: string): string {
  return `msg_${hash("sha256", deliveryId, "base64url").slice(0, 27)}`;
}

/** The rest of an address may contain secrets. */
function hostOf(address: string): string {
  return URL.parse(address)?.host ?? "";
}
