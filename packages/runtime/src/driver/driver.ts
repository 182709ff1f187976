/**
 * The only loop: decide, store, then do.
 *
 * D1. Inputs of one pipeline are decided one after another, each on what the one before it left.
 * D2. Everything that is ready at the same time shares one transaction.
 * D3. Nothing is answered, sent or shown before the transaction that holds it is durable.
 * D4. What a transaction could not store did not happen: the driver forgets it and begins again from the store.
 * D5. A mistake of the hub about one input is told to whoever gave it, and harms nobody who shares its transaction.
 */
import {
  type Command,
  type FleetInput,
  type FleetProblem,
  type Move,
  type PipelineInput,
  type PipelineState,
  type Problem,
  viewFleet,
  type World,
} from "@baton/kernel";
import type { LooseEvent } from "../events/stored-events.ts";
import type { Clock } from "../ports/clock.ts";
import type { Chance } from "../ports/outside.ts";
import type { EventRow, Store } from "../ports/store.ts";
import { Conflict, StoreUnavailable } from "../ports/store-error.ts";
import { BatchBuilder, isEmpty } from "./batch-builder.ts";
import { Books } from "./books.ts";
import { Fleets } from "./fleets.ts";
import { type Kernel, usualKernel } from "./kernel.ts";
import { Pipelines, replayJournal } from "./pipelines.ts";
import { type Recovered, recover } from "./recover.ts";
import type { DriverSettings } from "./settings.ts";
import { Timers } from "./timers.ts";
import { Waiters } from "./waiters.ts";
import { type EventWork, type FleetWork, nobody, type PipelineWork, type Taken, type Work } from "./work.ts";

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
  /** The store has failed, and works again. Whoever is connected has to say again who is there. */
  readonly onRecovered?: () => void;
  readonly onProblem?: (problem: Error) => void;
  readonly reach?: (point: Point) => void;
}

/** A stored command that is to be carried out now. */
export interface Order {
  readonly id: number;
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly command: StoredKind;
  /** It may have been carried out in an earlier life of the hub. */
  readonly again: boolean;
  /** The fleet did not take the dispatch: it must not be sent. */
  readonly refusal?: string | undefined;
}

type StoredKind = Extract<Command, { type: "send" | "cancel" | "verify" | "refresh" }>;

export interface AttemptChange {
  readonly kind: "began" | "ended";
  readonly tenantId: string;
  readonly packId: string;
  readonly instanceId: string;
  readonly dispatchId: string;
}

export class Driver {
  readonly #parts: DriverParts;
  readonly #kernel: Kernel;
  readonly #queue: Work[] = [];
  /** Crossed off with the next transaction. */
  #carriedOut: number[] = [];
  #memory: Memory;
  #status: "starting" | "open" | "away" | "closed" = "starting";
  #turning = false;
  #whyAway: Error | undefined;
  #stopTicking: (() => void) | undefined;
  #crossOffPlanned = false;
  readonly #woken = new Set<string>();
  /** How many of the next inputs get a transaction of their own, to find the one that cannot be stored. */
  #alone = 0;

  constructor(parts: DriverParts) {
    this.#parts = parts;
    this.#kernel = parts.kernel ?? usualKernel;
    this.#memory = this.#freshMemory([]);
  }

  /** Comes back from what is stored, and finishes what was left undone. */
  async start(): Promise<void> {
    await this.#recover();
    this.#status = "open";
    this.#tick();
    this.#schedule();
  }

