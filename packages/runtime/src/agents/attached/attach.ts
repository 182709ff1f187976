/**
 * The stream that an agent opens (RegistryService.AttachAgent). It carries registration, heartbeats, turns, events and
 * results to the hub, and envelopes, cancels and acknowledgements to the agent. See docs/reference/agent-protocols.md.
 */
import type { AttachAgentRequest, AttachAgentResponse } from "@baton/contract";
import { instanceInfo } from "@baton/kernel";
import { sizeOf } from "../../lib/memory-size.ts";
import { type Address, keyOf } from "../../ports/agent-address.ts";
import type { Caller } from "../../ports/caller.ts";
import { HubError } from "../../ports/hub-error.ts";
import { type Hello, readHello } from "./hello.ts";
import { readStream } from "./intake.ts";
import { Session } from "./session.ts";
import type { AttachParts } from "./settings.ts";
import { Stream } from "./stream.ts";

/** The attached instances, and the sessions of those that may come back. */
export class AttachedAgents {
  readonly #parts: AttachParts;
  /** By instance. */
  readonly #sessions = new Map<string, Session>();
  readonly #streams = new Set<Stream>();
  /** By instance whose stream broke: `stop` cancels the end of its lease. */
  readonly #leaving = new Map<string, { readonly sinceMs: number; readonly stop: () => void }>();

  constructor(parts: AttachParts) {
    this.#parts = parts;
  }

  async *attach(
    caller: Caller,
    requests: AsyncIterable<AttachAgentRequest>,
    signal: AbortSignal,
  ): AsyncIterable<AttachAgentResponse> {
    const incoming = requests[Symbol.asyncIterator]();
    const hello = await readHello(incoming);
    const leave = this.#parts.intake.enter(caller.tenantId, sizeOf(hello));
    const stream = await this.#open(caller, hello).finally(leave);
    const stop = () => stream.outgoing.end();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    /** Why the hub stopped reading; the agent gets it as the error of the stream. */
    let refused: HubError | undefined;
    const key = keyOf(stream);
    const isCurrent = () => this.#sessions.get(key) === stream.session;
    void readStream(this.#parts, stream, incoming, isCurrent).then(stop, (error: unknown) => {
      // Any other error means that the stream broke: it ends.
      if (error instanceof HubError) refused = error;
      stop();
    });
    try {
      yield* stream.outgoing;
      if (refused) throw refused;
    } finally {
      signal.removeEventListener("abort", stop);
      this.#streams.delete(stream);
      if (this.#parts.connections.disconnect(stream)) this.#scheduleDetach(stream);
    }
  }

  /** Registers the attached agents again after the engine has recovered. */
  introduceAgain(): void {
    for (const stream of this.#streams) {
      const back = stream.introduce().then(() => stream.reconcile(undefined));
      // A refused one gets the reason when it connects again.
      back.catch(() => stream.outgoing.end());
    }
  }

  /** Announces that nothing new is sent; agents may finish what they have. */
  drain(reason: string, graceMs: number): void {
    for (const stream of this.#streams) stream.drain(reason, graceMs);
  }

  /** Ends all streams. */
  close(): void {
    for (const { outgoing } of this.#streams) outgoing.end();
  }

  /** Push agents are connected as well, but have no stream. */
  isAttached({ tenantId, packId, instanceId }: Address): boolean {
    return this.#parts.connections.link({ tenantId, packId, instanceId }) instanceof Stream;
  }

  /**
   * Throws when another key holds the open stream of this instance, or its lease where it is called by the hub: agents of a
   * tenant do not speak for each other. Without keys callers are not distinguished.
   */
  refuseOtherKey({ tenantId, keyId }: Caller, { packId, instanceId }: Omit<Address, "tenantId">): void {
    const { connections, engine } = this.#parts;
    const link = connections.link({ tenantId, packId, instanceId });
    const name = `instance "${instanceId}" of pack "${packId}"`;
    const fix = "choose another instance id, or end the agent that has this one";
    if (link instanceof Stream && link.by !== keyId)
      throw new HubError("denied", "BATON-AGENT-010", `${name} is attached with another key`, { fix });
    if (link === undefined || link instanceof Stream) return;
    const info = instanceInfo(engine.fleet(tenantId), packId, instanceId, engine.nowMs);
    const { by = "" } = info?.lastReport ?? {};
    if (info?.presence !== "LIVE" || by === "" || by === keyId) return;
    // An agent with a new key goes on once the lease of the old one has ended.
    const retryAfterMs = Math.max(0, info.leaseUntilMs - engine.nowMs);
    throw new HubError("unavailable", "BATON-AGENT-010", `${name} has a lease with another key`, {
      ...{ fix, retryAfterMs },
    });
  }

  /** When the stream of an instance broke, while it may still come back. */
  brokeAtMs({ tenantId, packId, instanceId }: Address): number | undefined {
    return this.#leaving.get(keyOf({ tenantId, packId, instanceId }))?.sinceMs;
  }

  async #open(caller: Caller, hello: Hello): Promise<Stream> {
    const { connections, reports } = this.#parts;
    const { tenantId, keyId: by } = caller;
    const { packId, instanceId } = hello.heartbeat;
    this.refuseOtherKey(caller, { packId, instanceId });
    this.#parts.refuseCommandInstance({ tenantId, packId, instanceId });
    const session = this.#session({ tenantId, packId, instanceId }, hello.resumeSessionId);
    const stream = new Stream(this.#parts, session, { ...hello, by });
    // The lease must not end while it registers.
    this.#cancelDetach(stream);
    await stream.introduce().catch((error: unknown): never => {
      if (!connections.link(stream)) this.#scheduleDetach(stream);
      throw error;
    });
    this.#cancelDetach(stream);
    this.refuseOtherKey(caller, stream); // Another one may have come meanwhile.
    const key = keyOf(stream);
    for (const other of this.#streams) if (keyOf(other) === key) other.outgoing.end();
    this.#sessions.set(key, session);
    session.stream = stream;
    this.#streams.add(stream);
    // In a resumed session retransmissions are known by their numbers.
    if (!session.resumed) {
      reports.begin(session);
      for (const dispatchId of hello.held.keys()) reports.mayRepeat(stream, dispatchId);
    }
    // The welcome is the first message.
    stream.welcome();
    connections.connect(stream);
    stream.reconcile(new Set(hello.held.keys()));
    return stream;
  }

  /** The session to resume if it is of this instance, else a new one. */
  #session(address: Address, resume: string): Session {
    const known = this.#sessions.get(keyOf(address));
    if (known?.id !== resume) return new Session(this.#parts.uuid(), address);
    known.resumed = true;
    return known;
  }

  /** Ends the lease after a grace unless the instance comes back; its attempts are lost then. */
  #scheduleDetach({ tenantId, packId, instanceId }: Address): void {
    const { engine, settings, after } = this.#parts;
    const key = keyOf({ tenantId, packId, instanceId });
    this.#leaving.get(key)?.stop();
    const sinceMs = engine.nowMs;
    const stop = after(settings.resumeGraceMs, () => {
      this.#leaving.delete(key);
      this.#sessions.delete(key);
      void engine.enqueueFleet(tenantId, { kind: "detach", packId, instanceId, sinceMs });
    });
    this.#leaving.set(key, { sinceMs, stop });
    // What it has may come back with it; new work goes elsewhere, or waits.
    void engine.enqueueFleet(tenantId, { kind: "stream-lost", packId, instanceId });
  }

  #cancelDetach(address: Address): void {
    const key = keyOf(address);
    this.#leaving.get(key)?.stop();
    this.#leaving.delete(key);
  }
}
