/**
 * The only loop: decide, store, execute.
 *
 * D1. The inputs of a pipeline are decided one after another, each on the state that the one before it left.
 * D2. Inputs that are ready at the same time share a transaction. While one is being stored, the next is decided, and is
 *     committed behind it when it is large enough. At most two are in flight.
 * D3. Nothing is answered, sent or published before its transaction and all earlier ones are durable.
 * D4. A transaction that could not be stored did not happen, nor did those decided on top of it: the engine discards them and
 *     rebuilds its memory from the store.
 * D5. A fault of the hub in one input is reported to the caller of that input, and fails no other input of its transaction.
 */
import type { PipelineInput } from "@baton/kernel";
import type { Batch, TenantHead } from "../ports/store.ts";
import { attemptsBegun, type PendingCommand } from "../ports/stored-command.ts";
import { BatchingPolicy, type Load } from "./batching.ts";
import { EngineCalls } from "./calls.ts";
import { asError, Committer } from "./committer.ts";
import { type EngineInput, noReply, wakeRequest } from "./input.ts";
import { freshMemory, type Memory, remember } from "./memory.ts";
import type { EngineParts, Point } from "./parts.ts";
import { unreadable } from "./problems.ts";
import { pipelinesBehindTheirTenant, recover } from "./recover.ts";
import { Recovery } from "./recovery.ts";
import { Timers } from "./state/timers.ts";
import { Transaction, type TransactionHost, wakeOnce } from "./transaction.ts";

export type { Point } from "./parts.ts";

export class Engine extends EngineCalls {
  readonly #batching: BatchingPolicy;
  readonly #committer: Committer;
  readonly #recovery: Recovery;
  readonly #transactionHost: TransactionHost;
  readonly #queue: EngineInput[] = [];
  /** Commands that complete with the next transaction. */
  #completed: number[] = [];
  #completionPlanned = false;
  protected override memory: Memory;
  /** The open transaction: what is being decided. */
  #transaction: Transaction;
  /** Durable transactions whose commands are not executed yet. */
  #toExecute = 0;
  #status: "starting" | "open" | "away" | "closed" = "starting";
  #awayReason: Error | undefined;
  #isRunning = false;
  #stopTicking: (() => void) | undefined;