  /** Undefined when inputs are taken. */
  get whyAway(): string | undefined {
    if (this.#status === "open") return undefined;
    return this.#whyAway?.message ?? this.#status;
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
  give(pipelineId: string, input: PipelineInput, extra: Pick<PipelineWork, "answers"> = {}): Promise<Taken> {
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

  publish(work: Omit<EventWork, "kind" | "reply">): Promise<void> {
    return new Promise((done) => this.#take({ kind: "event", ...work, reply: { done } }));
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

  fleet(tenantId: string) {
    return this.#memory.fleets.state(tenantId);
  }

  /** The last event of a tenant that is durable. */
  lastEvent(tenantId: string): bigint {
    return this.#memory.lastEvents.get(tenantId) ?? 0n;
  }

  /** The pipeline as it is durable; loaded when it is not in memory. */
  async pipeline(pipelineId: string): Promise<PipelineState | undefined> {
    return this.#memory.durable.get(pipelineId) ?? this.#load(pipelineId);
  }

  openPipelines(): Iterable<PipelineState> {
    return this.#memory.pipelines.open();
  }

  /** Decides what has come in, and stops. */
  async close(): Promise<void> {
    while (this.#status === "open" && this.#isBusy) {
      this.#schedule();
      await this.#pause(5);
    }
    this.#status = "closed";
    this.#stopTicking?.();
    this.#memory.timers.stop();
  }

  get #isBusy(): boolean {
    return this.#turning || this.#queue.length > 0 || this.#carriedOut.length > 0;
  }

  #take(work: Work): void {
    if (this.#status === "closed") {
      work.reply.failed?.(new Error("the hub is closed"));
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
    if (this.#turning || this.#status !== "open") return;
    if (this.#queue.length === 0 && this.#carriedOut.length === 0) return;
    this.#turning = true;
    this.#parts.clock.soon(() => void this.#turnUntilIdle());
  }

  async #turnUntilIdle(): Promise<void> {
    try {
      do await this.#turn();
      while (this.#status === "open" && this.#queue.length > 0);
    } finally {
      this.#turning = false;
    }
    this.#schedule();
  }

  /** One transaction. */
  async #turn(): Promise<void> {
    const works = this.#queue.splice(0, this.#alone > 0 ? 1 : this.#parts.settings.limits.batch);
    if (this.#alone > 0) this.#alone--;
    const carriedOut = this.#carriedOut;
    this.#carriedOut = [];
    const memory = this.#memory;
    let stored = false;
    try {
      await this.#loadMissing(works);
      const builder = new BatchBuilder(memory.books, this.nowMs, carriedOut);
      const after: (() => void)[] = [];
      for (const work of works) this.#decide(work, builder, after);
      this.#reach("decided");
      const batch = builder.build();
      this.#reach("before commit");
      if (!isEmpty(batch)) await this.#parts.store.commit(batch);
      stored = true;
      this.#reach("committed");
      for (const change of builder.timerChanges) {
        if (change.kind === "set") memory.timers.set(change.timer);
        else memory.timers.clear(change.pipelineId, change.timerId);
      }
      for (const { tenantId, lastSequence } of batch.events) memory.lastEvents.set(tenantId, lastSequence);
      if (batch.events.length > 0) this.#parts.onEvents?.(batch.events);
      for (const action of after) action();
      this.#reach("answered");
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (stored || isOfStore(error)) await this.#fail(works, error);
      else await this.#findMistake(works, error);
    }
  }

  #decide(work: Work, builder: BatchBuilder, after: (() => void)[]): void {
    if (work.kind === "fleet") this.#decideFleet(work, builder, after);
    else if (work.kind === "event") {
      builder.events(work.tenantId, [work]);
      after.push(() => work.reply.done());
    } else this.#decidePipeline(work, builder, after);
  }

  #decidePipeline(work: PipelineWork, builder: BatchBuilder, after: (() => void)[]): void {
    const { pipelineId, input, answers, timer, reply } = work;
    const { pipelines } = this.#memory;
    const nowMs = this.nowMs;
    const before = pipelines.get(pipelineId);
    if (input.type === "wake") this.#woken.delete(pipelineId);
    if (timer) builder.rung(timer);
    if (answers !== undefined) builder.carriedOut(answers);
    const decided = this.#decideOne(before, input, nowMs);
    if (!decided.accepted) {
      after.push(() => reply.done(decided));
      return;
    }
    const { records, commands, state, moves, auditRows } = decided;
    if (records.length > 0) {
      pipelines.set(state);
      builder.moved(pipelineId, { before, records, after: state });
      builder.audit(auditRows);
      builder.events(
        state.tenantId,
        moves.map((move) => eventOf(state, move)),
      );
      this.#memory.waiters.update(state);
      if (input.type === "wake" && !this.#memory.waiters.isWaiting(pipelineId))
        this.#wakeFirst(state.tenantId);
    }
    after.push(() => {
      this.#memory.durable.set(state);
      reply.done({ accepted: true, state, created: before === undefined });
    });
    this.#order(state, commands, builder, after);
  }

  /** A mistake of the hub about one input must not take those with it that share its transaction. */
  #decideOne(before: PipelineState | undefined, input: PipelineInput, nowMs: number) {
    try {
      const world = this.#world(before?.tenantId ?? tenantOf(input), nowMs);
      const decision = this.#kernel.decide(before, input, world);
      if (!decision.accepted) return decision;
      const auditRows = this.#memory.books.chain(decision.state.tenantId, decision.audit);
      return { ...decision, auditRows };
    } catch (error) {
      this.#parts.onProblem?.(error instanceof Error ? error : new Error(String(error)));
      return { accepted: false, problem: mistake } as const;
    }
  }

  /** Timers and the fleet are part of the transaction; what leaves the hub waits for it. */
  #order(
    state: PipelineState,
    commands: readonly Command[],
    builder: BatchBuilder,
    after: (() => void)[],
  ): void {
    const { id: pipelineId, tenantId } = state;
    let refusal: string | undefined;
    for (const command of commands) {
      switch (command.type) {
        case "set-timer":
          builder.setTimer({ pipelineId, timerId: command.timerId, atMs: command.atMs });
          break;
        case "clear-timer":
          builder.clearTimer(pipelineId, command.timerId);
          break;
        case "tell-fleet": {
          const { news } = command;
          const outcomes = this.#memory.fleets.hear(tenantId, news, this.nowMs);
          for (const outcome of outcomes) this.#fleetMoved(tenantId, outcome, builder);
          if (news.kind === "dispatched") refusal = outcomes.find(({ problem }) => problem)?.problem?.message;
          if (news.kind !== "claim-disproved") {
            const kind = news.kind === "dispatched" ? "began" : "ended";
            const { packId, instanceId, dispatchId } = news;
            after.push(() => this.#parts.onAttempt?.({ kind, tenantId, packId, instanceId, dispatchId }));
          }
          break;
        }
        case "send":
        case "cancel":
        case "verify":
        case "refresh": {
          const id = this.#memory.nextCommandId++;
          builder.command(pipelineId, id, command);
          const order = {
            id,
            tenantId,
            pipelineId,
            command,
            again: false,
            ...(command.type === "send" && { refusal }),
          };
          after.push(() => this.#carryOut(order));
          break;
        }
        case "request-review":
        case "ask-person":
          break; // Listed with the pipeline, and told to watchers as an event.
      }
    }
  }

  #carryOut(order: Order): void {
    this.#reach("before command");
    this.#parts.carryOut(order, this);
    this.#reach("after command");
  }

  #decideFleet({ tenantId, input, reply }: FleetWork, builder: BatchBuilder, after: (() => void)[]): void {
    const outcome = this.#memory.fleets.tell(tenantId, input, this.nowMs);
    this.#fleetMoved(tenantId, outcome, builder);
    after.push(() => reply.done(outcome.problem));
  }

  #fleetMoved(
    tenantId: string,
    { rows, audit, lost, changed }: ReturnType<Fleets["tell"]>,
    builder: BatchBuilder,
  ): void {
    builder.fleet(rows);
    builder.audit(this.#memory.books.chain(tenantId, audit));
    for (const { dispatchId, reason } of lost) {
      const input: PipelineInput = { type: "agent-lost", dispatchId, reason };
      this.#queue.push({ kind: "pipeline", pipelineId: pipelineOf(dispatchId), input, reply: nobody });
    }
    if (changed) this.#wakeFirst(tenantId);
  }

  #wakeFirst(tenantId: string): void {
    for (const pipelineId of this.#memory.waiters.first(tenantId)) this.#wake(pipelineId);
  }

  #wake(pipelineId: string): void {
    if (this.#woken.has(pipelineId)) return;
    this.#woken.add(pipelineId);
    this.#queue.push({ kind: "pipeline", pipelineId, input: { type: "wake" }, reply: nobody });
  }

  #tick(): void {
    const { limits } = this.#parts.settings;
    this.#stopTicking = this.#parts.clock.after(limits.tickMs, () => {
      if (this.#status === "closed") return;
      if (this.#status === "open") {
        const { fleets, waiters } = this.#memory;
        for (const tenantId of fleets.tenants()) void this.tellFleet(tenantId, { kind: "tick" });
        for (const pipelineId of waiters.some(limits.wakesPerTick)) this.#wake(pipelineId);
        this.#schedule();
      }
      this.#tick();
    });
  }

  #world(tenantId: string, nowMs: number): World {
    const { settings, chance } = this.#parts;
    return {
      nowMs,
      seed: chance.seed(),
      fleet: viewFleet(this.#memory.fleets.state(tenantId)),
      policy: this.#memory.fleets.policy(tenantId),
      queueDepth: this.#memory.waiters.queueDepth,
      orchestratorVersion: settings.orchestratorVersion,
      schemaVersion: settings.schemaVersion,
      review: settings.review,
      entropy: settings.entropy,
    };
  }

  /** What is not in memory may have ended long ago. */
  async #loadMissing(works: readonly Work[]): Promise<void> {
    for (const work of works) {
      if (work.kind !== "pipeline" || this.#memory.pipelines.get(work.pipelineId)) continue;
      const state = await this.#load(work.pipelineId);
      if (!state) continue;
      this.#memory.pipelines.set(state);
      this.#memory.durable.set(state);
    }
  }

  async #load(pipelineId: string): Promise<PipelineState | undefined> {
    const journal = await this.#parts.store.journal(pipelineId);
    return journal && replayJournal(journal, this.#kernel.evolve);
  }

  /** Nothing of these inputs can be stored together. Alone, all can but the one that the mistake is about (D5). */
  async #findMistake(works: readonly Work[], error: Error): Promise<void> {
    this.#parts.onProblem?.(error);
    this.#memory.timers.stop();
    try {
      const [only, ...others] = works;
      if (only && others.length === 0) await this.#giveUp(only, error);
      else {
        this.#queue.unshift(...works);
        this.#alone = works.length;
      }
      this.#woken.clear();
      await this.#recover();
      this.#parts.onRecovered?.();
    } catch (failure) {
      await this.#fail([], failure instanceof Error ? failure : new Error(String(failure)));
    }
  }

