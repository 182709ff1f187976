/**
 * The only loop: decide, store, then do.
 *
 * D1. Inputs of one pipeline are decided one after another, each on what the one before it left.
 * D2. What is ready at the same time shares a transaction. While one is being stored, what comes in is decided for the
 *     next, and the store has that at hand as soon as it is worth it: there are never more than two on their way.
 * D3. Nothing is answered, sent or shown before the transaction that holds it, and all before it, are durable.
 * D4. What a transaction could not store did not happen, nor did what was decided on top of it, on its way or not: the
 *     driver forgets it and begins again from the store.
 * D5. A mistake of the hub about one input is told to whoever gave it, and harms nobody who shares its transaction.
 */
import type { FleetInput, FleetProblem, PipelineInput, PipelineState } from "@baton/kernel";
import { type Clock, pause } from "../ports/clock.ts";
import type { Chance } from "../ports/outside.ts";
import type { Batch, EventRow, Store, TenantHead } from "../ports/store.ts";
import { Conflict, DamagedJournal, StoreUnavailable } from "../ports/store-error.ts";
import { isEmpty } from "./batch-builder.ts";
import { type Kernel, usualKernel } from "./kernel.ts";
import { freshMemory, type Memory, remember } from "./memory.ts";
import { asError, type Decided, type Failure, Mender } from "./mender.ts";
import { type AttemptChange, attemptsBegun, type Order } from "./order.ts";
import { replayJournal } from "./pipelines.ts";
import { type Recovered, recover } from "./recover.ts";
import type { DriverSettings } from "./settings.ts";
import { Timers } from "./timers.ts";
import { Turn, unreadable, wakeOnce } from "./turn.ts";
import {
  type EventWork,
  type HubAuditEvent,
  nobody,
  type PipelineWork,
  type Taken,
  type Work,
} from "./work.ts";

/** Where the driver may be stopped in a test, to see that nothing is lost there. */
export type Point =
  | "decided"
  | "before commit"
  | "committed"
  | "answered"
  | "before command"
  | "after command";

export interface DriverParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly settings: DriverSettings;
  /** The usual one unless told. */
  readonly kernel?: Kernel | undefined;
  /** Does what a command says; tells the driver when it is done, or gives it the answer. */
  readonly carryOut: (order: Order, driver: Driver) => void;
  /** What was told of attempts may be wrong: all that are under way are told anew. */
  readonly onForget?: () => void;
  /** An attempt has begun or ended, durably. */
  readonly onAttempt?: (change: AttemptChange) => void;
  readonly onEvents?: (rows: readonly EventRow[]) => void;
  /** Something is stored, and these fleets have changed. */
  readonly onStored?: (batch: Batch, fleets: ReadonlySet<string>) => void;
  /** The store has failed, and works again. Whoever is connected has to say again who is there. */
  readonly onRecovered?: () => void;
  readonly onProblem?: (problem: Error) => void;
  readonly reach?: (point: Point) => void;
}

export class Driver {
  readonly #parts: DriverParts;
  readonly #kernel: Kernel;
  readonly #mender: Mender;
  readonly #queue: Work[] = [];
  /** Crossed off with the next transaction. */
  #carriedOut: number[] = [];
  #memory: Memory;
  /** What is being decided. */
  #turn: Turn;
  /** Resolves when the turns that are being stored are settled or have failed. */
  #storing: Promise<void> | undefined;
  /** How many they are. */
  #onTheWay = 0;
  /** Of the last of them; it fails with those before it. */
  #lastCommit: Promise<void> = Promise.resolve();
  /** Turns that are durable and whose commands are not carried out yet. */
  #toAct = 0;
  #failed: Failure | undefined;
  /** Turns that were on their way to the store behind the one that failed. */
  #behindFailed: Decided[] = [];
  #status: "starting" | "open" | "away" | "closed" = "starting";
  #isRunning = false;
  #whyAway: Error | undefined;
  #stopTicking: (() => void) | undefined;
  #crossOffPlanned = false;
  /** How many of the next inputs get a transaction of their own, to find the one that cannot be stored. */
  #alone = 0;

