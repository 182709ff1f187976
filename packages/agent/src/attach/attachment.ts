import { setTimeout as pause } from "node:timers/promises";
import type { AgentHeartbeat, AgentManifest, AttachAgentResponse } from "@baton/contract";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { AgentError } from "../agent-error.ts";
import type { AgentOptions, CloseOptions } from "../api/definition.ts";
import { HealthMonitor } from "../health.ts";
import { heartbeatOf } from "../heartbeat.ts";
import { connectToHub, type HubClient, isRefusal, refusalError } from "../hub-client.ts";
import { limits } from "../limits.ts";
import { manifestOf } from "../manifest.ts";
import { Backoff, Outage } from "../outage.ts";
import { guarded, type OnProblem, printBack, printProblem } from "../problem.ts";
import { StepCalls } from "../step-calls.ts";
import { startTimer } from "../time.ts";
import { Workload } from "../work/workload.ts";
import { Intake } from "./intake.ts";
import { Reporter } from "./reporter.ts";
import { openStream, type StreamEnd } from "./stream.ts";

/** `draining`: the hub is about to end the stream. `away`: it is unreachable; the agent reconnects. */
export type AttachState = "connecting" | "attached" | "draining" | "away" | "closing" | "closed";

/** The connection of one agent to its hub. Streams come and go; the session and the attempts continue. */
export class Attachment {
  readonly workload: Workload;
  readonly #definition: AgentOptions;
  readonly #instanceId: string;
  readonly #manifest: AgentManifest;
  readonly #onProblem: OnProblem;
  readonly #health: HealthMonitor;
  readonly #hub: HubClient;
  readonly #stepCalls: StepCalls;
  readonly #reporter: Reporter;
  readonly #intake: Intake;
  readonly #outage: Outage;
  readonly #backoff = new Backoff();
  readonly #attached = Promise.withResolvers<void>();
  readonly #leave = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #leaseMs: number | undefined;
  #state: AttachState = "connecting";
  #closing: Promise<void> | undefined;
  #isStreamEnded = false;

  constructor(options: AgentOptions, instanceId: string) {
    this.#definition = options;
    this.#instanceId = instanceId;
    this.#manifest = manifestOf(options);
    this.#onProblem = guarded(options.onProblem ?? printProblem);
    this.#health = new HealthMonitor(options);
    this.#reporter = new Reporter(this.#onProblem);
    const parts = { definition: options, instanceId, onProblem: this.#onProblem };
    this.#hub = connectToHub(options);
    this.#stepCalls = new StepCalls(this.#hub, { packId: options.pack, instanceId });
    this.workload = new Workload({
      ...parts,
      health: this.#health,
      uploads: this.#hub.uploads,
      sink: {
        turn: (dispatchId, value) => this.#reporter.report(dispatchId, { case: "turn", value }),
        event: (dispatchId, value) => this.#reporter.report(dispatchId, { case: "event", value }),
        result: (dispatchId, value) => this.#reporter.report(dispatchId, { case: "result", value }),
        step: (dispatchId, value) => this.#reporter.reportStep(dispatchId, value),
        listSteps: (dispatchId, after) => this.#stepCalls.list(dispatchId, after),
        pinTools: (tools) => this.#stepCalls.pin(tools),
      },
    });
    this.#intake = new Intake({ ...parts, workload: this.workload, reporter: this.#reporter });
    const { giveUpAfterMs } = options;
    this.#outage = new Outage({
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
    return this.#reporter.session.id;
  }

  get hubAddress(): string {
    return this.#hub.address;
  }

  get unacknowledged(): number {
    return this.#reporter.unacknowledged;
  }

  /** Resolves at the first welcome. */
  get attached(): Promise<void> {
    return this.#attached.promise;
  }

  /** Keeps a stream open until the agent closes. Rejects when the hub refuses it or is unreachable for too long. */
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

  /** Sends a heartbeat now. */
  refresh(): void {
    this.#reporter.sendHeartbeat(() => this.#heartbeat());
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
        this.#outage.end();
        this.#leaseMs = welcome.leaseTtl && durationMs(welcome.leaseTtl);
        this.#reporter.open(welcome, sender);
        this.#attached.resolve();
      },
      received: (message: AttachAgentResponse["message"]) => {
        // Running attempts continue: the hub ends the stream, and the agent opens another.
        if (message.case === "drain") this.#state = "draining";
        else this.#intake.receive(message);
      },
      heartbeat: () => this.#reporter.sendHeartbeat(() => this.#heartbeat()),
      ended: () => this.#reporter.close(),
    });
  }

  /** Names every attempt that is held, and every one whose result is not acknowledged. */
  #hello(): Uint8Array {
    const { session } = this.#reporter;
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
      health: this.#health,
      leaseMs: this.#leaseMs,
    });
  }

  #noteEnd({ livedMs, error }: StreamEnd): void {
    this.#backoff.streamEnded(livedMs);
    if (livedMs !== undefined) {
      this.#state = "away";
      return this.#outage.begin(error);
    }
    if (isRefusal(error)) throw refusalError(this.#hub.address, error);
    this.#outage.continue(error);
  }

  /** A closing agent that has delivered everything does not reconnect. */
  #isDone(): boolean {
    if (this.#leave.signal.aborted) return true;
    const isDelivered = this.workload.held.length === 0 && this.unacknowledged === 0;
    return this.#closing !== undefined && (this.#isStreamEnded || isDelivered);
  }

  /** Waits for running attempts and for acknowledgements, each within its time, then ends the stream. */
  async #finish(graceMs: number): Promise<void> {
    for (const checked of this.workload.close()) this.#intake.decline(checked, "closing");
    this.#reporter.sendHeartbeat(() => this.#heartbeat());
    const grace = startTimer(graceMs);
    await Promise.race([this.workload.idle(), grace.over, this.#ended.promise]);
    await Promise.race([this.#reporter.allAcknowledged(), grace.over, this.#ended.promise]);
    grace.clear();
    await this.workload.stopAll("closing");
    const flush = startTimer(limits.flushMs);
    if (this.#reporter.isOpen)
      await Promise.race([this.#reporter.allAcknowledged(), flush.over, this.#ended.promise]);
    this.#isStreamEnded = true;
    this.#reporter.endStream();
    if (this.#reporter.isOpen) await Promise.race([this.#ended.promise, flush.over]);
    flush.clear();
    this.#reportUndelivered();
    this.#leave.abort();
    await this.#ended.promise;
  }

  #reportUndelivered(): void {
    const answers = this.#reporter.session.outbox.ends.length;
    if (answers === 0) return;
    const message = `the agent closes with ${answers} undelivered results; the hub will retry their attempts`;
    this.#onProblem(new AgentError("BATON-SDK-015", message, { at: this.#hub.address }));
  }
}