  /** What the input was about is crossed off: it would only lead to the same mistake again. */
  async #giveUp(work: Work, error: Error): Promise<void> {
    if (work.kind !== "pipeline") {
      if (work.reply.failed) work.reply.failed(error);
      else if (work.kind === "fleet") work.reply.done(undefined);
      else work.reply.done();
      return;
    }
    const { answers, timer, reply } = work;
    const batch = new BatchBuilder(this.#memory.books, this.nowMs, answers === undefined ? [] : [answers]);
    if (timer) batch.rung(timer);
    const crossedOff = batch.build();
    if (!isEmpty(crossedOff)) await this.#parts.store.commit(crossedOff);
    reply.done({ accepted: false, problem: mistake });
  }

  /** Whoever can be told that it failed is told; what nobody would say again waits for the store. */
  async #fail(works: readonly Work[], error: Error): Promise<void> {
    if (this.#status === "closed") return;
    this.#status = "away";
    this.#whyAway = error;
    this.#parts.onProblem?.(error);
    this.#memory.timers.stop();
    const all = [...works, ...this.#queue];
    this.#queue.splice(0, this.#queue.length, ...all.filter(({ reply }) => reply.failed === undefined));
    for (const { reply } of all) reply.failed?.(error);
    this.#woken.clear();
    await this.#comeBack();
  }

  /** Whether it was closed while the store was away is known only afterwards. */
  get #isAway(): boolean {
    return this.#status === "away";
  }

