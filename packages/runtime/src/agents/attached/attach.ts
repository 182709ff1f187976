/**
 * The stream that an agent opens (RegistryService.AttachAgent): registration, heartbeats, turns, events and results come
 * up, envelopes, cancels and acknowledgements go down. docs/reference/agent-protocols.md says it for those who write agents.
 */
import type { AttachAgentRequest, AttachAgentResponse } from "@baton/contract";
import type { Caller } from "../../hub/hub.ts";
import { HubError } from "../../hub/hub-error.ts";
import { sizeOf } from "../../hub/size-of.ts";
import { type Address, keyOf } from "../address.ts";
import { type Hello, readHello } from "./hello.ts";
import { readStream } from "./intake.ts";
import { Session } from "./session.ts";
import type { AttachParts } from "./settings.ts";
import { Stream } from "./stream.ts";

/** Sessions of instances that may come back, and who is attached now. */
export class AttachedAgents {
  readonly #parts: AttachParts;
  /** By instance: each has one. */
  readonly #sessions = new Map<string, Session>();
  readonly #streams = new Set<Stream>();
  /** By instance: ends the wait for one whose stream broke. */
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
    const leave = this.#parts.room.enter(caller.tenantId, sizeOf(hello));
    const stream = await this.#open(caller, hello).finally(leave);
    const stop = () => stream.outgoing.end();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    /** Why the hub reads no more of it; the agent is told. */
    let refused: HubError | undefined;
    const key = keyOf(stream);
    const isCurrent = () => this.#sessions.get(key) === stream.session;
    void readStream(this.#parts, stream, incoming, isCurrent).then(stop, (error: unknown) => {
      // A stream that breaks is over, however it breaks.
      if (error instanceof HubError) refused = error;
      stop();
    });
    try {
      yield* stream.outgoing;
      if (refused) throw refused;
    } finally {
      signal.removeEventListener("abort", stop);
      this.#streams.delete(stream);
      if (this.#parts.switchboard.disconnect(stream)) this.#leave(stream);
    }
  }

  /** Who is attached says again who it is: the hub's memory of the fleet has begun anew. */
  introduceAgain(): void {
    for (const stream of this.#streams) {
      const back = stream.introduce().then(() => stream.reconcile(undefined));
      // One that may not be there any more hears so when it connects again.
      back.catch(() => stream.outgoing.end());
    }
  }

  /** Nothing new will come; what the agents have they may finish. */
  drain(reason: string, graceMs: number): void {
    for (const stream of this.#streams) stream.drain(reason, graceMs);
  }

  /** The streams end. */
  close(): void {
    for (const { outgoing } of this.#streams) outgoing.end();
  }

  /** An agent that listens is connected too, but holds no stream. */
  isAttached({ tenantId, packId, instanceId }: Address): boolean {
    return this.#parts.switchboard.link({ tenantId, packId, instanceId }) instanceof Stream;
  }

  /** Of an instance whose stream broke, since when, while it may still come back. */
  brokeAtMs({ tenantId, packId, instanceId }: Address): number | undefined {
    return this.#leaving.get(keyOf({ tenantId, packId, instanceId }))?.sinceMs;
  }

  async #open({ tenantId, keyId: by }: Caller, hello: Hello): Promise<Stream> {
    const { switchboard, desk } = this.#parts;
    const { packId, instanceId } = hello.heartbeat;
    const session = this.#session({ tenantId, packId, instanceId }, hello.resumeSessionId);
    const stream = new Stream(this.#parts, session, { ...hello, by });
    // It is back before it is let in: its lease must not end meanwhile.
    this.#stay(stream);
    await stream.introduce().catch((error: unknown): never => {
      if (!switchboard.link(stream)) this.#leave(stream);
      throw error;
    });
    this.#stay(stream);
    const key = keyOf(stream);
    for (const other of this.#streams) if (keyOf(other) === key) other.outgoing.end();
    this.#sessions.set(key, session);
    session.stream = stream;
    this.#streams.add(stream);
    // What goes on is known by the numbers of its messages.
    if (!session.resumed) {
      desk.begin(session);
      for (const dispatchId of hello.held.keys()) desk.mayRepeat(stream, dispatchId);
    }
    // Nothing is said before the welcome.
    stream.welcome();
    switchboard.connect(stream);
    stream.reconcile(new Set(hello.held.keys()));
    return stream;
  }

  /** The session to go on with, if it is this instance's own. */
  #session(address: Address, resume: string): Session {
    const known = this.#sessions.get(keyOf(address));
    if (known?.id !== resume) return new Session(this.#parts.uuid(), address);
    known.resumed = true;
    return known;
  }

  /** The instance may come back within a moment; otherwise its lease ends, and what it had is lost. */
  #leave({ tenantId, packId, instanceId }: Address): void {
    const { driver, settings, after } = this.#parts;
    const key = keyOf({ tenantId, packId, instanceId });
    this.#leaving.get(key)?.stop();
    const sinceMs = driver.nowMs;
    const stop = after(settings.resumeGraceMs, () => {
      this.#leaving.delete(key);
      this.#sessions.delete(key);
      void driver.tellFleet(tenantId, { kind: "detach", packId, instanceId, sinceMs });
    });
    this.#leaving.set(key, { sinceMs, stop });
  }

  #stay(address: Address): void {
    const key = keyOf(address);
    this.#leaving.get(key)?.stop();
    this.#leaving.delete(key);
  }
}
