import { setTimeout as pause } from "node:timers/promises";
import type { AgentHeartbeat, AgentManifest } from "@baton/contract";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { Absence } from "../absence.ts";
import { AgentError } from "../agent-error.ts";
import type { AgentOptions, CloseOptions } from "../agent-options.ts";
import { heartbeatOf } from "../heartbeat.ts";
import { connectToHub, type HubClient, isRefusal, refusalError } from "../hub-client.ts";
import { limits } from "../limits.ts";
import { manifestOf } from "../manifest.ts";
import { guarded, type OnProblem, printBack, printProblem } from "../problem.ts";
import { startTimer } from "../timer.ts";
import { Vitals } from "../vitals.ts";
import { Workload } from "../work/workload.ts";
import { Backoff } from "./backoff.ts";
import { Intake } from "./intake.ts";
import { Line } from "./line.ts";
import { openStream, type StreamEnd } from "./stream.ts";

/** `draining`: the hub is about to end the stream. `away`: it cannot be reached, and is tried again. */
export type AttachState = "connecting" | "attached" | "draining" | "away" | "closing" | "closed";

/** One agent and its hub: streams come and go, the session and the work go on. */
export class Attachment {
  readonly workload: Workload;
  readonly #definition: AgentOptions;
  readonly #instanceId: string;
  readonly #manifest: AgentManifest;
  readonly #onProblem: OnProblem;
  readonly #vitals: Vitals;
  readonly #hub: HubClient;
  readonly #line: Line;
  readonly #intake: Intake;
  readonly #absence: Absence;
  readonly #backoff = new Backoff();
  readonly #attached = Promise.withResolvers<void>();
  readonly #leave = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #leaseMs: number | undefined;
  #state: AttachState = "connecting";
  #closing: Promise<void> | undefined;
  #hasHungUp = false;

  constructor(options: AgentOptions, instanceId: string) {
    this.#definition = options;
    this.#instanceId = instanceId;
    this.#manifest = manifestOf(options);
    this.#onProblem = guarded(options.onProblem ?? printProblem);
    this.#vitals = new Vitals(options);
    this.#line = new Line(this.#onProblem);
    const parts = { definition: options, instanceId, onProblem: this.#onProblem };
    this.workload = new Workload({
      ...parts,
      vitals: this.#vitals,
      outlet: {
        turn: (dispatchId, value) => this.#line.say(dispatchId, { case: "turn", value }),
        event: (dispatchId, value) => this.#line.say(dispatchId, { case: "event", value }),
        result: (dispatchId, value) => this.#line.say(dispatchId, { case: "result", value }),
      },
    });
    this.#intake = new Intake({ ...parts, workload: this.workload, line: this.#line });
    this.#hub = connectToHub(options);
    const { giveUpAfterMs } = options;
    this.#absence = new Absence({
      address: this.#hub.address,
      giveUpAfterMs,
      onProblem: this.#onProblem,
      onBack: options.onProblem ? () => {} : printBack,
    });
  }

  get state(): AttachState {
    return this.#closing && this.#state !== "closed" ? "closing" : this.#state;
  }

  get sessionId(): string {
    return this.#line.session.id;
  }

  get hubAddress(): string {
    return this.#hub.address;
  }

  get unacknowledged(): number {
    return this.#line.unacknowledged;
  }

  /** Resolves with the first welcome. */
  get attached(): Promise<void> {
    return this.#attached.promise;
  }

  /** Keeps a stream open until the agent leaves. Rejects when the hub refuses the agent, or was away for too long. */
  async run(): Promise<void> {
    const { signal } = this.#leave;
    try {
      while (!signal.aborted) {
        const end = await this.#openStream();
        if (this.#isDone()) return;
        this.#noteEnd(end);
        await pause(this.#backoff.nextMs(), undefined, { signal }).catch(() => {});
      }
    } catch (error) {
      this.workload.close();
      void this.workload.stopAll("closing");
      throw error;
    } finally {
      this.#state = "closed";
      this.#hub.disconnect();
      this.#ended.resolve();
    }
  }

  close({ graceMs = limits.closeMs }: CloseOptions = {}): Promise<void> {
    this.#closing ??= this.#finish(graceMs);
    return this.#closing;
  }

  #openStream(): Promise<StreamEnd> {
    return openStream({
      hub: this.#hub,
      signal: this.#leave.signal,
      hello: () => this.#hello(),
      welcomed: (welcome, sender) => {
        this.#state = "attached";
        this.#absence.end();
        this.#leaseMs = welcome.leaseTtl && durationMs(welcome.leaseTtl);
        this.#line.open(welcome, sender);
        this.#attached.resolve();
      },
      heard: (message) => {
        // What runs goes on; the hub ends the stream, and then it is opened again.
        if (message.case === "drain") this.#state = "draining";
        else this.#intake.hear(message);
      },
      beat: () => this.#line.beat(() => this.#heartbeat()),
      ended: () => this.#line.close(),
    });
  }

  /** Names every attempt that is worked on, and every one whose result the hub does not have. */
  #hello(): Uint8Array {
    const { session } = this.#line;
    const held = new Map(this.workload.held.map((dispatch) => [dispatch.dispatchId, dispatch]));
    for (const { message } of session.outbox.ends) {
      if (message.case === "result") held.set(message.value.dispatchId, message.value);
    }
    return session.hello(this.#manifest, this.#heartbeat(), [...held.values()]).bytes;
  }

  #heartbeat(): AgentHeartbeat {
    return heartbeatOf({
      definition: this.#definition,
      instanceId: this.#instanceId,
      workload: this.workload,
      vitals: this.#vitals,
      leaseMs: this.#leaseMs,
    });
  }

  #noteEnd({ livedMs, error }: StreamEnd): void {
    this.#backoff.streamEnded(livedMs);
    if (livedMs !== undefined) {
      this.#state = "away";
      return this.#absence.begin(error);
    }
    if (isRefusal(error)) throw refusalError(this.#hub.address, error);
    this.#absence.goOn(error);
  }

  /** One that leaves and has said everything need not come back. */
  #isDone(): boolean {
    if (this.#leave.signal.aborted) return true;
    const hasSaidAll = this.workload.held.length === 0 && this.unacknowledged === 0;
    return this.#closing !== undefined && (this.#hasHungUp || hasSaidAll);
  }

  /** Lets what runs end, sees to it that the hub has every answer, and hangs up. */
  async #finish(graceMs: number): Promise<void> {
    for (const checked of this.workload.close()) this.#intake.decline(checked, "closing");
    this.#line.beat(() => this.#heartbeat());
    const grace = startTimer(graceMs);
    await Promise.race([this.workload.idle(), grace.over, this.#ended.promise]);
    await Promise.race([this.#line.allAcknowledged(), grace.over, this.#ended.promise]);
    grace.clear();
    await this.workload.stopAll("closing");
    const flush = startTimer(limits.flushMs);
    if (this.#line.isOpen)
      await Promise.race([this.#line.allAcknowledged(), flush.over, this.#ended.promise]);
    this.#hasHungUp = true;
    this.#line.hangUp();
    if (this.#line.isOpen) await Promise.race([this.#ended.promise, flush.over]);
    flush.clear();
    this.#tellUndelivered();
    this.#leave.abort();
    await this.#ended.promise;
  }

  #tellUndelivered(): void {
    const answers = this.#line.session.outbox.ends.length;
    if (answers === 0) return;
    const what = `the agent leaves with ${answers} answers that the hub did not take; it will try them again`;
    this.#onProblem(new AgentError("BATON-SDK-015", what, { at: this.#hub.address }));
  }
}