  async #comeBack(): Promise<void> {
    const { first, most } = this.#parts.settings.limits.retryStoreMs;
    for (let delayMs = first; this.#status === "away"; delayMs = Math.min(most, delayMs * 2)) {
      await this.#pause(delayMs);
      if (!this.#isAway) return;
      try {
        await this.#recover();
        if (!this.#isAway) return;
        this.#status = "open";
        this.#whyAway = undefined;
        this.#parts.onRecovered?.();
      } catch (error) {
        this.#whyAway = error instanceof Error ? error : new Error(String(error));
      }
    }
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((done) => {
      this.#parts.clock.after(delayMs, done);
    });
  }

  async #recover(): Promise<void> {
    const recovered: Recovered = await recover(this.#parts.store, this.#kernel.evolve);
    this.#carriedOut = [];
    const memory = this.#freshMemory(recovered.heads);
    // Whoever still carries out a command of before must not cross off another one.
    memory.nextCommandId = Math.max(this.#memory.nextCommandId, recovered.lastCommandId + 1);
    this.#memory = memory;
    for (const row of recovered.fleet) memory.fleets.replay(row);
    for (const state of recovered.states) {
      memory.pipelines.set(state);
      memory.durable.set(state);
      memory.waiters.update(state);
      memory.fleets.recover(state, this.nowMs);
    }
    this.#parts.onForget?.();
    for (const change of attemptsUnderWay(recovered.states)) this.#parts.onAttempt?.(change);
    for (const timer of recovered.timers) memory.timers.set(timer);
    for (const order of recovered.orders) this.#carryOut(order);
  }

  #freshMemory(heads: ConstructorParameters<typeof Books>[2]): Memory {
    const { settings, clock, chance } = this.#parts;
    return {
      pipelines: new Pipelines(settings.limits.endedKept),
      durable: new Pipelines(settings.limits.endedKept),
      fleets: new Fleets(settings, chance.uuid, this.#kernel),
      waiters: new Waiters(),
      books: new Books(settings.redactor, settings.digest, heads),
      lastEvents: new Map(heads.map(({ tenantId, eventSequence }) => [tenantId, eventSequence])),
      timers: new Timers(clock, (timer) => {
        const input: PipelineInput = { type: "timer", timerId: timer.timerId };
        this.#take({ kind: "pipeline", pipelineId: timer.pipelineId, input, timer, reply: nobody });
      }),
      nextCommandId: 1,
    };
  }

  #reach(point: Point): void {
    this.#parts.reach?.(point);
  }
}

/** What the driver knows; all of it can be had again from the store and from those who are connected. */
interface Memory {
  /** As decided. */
  readonly pipelines: Pipelines;
  /** As stored: what those who ask are shown. */
  readonly durable: Pipelines;
  readonly fleets: Fleets;
  readonly waiters: Waiters;
  readonly books: Books;
  /** By tenant, as stored. */
  readonly lastEvents: Map<string, bigint>;
  readonly timers: Timers;
  nextCommandId: number;
}

const mistake: Problem = {
  code: "BATON-PIPELINE-006",
  at: "",
  message: "the hub could not decide this: a mistake of its own",
  fix: "look into the hub's log, and report what it says there",
};

/** The store does not work, or somebody else has written to it; otherwise what it was given is at fault. */
function isOfStore(error: Error): boolean {
  if (error instanceof StoreUnavailable) return error.code !== "BATON-STORE-008";
  return error instanceof Conflict;
}

/** A dispatch id begins with that of its pipeline, which has no slash in it. */
export function pipelineOf(dispatchId: string): string {
  return dispatchId.slice(0, Math.max(0, dispatchId.indexOf("/")));
}

function eventOf({ id, plan }: PipelineState, { stage, dispatchId, from, to }: Move): LooseEvent {
  const stageId = stage === undefined ? "" : (plan.stages[stage]?.id ?? "");
  return { pipelineId: id, stageId, dispatchId, from, to };
}

function tenantOf(input: PipelineInput): string {
  return input.type === "submit" ? input.tenantId : "";
}

export function* attemptsUnderWay(states: Iterable<PipelineState>): Iterable<AttemptChange> {
  for (const { tenantId, stages, life } of states) {
    if (life.status !== "RUNNING" && life.status !== "PAUSED") continue;
    for (const stage of stages) {
      if (stage.status !== "DISPATCHED" || stage.phase.kind !== "sent") continue;
      const { dispatchId, choice } = stage.phase.sent;
      yield { kind: "began", tenantId, packId: choice.packId, instanceId: choice.instanceId, dispatchId };
    }
  }
}