  constructor(parts: EngineParts) {
    super(parts);
    this.#batching = new BatchingPolicy(parts.settings.limits);
    this.#committer = new Committer(
      parts.store,
      (transaction, batch) => this.#settle(transaction, batch),
      () => this.#schedule(),
    );
    this.#transactionHost = {
      ...parts,
      kernel: this.kernel,
      decideNext: (input) => this.#queue.push(input),
      executeCommand: (command) => this.#executeCommand(command),
    };
    this.memory = this.#freshMemory([]);
    this.#transaction = this.#newTransaction();
    this.#recovery = new Recovery(parts, {
      committer: this.#committer,
      queue: this.#queue,
      isolate: (count) => this.#batching.isolate(count),
      newTransaction: () => this.#newTransaction(),
      stopTimers: () => this.memory.timers.stop(),
      reload: () => this.#reload(),
      isClosed: () => this.isClosed,
      isAway: () => this.#status === "away",
      goAway: (reason) => {
        this.#status = "away";
        this.#awayReason = reason;
      },
      comeBack: () => {
        this.#status = "open";
        this.#awayReason = undefined;
      },
    });
  }

  /** Restores the memory from the store, and executes the commands of the outbox. */
  async start(): Promise<void> {
    await this.#reload();
    this.#status = "open";
    this.#tick();
    this.#schedule();
  }

  /** Undefined when the engine takes inputs. */
  get unavailableReason(): Error | undefined {
    if (this.#status === "open") return undefined;
    return this.#awayReason ?? new Error(`the hub is ${this.#status}`);
  }

  get queueLength(): number {
    return this.#queue.length;
  }

  protected override get isClosed(): boolean {
    return this.#status === "closed";
  }

  /** For a command without an answer. If the hub stops before this is stored, the command is executed again. */
  completeCommand(commandId: number): void {
    this.#completed.push(commandId);
    if (this.#completionPlanned || this.isClosed) return;
    this.#completionPlanned = true;
    this.parts.clock.after(this.parts.settings.limits.crossOffMs, () => {
      this.#completionPlanned = false;
      this.#schedule();
    });
  }

  /** Decides and stores what has come in, and stops. */
  async close(): Promise<void> {
    while (this.#status === "open" && this.#isBusy) {
      this.#schedule();
      await (this.#committer.settled ?? new Promise<void>((done) => this.parts.clock.soon(done)));
    }
    this.#status = "closed";
    this.#stopTicking?.();
    this.memory.timers.stop();
    for (const { reply } of this.#queue.splice(0)) reply.closed?.(closedError());
  }

  get #load(): Load {
    return {
      queued: this.#queue.length,
      decided: this.#transaction.inputs.length,
      hasCompleted: this.#completed.length > 0,
      inFlight: this.#committer.inFlight,
    };
  }

  get #isBusy(): boolean {
    const { queued, decided, hasCompleted, inFlight } = this.#load;
    return (
      this.#isRunning || inFlight > 0 || this.#toExecute > 0 || queued > 0 || decided > 0 || hasCompleted
    );
  }

  protected override take(input: EngineInput): void {
    if (this.isClosed) {
      input.reply.failed?.(closedError());
      input.reply.closed?.(closedError());
      return;
    }
    if (this.#status === "away" && input.reply.failed) {
      input.reply.failed(this.#awayReason ?? new Error("the store is unavailable"));
      return;
    }
    this.#queue.push(input);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isRunning || this.#status !== "open") return;
    const load = this.#load;
    const hasWork =
      this.#committer.hasFailed || this.#batching.mayDecide(load) || this.#batching.mayCommit(load);
    if (!hasWork) return;
    this.#isRunning = true;
    this.parts.clock.soon(() => void this.#run());
  }

  async #run(): Promise<void> {
    if (this.#committer.hasFailed) await this.#recover();
    else await this.#step();
    this.#isRunning = false;
    this.#schedule();
  }

  /**
   * Decides some inputs and commits them when the store is free, then yields: so that the loop, the store and the agents work
   * at the same time, and none waits until another has finished everything.
   */
  async #step(): Promise<void> {
    try {
      this.#commitIfWorthwhile();
      await this.#decide(this.#transaction);
      if (!this.#committer.hasFailed) this.#commitIfWorthwhile();
    } catch (error) {
      // Transactions in flight settle first: the engine reloads what they left in the store.
      await this.#committer.settled;
      if (!this.#committer.hasFailed)
        this.#committer.fail({ inputs: this.#takeDecided(), error: asError(error), stored: false });
    }
  }

  async #decide(transaction: Transaction): Promise<void> {
    const inputs = this.#queue.splice(0, this.#batching.nextInputs(this.#load));
    this.#batching.taken(inputs.length);
    try {
      const damaged = await this.loadMissing(inputs);
      await this.loadKnowledge(inputs);
      while (inputs.length > 0 && !this.#committer.hasFailed) {
        const input = inputs.shift() as EngineInput;
        if (input.kind === "pipeline" && damaged.has(input.pipelineId)) transaction.refuse(input, unreadable);
        else transaction.decide(input);
      }
    } finally {
      this.#queue.unshift(...inputs);
    }
  }

  #commitIfWorthwhile(): void {
    if (!this.#batching.shouldCommit(this.#load)) return;
    const transaction = this.#transaction;
    const completed = this.#completed;
    this.#completed = [];
    this.#reach("decided");
    const batch = transaction.build(this.#committer.nextId, completed);
    this.#reach("before commit");
    this.#transaction = this.#newTransaction();
    this.#committer.commit(transaction, batch);
  }

  /** Answers the inputs, then executes their commands and publishes their events. */
  #settle(transaction: Transaction, batch: Batch): void {
    this.#reach("committed");
    transaction.settle(batch);
    this.#reach("answered");
    const memory = this.memory;
    this.#toExecute++;
    // After the callers have their answers: an agent is connected before it is sent anything.
    this.parts.clock.soon(() => {
      this.#toExecute--;
      try {
        // A reloaded engine has these commands from the store.
        if (memory === this.memory) transaction.execute();
        transaction.publish(batch);
      } catch (error) {
        this.#committer.fail({ inputs: [], error: asError(error), stored: true });
      }
      this.#schedule();
    });
  }

  #tick(): void {
    const { limits } = this.parts.settings;
    this.#stopTicking = this.parts.clock.after(limits.tickMs, () => {
      if (this.isClosed) return;
      if (this.#status === "open") {
        const { fleets, waiters, woken } = this.memory;
        for (const tenantId of fleets.tenants()) void this.enqueueFleet(tenantId, { kind: "tick" });
        const waiting = [...waiters.some(limits.wakesPerTick), ...this.#runsWithRoom(limits.wakesPerTick)];
        for (const pipelineId of waiting) {
          const wake = wakeOnce(woken, pipelineId);
          if (wake) this.#queue.push(wake);
        }
        this.#schedule();
      }
      this.#tick();
    });
  }

  /** Runs that waited for room in the limits of their tenant. Limits may have changed, and other runs have returned some. */
  #runsWithRoom(count: number): readonly string[] {
    const { spending } = this.memory;
    const tenants = spending.waitingTenants();
    return tenants
      .flatMap((tenantId) => spending.waitingFor(tenantId, this.allowance(tenantId), this.nowMs))
      .slice(0, count);
  }

  async #recover(): Promise<void> {
    const [failure, ...onTop] = await this.#committer.takeFailures();
    if (failure) await this.#recovery.recover(failure, [...onTop, { inputs: this.#takeDecided() }]);
  }

  #takeDecided(): readonly EngineInput[] {
    const { inputs } = this.#transaction;
    this.#transaction = this.#newTransaction();
    return inputs;
  }

  async #reload(): Promise<void> {
    const recovered = await recover(this.parts.store, this.kernel.evolve, this.nowMs);
    this.#completed = [];
    this.#committer.restart(recovered.lastBatch);
    const memory = this.#freshMemory(recovered.heads);
    // An executor that still runs a command from before must not complete another one.
    memory.nextCommandId = Math.max(this.memory.nextCommandId, recovered.lastCommandId + 1);
    this.memory = memory;
    this.#transaction = this.#newTransaction();
    remember(memory, recovered, this.nowMs);
    this.parts.onForget?.();
    for (const change of attemptsBegun(recovered.states)) this.parts.onAttempt?.(change);
    for (const timer of recovered.timers) memory.timers.set(timer);
    for (const command of recovered.commands) this.#executeCommand(command);
    for (const pipelineId of pipelinesBehindTheirTenant(memory.fleets, recovered.states))
      this.#queue.push(wakeRequest(pipelineId));
    for (const pipelineId of memory.outcomes.abandoned()) this.#queue.push(wakeRequest(pipelineId));
  }

  #freshMemory(heads: readonly TenantHead[]): Memory {
    const { settings, clock, chance } = this.parts;
    const timers = new Timers(clock, (timer) => {
      const input: PipelineInput = { type: "timer", timerId: timer.timerId };
      this.take({ kind: "pipeline", pipelineId: timer.pipelineId, input, timer, reply: noReply });
    });
    return freshMemory({ settings, kernel: this.kernel, uuid: chance.uuid, timers, heads });
  }

  #newTransaction(): Transaction {
    return new Transaction(this.#transactionHost, this.memory);
  }

  #executeCommand(command: PendingCommand): void {
    this.#reach("before command");
    this.parts.executeCommand(command, this);
    this.#reach("after command");
  }

  #reach(point: Point): void {
    this.parts.reach?.(point);
  }
}

function closedError(): Error {
  return new Error("the hub is closed");
}