  constructor(parts: DriverParts) {
    this.#parts = parts;
    this.#kernel = parts.kernel ?? usualKernel;
    this.#memory = this.#freshMemory([]);
    this.#turn = this.#nextTurn();
    this.#mender = new Mender(parts, {
      queue: this.#queue,
      decideAlone: (count) => {
        this.#alone += count;
      },
      nextTurn: () => this.#nextTurn(),
      stopTimers: () => this.#memory.timers.stop(),
      recover: () => this.#recover(),
      lastEvent: (tenantId) => this.lastEvent(tenantId),

      isClosed: () => this.#status === "closed",
      isAway: () => this.#status === "away",
      goAway: (why) => {
        this.#status = "away";
        this.#whyAway = why;
      },
      stayAway: (why) => {
        this.#whyAway = why;
      },
      comeBack: () => {
        this.#status = "open";
        this.#whyAway = undefined;
      },
    });
  }

  /** Comes back from what is stored, and finishes what was left undone. */
  async start(): Promise<void> {
    await this.#recover();
    this.#status = "open";
    this.#tick();
    this.#schedule();
  }

  /** Undefined when inputs are taken. */
  get whyAway(): Error | undefined {
    if (this.#status === "open") return undefined;
    return this.#whyAway ?? new Error(`the hub is ${this.#status}`);
  }

  get queueLength(): number {
    return this.#queue.length;
  }

  get nowMs(): number {
    return this.#parts.clock.nowMs();
  }

  /**
   * Resolves when it is durable. Rejects when the store failed: nothing was done about it, and whoever asks again with the
   * same key finds out whether it is stored.
   */
  ask(pipelineId: string, input: PipelineInput): Promise<Taken> {
    return new Promise((done, failed) =>
      this.#take({ kind: "pipeline", pipelineId, input, reply: { done, failed } }),
    );
  }

  /** For what must not get lost when the store fails: it waits until it works again. */
  give(
    pipelineId: string,
    input: PipelineInput,
    extra: Pick<PipelineWork, "answers" | "timer"> = {},
  ): Promise<Taken> {
    return new Promise((done) =>
      this.#take({ kind: "pipeline", pipelineId, input, reply: { done }, ...extra }),
    );
  }

  /** As `ask`, about the fleet. */
  askFleet(tenantId: string, input: FleetInput): Promise<FleetProblem | undefined> {
    return new Promise((done, failed) =>
      this.#take({ kind: "fleet", tenantId, input, reply: { done, failed } }),
    );
  }

  /** As `give`, about the fleet. */
  tellFleet(tenantId: string, input: FleetInput): Promise<FleetProblem | undefined> {
    return new Promise((done) => this.#take({ kind: "fleet", tenantId, input, reply: { done } }));
  }

  /** Resolves when it is durable. Waits for a store that does not work; rejects when the hub has closed before. */
  publish(work: Omit<EventWork, "kind" | "reply">): Promise<void> {
    return new Promise((done, closed) => this.#take({ kind: "event", ...work, reply: { done, closed } }));
  }

  /** Writes an entry about the hub itself into a tenant's record. Rejects when the store fails; nothing is kept then. */
  recordEvent(tenantId: string, event: HubAuditEvent): Promise<void> {
    return new Promise((done, failed) =>
      this.#take({ kind: "audit", tenantId, event, reply: { done, failed } }),
    );
  }

  /** A command that has no answer is done. If the hub stops before this is stored, it is carried out again. */
  crossOff(commandId: number): void {
    this.#carriedOut.push(commandId);
    if (this.#crossOffPlanned || this.#status === "closed") return;
    this.#crossOffPlanned = true;
    this.#parts.clock.after(this.#parts.settings.limits.crossOffMs, () => {
      this.#crossOffPlanned = false;
      this.#schedule();
    });
  }

  /** Why the fleet of a tenant would refuse something now. */
  whyNotByFleet(tenantId: string, input: FleetInput): FleetProblem | undefined {
    return this.#memory.fleets.decide(tenantId, input, this.nowMs).problem;
  }

  fleet(tenantId: string) {
    return this.#memory.fleets.state(tenantId);
  }

  /** Tenants that are stopped now. */
  stoppedTenants(): readonly string[] {
    const { fleets } = this.#memory;
    return fleets.tenants().filter((tenantId) => fleets.state(tenantId).halt !== undefined);
  }

  /** The routing policy that a tenant's tasks are routed by now. */
  policy(tenantId: string) {
    return this.#memory.fleets.policy(tenantId);
  }

  /** The last event of a tenant that is durable. */
  lastEvent(tenantId: string): bigint {
    return this.#memory.lastEvents.get(tenantId) ?? 0n;
  }

  /** The pipeline as it is durable, if it is in memory. */
  inMemory(pipelineId: string): PipelineState | undefined {
    return this.#memory.durable.get(pipelineId);
  }

  /** The pipeline as it is durable; loaded when it is not in memory. */
  async pipeline(pipelineId: string): Promise<PipelineState | undefined> {
    return this.inMemory(pipelineId) ?? this.#load(pipelineId);
  }

  /** As `pipeline`, for what must not get lost when the store fails: it waits until it works again. */
  async pipelineInTime(pipelineId: string): Promise<PipelineState | undefined> {
    for (;;) {
      try {
        return await this.pipeline(pipelineId);
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || error instanceof DamagedJournal) throw error;
        if (this.#status === "closed") throw error;
        await pause(this.#parts.clock, this.#parts.settings.limits.retryStoreMs.first);
      }
    }
  }

  openPipelines(): Iterable<PipelineState> {
    return this.#memory.pipelines.open();
  }

  /** Decides what has come in, and stops. */
  async close(): Promise<void> {
    while (this.#status === "open" && this.#isBusy) {
      this.#schedule();
      await (this.#storing ?? new Promise<void>((done) => this.#parts.clock.soon(done)));
    }
    this.#status = "closed";
    this.#stopTicking?.();
    this.#memory.timers.stop();
    for (const { reply } of this.#queue.splice(0)) reply.closed?.(closedError());
  }

  get #isBusy(): boolean {
    if (this.#isRunning || this.#storing !== undefined || this.#toAct > 0) return true;
    return this.#queue.length > 0 || this.#hasToStore;
  }

  get #hasToStore(): boolean {
    return this.#turn.works.length > 0 || this.#carriedOut.length > 0;
  }

  get #canDecide(): boolean {
    const most = this.#alone > 0 ? 1 : this.#parts.settings.limits.batch;
    return this.#queue.length > 0 && this.#turn.works.length < most;
  }

  /** One behind another is worth it when there is much in it: what is on its own soon has more company. */
  get #canStore(): boolean {
    if (!this.#hasToStore) return false;
    return (
      this.#onTheWay === 0 ||
      (this.#onTheWay === 1 && this.#turn.works.length >= this.#parts.settings.limits.ahead)
    );
  }

  get #canGoOn(): boolean {
    return this.#failed !== undefined || this.#canDecide || this.#canStore;
  }

  #take(work: Work): void {
    if (this.#status === "closed") {
      work.reply.failed?.(closedError());
      work.reply.closed?.(closedError());
      return;
    }
    if (this.#status === "away" && work.reply.failed) {
      work.reply.failed(this.#whyAway ?? new Error("the store does not work"));
      return;
    }
    this.#queue.push(work);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isRunning || this.#status !== "open" || !this.#canGoOn) return;
    this.#isRunning = true;
    this.#parts.clock.soon(() => void this.#run());
  }

  async #run(): Promise<void> {
    if (this.#failed) await this.#mend();
    else await this.#step();
    this.#isRunning = false;
    this.#schedule();
  }

  /**
   * Decides some of what is there, and sends it to the store when nothing else is on its way. Then others have a turn: so
   * the loop, the store and the agents are at work at the same time, and none waits until another is through with all.
   */
  async #step(): Promise<void> {
    try {
      this.#storeIfWorth();
      await this.#decide(this.#turn);
      if (!this.#failed) this.#storeIfWorth();
    } catch (error) {
      // What is on its way to the store is settled first: the driver begins again from what is there.
      await this.#storing;
      this.#failed ??= { works: this.#takeDecided(), error: asError(error), stored: false };
    }
  }

  async #decide(turn: Turn): Promise<void> {
    const { batch, stride } = this.#parts.settings.limits;
    const room = (this.#alone > 0 ? 1 : batch) - turn.works.length;
    const works = this.#queue.splice(0, Math.max(0, Math.min(room, stride)));
    this.#alone = Math.max(0, this.#alone - works.length);
    try {
      const damaged = await this.#loadMissing(works);
      while (works.length > 0 && !this.#failed) {
        const work = works.shift() as Work;
        if (work.kind === "pipeline" && damaged.has(work.pipelineId)) turn.refuse(work, unreadable);
        else turn.decide(work);
      }
    } finally {
      this.#queue.unshift(...works);
    }
  }

  /** A transaction costs as much as many decisions: it is begun with enough of them, or when there are no more to be made. */
  #storeIfWorth(): void {
    const isEnough = this.#turn.works.length >= this.#parts.settings.limits.enough;
    if (this.#canStore && (isEnough || !this.#canDecide)) this.#store();
  }

  #store(): void {
    const turn = this.#turn;
    const carriedOut = this.#carriedOut;
    this.#carriedOut = [];
    this.#reach("decided");
    const batch = turn.build(carriedOut);
    this.#reach("before commit");
    this.#turn = this.#nextTurn();
    // Where there is nothing to store, what it was decided on top of has to be stored all the same.
    const committed = isEmpty(batch) ? this.#lastCommit : this.#parts.store.commit(batch);
    committed.catch(() => {}); // It is heard when all before it is settled.
    const settled = (this.#storing ?? Promise.resolve()).then(() => this.#settle(turn, batch, committed));
    this.#lastCommit = committed;
    this.#onTheWay++;
    this.#storing = settled;
  }

  async #settle(turn: Turn, batch: Batch, committed: Promise<void>): Promise<void> {
    let stored = false;
    try {
      await committed;
      stored = true;
      this.#reach("committed");
      turn.settle(batch);
      this.#reach("answered");
      this.#actSoon(turn, batch);
    } catch (error) {
      // What the store has refused it has nothing of.
      const decided = { works: turn.works, ...(!(error instanceof Conflict) && { batch }) };
      if (this.#failed) this.#behindFailed.push(decided);
      else this.#failed = { ...decided, error: asError(error), stored };
    }
    this.#onTheWay--;
    if (this.#onTheWay === 0) {
      this.#storing = undefined;
      this.#lastCommit = Promise.resolve();
    }
    this.#schedule();
  }

  /** When all who waited for it have heard: an agent that it let in is connected before it is sent anything. */
  #actSoon(turn: Turn, batch: Batch): void {
    const memory = this.#memory;
    this.#toAct++;
    this.#parts.clock.soon(() => {
      this.#toAct--;
      try {
        // If not, the driver has begun anew, and has these commands from the store.
        if (memory === this.#memory) turn.act();
        turn.show(batch);
      } catch (error) {
        this.#failed ??= { works: [], error: asError(error), stored: true };
      }
      this.#schedule();
    });
  }

  #tick(): void {
    const { limits } = this.#parts.settings;
    this.#stopTicking = this.#parts.clock.after(limits.tickMs, () => {
      if (this.#status === "closed") return;
      if (this.#status === "open") {
        const { fleets, waiters } = this.#memory;
        for (const tenantId of fleets.tenants()) void this.tellFleet(tenantId, { kind: "tick" });
        for (const pipelineId of waiters.some(limits.wakesPerTick)) {
          const work = wakeOnce(this.#memory.woken, pipelineId);
          if (work) this.#queue.push(work);
        }
        this.#schedule();
      }
      this.#tick();
    });
  }

  /** What is not in memory may have ended long ago. Tells which pipelines cannot be read: they concern nobody else. */
  async #loadMissing(works: readonly Work[]): Promise<ReadonlySet<string>> {
    const damaged = new Set<string>();
    for (const work of works) {
      if (work.kind !== "pipeline" || this.#memory.pipelines.get(work.pipelineId)) continue;
      try {
        const state = await this.#load(work.pipelineId);
        if (!state) continue;
        this.#memory.pipelines.set(state);
        this.#memory.durable.set(state);
      } catch (error) {
        if (!(error instanceof DamagedJournal)) throw error;
        this.#parts.onProblem?.(error);
        damaged.add(work.pipelineId);
      }
    }
    return damaged;
  }

  async #load(pipelineId: string): Promise<PipelineState | undefined> {
    const journal = await this.#parts.store.journal(pipelineId);
    return journal && replayJournal(journal, this.#kernel.evolve);
  }

  async #mend(): Promise<void> {
    await this.#storing;
    const failed = this.#failed;
    if (!failed) return;
    this.#failed = undefined;
    const behind = this.#behindFailed.splice(0);
    await this.#mender.mend(failed, [...behind, { works: this.#takeDecided() }]);
  }

  #takeDecided(): readonly Work[] {
    const { works } = this.#turn;
    this.#turn = this.#nextTurn();
    return works;
  }

  async #recover(): Promise<void> {
    const recovered: Recovered = await recover(this.#parts.store, this.#kernel.evolve);
    this.#carriedOut = [];
    const memory = this.#freshMemory(recovered.heads);
    // Whoever still carries out a command of before must not cross off another one.
    memory.nextCommandId = Math.max(this.#memory.nextCommandId, recovered.lastCommandId + 1);
    this.#memory = memory;
    this.#turn = this.#nextTurn();
    remember(memory, recovered, this.nowMs);
    this.#parts.onForget?.();
    for (const change of attemptsBegun(recovered.states)) this.#parts.onAttempt?.(change);
    for (const timer of recovered.timers) memory.timers.set(timer);
    for (const order of recovered.orders) this.#carryOut(order);
    this.#followTenants(recovered.states);
  }

  /** A hub that ended while a tenant was being stopped or started has pipelines that do not know of it yet. */
  #followTenants(states: readonly PipelineState[]): void {
    for (const { id: pipelineId, tenantId, life } of states) {
      const isStopped = this.#memory.fleets.state(tenantId).halt !== undefined;
      const isBehind = isStopped ? life.status === "RUNNING" : life.status === "PAUSED" && life.halted;
      if (isBehind)
        this.#queue.push({ kind: "pipeline", pipelineId, input: { type: "wake" }, reply: nobody });
    }
  }

  #freshMemory(heads: readonly TenantHead[]): Memory {
    const { settings, clock, chance } = this.#parts;
    const timers = new Timers(clock, (timer) => {
      const input: PipelineInput = { type: "timer", timerId: timer.timerId };
      this.#take({ kind: "pipeline", pipelineId: timer.pipelineId, input, timer, reply: nobody });
    });
    return freshMemory({ settings, kernel: this.#kernel, uuid: chance.uuid, timers, heads });
  }

  #nextTurn(): Turn {
    const { settings, clock, chance, onAttempt, onEvents, onStored, onProblem } = this.#parts;
    const parts = {
      kernel: this.#kernel,
      settings,
      nowMs: () => clock.nowMs(),
      seed: () => chance.seed(),
      follow: (work: Work) => this.#queue.push(work),
      carryOut: (order: Order) => this.#carryOut(order),
      onAttempt: (change: AttemptChange) => onAttempt?.(change),
      onEvents: (rows: readonly EventRow[]) => onEvents?.(rows),
      onStored: (batch: Batch, fleets: ReadonlySet<string>) => onStored?.(batch, fleets),
      onProblem: (problem: Error) => onProblem?.(problem),
    };
    return new Turn(parts, this.#memory);
  }

  #carryOut(order: Order): void {
    this.#reach("before command");
    this.#parts.carryOut(order, this);
    this.#reach("after command");
  }

  #reach(point: Point): void {
    this.#parts.reach?.(point);
  }
}

function closedError(): Error {
  return new Error("the hub is closed");
}
