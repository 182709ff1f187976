import { CacheRecordSchema, decodeBinary } from "@baton/contract";
import {
  type Allowance,
  type Command,
  type FleetReport,
  type Move,
  type PipelineInput,
  type PipelineRecord,
  type PipelineState,
  type Problem,
  RedactionFailure,
  spendIn,
  type World,
} from "@baton/kernel";
import type { UnstoredEvent } from "../events/stored-events.ts";
import type { Batch, BatchId } from "../ports/store.ts";
import { type PendingCommand, pipelineOf } from "../ports/stored-command.ts";
import { BatchBuilder } from "./batch-builder.ts";
import {
  type AuditRequest,
  type EngineInput,
  type FleetRequest,
  noReply,
  type PipelineRequest,
  wakeRequest,
} from "./input.ts";
import type { Kernel } from "./kernel.ts";
import type { Memory } from "./memory.ts";
import type { EngineParts } from "./parts.ts";
import { hubFault, unredacted } from "./problems.ts";
import { allowanceOf } from "./state/allowance.ts";
import type { FleetOutcome } from "./state/fleets.ts";

/** What a transaction needs from its engine. */
export interface TransactionHost
  extends Pick<
    EngineParts,
    "settings" | "clock" | "chance" | "onAttempt" | "onEvents" | "onStored" | "onProblem"
  > {
  readonly kernel: Kernel;
  /** Queues an input that follows from a decision. */
  decideNext(input: EngineInput): void;
  executeCommand(command: PendingCommand): void;
}

/**
 * Inputs that are decided one after another and stored together. Answers, commands and events wait until they are durable
 * (D3).
 */
export class Transaction {
  readonly inputs: EngineInput[] = [];
  readonly #host: TransactionHost;
  readonly #memory: Memory;
  readonly #builder: BatchBuilder;
  readonly #answers: (() => void)[] = [];
  readonly #effects: (() => void)[] = [];
  /** Tenants whose fleet has changed, durably or not. */
  readonly #fleets = new Set<string>();

  constructor(host: TransactionHost, memory: Memory) {
    this.#host = host;
    this.#memory = memory;
    this.#builder = new BatchBuilder(memory.ledger, host.settings.filter);
  }

  decide(input: EngineInput): void {
    this.inputs.push(input);
    if (input.kind === "pipeline") this.#decidePipeline(input);
    else if (input.kind === "fleet") this.#decideFleet(input);
    else if (input.kind === "audit") this.#recordEvent(input);
    else {
      this.#builder.reported(input);
      this.#answers.push(() => input.reply.done());
    }
  }

  /** For an input that cannot be decided. Its command or timer completes, since it would only fail again. */
  refuse(input: PipelineRequest, problem: Problem): void {
    this.inputs.push(input);
    const { answers, timer, reply } = input;
    if (timer) this.#builder.timerFired(timer);
    if (answers !== undefined) this.#builder.commandCompleted(answers);
    this.#answers.push(() => reply.done({ accepted: false, problem }));
  }

  /** The batch to store; the completed commands leave the outbox with it. */
  build(id: BatchId, completed: readonly number[]): Batch {
    for (const commandId of completed) this.#builder.commandCompleted(commandId);
    return this.#builder.build(id, this.#nowMs);
  }

  /** The batch is durable and answered. */
  execute(): void {
    for (const effect of this.#effects) effect();
  }

  /** After `execute`: watchers can wait longer than agents. */
  publish(batch: Batch): void {
    if (batch.events.length > 0) this.#host.onEvents?.(batch.events);
    this.#host.onStored?.(batch, this.#fleets);
  }

  /** The batch is durable. */
  settle({ events }: Batch): void {
    const { timers, lastEvents, pipelines, durable } = this.#memory;
    for (const change of this.#builder.timerChanges) {
      if (change.kind === "set") timers.set(change.timer);
      else timers.clear(change.pipelineId, change.timerId);
    }
    for (const { tenantId, lastSequence } of events) lastEvents.set(tenantId, lastSequence);
    for (const answer of this.#answers) answer();
    pipelines.forgetWith(durable);
  }

  #decidePipeline({ pipelineId, input, answers, timer, step, reply }: PipelineRequest): void {
    const { pipelines, waiters, woken, durable, spending } = this.#memory;
    const builder = this.#builder;
    const before = pipelines.get(pipelineId);
    if (input.type === "wake") woken.delete(pipelineId);
    if (timer) builder.timerFired(timer);
    if (answers !== undefined) builder.commandCompleted(answers);
    const nowMs = this.#nowMs;
    const decided = this.#callKernel(before, input, nowMs);
    if (!decided.accepted) {
      this.#answers.push(() => reply.done(decided));
      return;
    }
    const { records, commands, state, moves, auditRows } = decided;
    if (records.length > 0) {
      pipelines.set(state);
      builder.changed(pipelineId, { before, records, after: state, moves });
      builder.audit(auditRows);
      if (step) this.#addStep(step, records);
      builder.events(
        state.tenantId,
        moves.map((move) => eventOf(state, move)),
      );
      const spends = records.flatMap((record) => spendIn(before, record) ?? []);
      if (spends.length > 0) builder.spend(state, spends, spending);
      waiters.update(state);
      spending.update(state);
      this.#wakeFirstWithRoom(state.tenantId, nowMs);
      // After the commands of the decision, which may have an outcome for them.
      if (state.cache) this.#effectsOfOutcome(state, commands);
      if (input.type === "wake" && !waiters.isWaiting(pipelineId)) this.#wakeFirst(state.tenantId);
    }
    this.#answers.push(() => {
      if (records.length > 0) durable.set(state);
      reply.done({ accepted: true, state, created: before === undefined });
    });
    this.#addCommands(state, commands, nowMs);
    builder.encode(pipelineId);
  }

  /** Keeps the outcome of the decision in memory, and wakes those that waited for it. */
  #effectsOfOutcome(state: PipelineState, commands: readonly Command[]): void {
    const { outcomes, woken } = this.#memory;
    for (const command of commands) {
      if (command.type === "store-outcome")
        outcomes.set(command.outcome.cacheKey, command.outcome, command.bytes.length);
    }
    for (const pipelineId of outcomes.update(state)) {
      const wake = wakeOnce(woken, pipelineId);
      if (wake) this.#host.decideNext(wake);
    }
  }

  #addStep(step: NonNullable<PipelineRequest["step"]>, records: readonly PipelineRecord[]): void {
    for (const record of records) {
      if (record.type === "stepped")
        this.#builder.step({ ...step, ordinal: record.ordinal, atMs: record.atMs });
    }
  }

  /** A fault of the hub in one input must not fail the others (D5). */
  #callKernel(before: PipelineState | undefined, input: PipelineInput, nowMs: number) {
    try {
      const world = this.#world(before?.tenantId ?? tenantOf(input), nowMs, keysOf(before, input));
      const decision = this.#host.kernel.decide(before, input, world);
      if (!decision.accepted) return decision;
      const auditRows = this.#memory.ledger.chain(decision.state.tenantId, decision.audit);
      return { ...decision, auditRows };
    } catch (error) {
      // The egress filter has reported where it failed.
      if (error instanceof RedactionFailure) return { accepted: false, problem: unredacted } as const;
      this.#host.onProblem?.(error instanceof Error ? error : new Error(String(error)));
      return { accepted: false, problem: hubFault } as const;
    }
  }

  #world(tenantId: string, nowMs: number, { cacheKey, isCached, learningKey }: KnowledgeKeys): World {
    const { settings, chance } = this.#host;
    const { fleets, waiters, outcomes, learnt } = this.#memory;
    const policy = fleets.policy(tenantId);
    return {
      nowMs,
      seed: chance.seed(),
      fleet: fleets.view(tenantId),
      policy,
      queueDepth: waiters.queueDepth(tenantId),
      orchestratorVersion: settings.orchestratorVersion,
      schemaVersion: settings.schemaVersion,
      review: policy.review ?? settings.review,
      entropy: settings.entropy,
      guardrails: settings.guardrails?.(),
      constitution: settings.constitution?.(),
      halt: fleets.state(tenantId).halt,
      allowance: this.#allowance(tenantId, nowMs),
      digest: settings.digest,
      ...(cacheKey !== undefined && { cache: outcomes.view(cacheKey) }),
      ...(isCached && { harmlessTools: new Set(learnt.heuristics(tenantId)?.harmlessTools) }),
      ...(learningKey !== undefined && { lessons: learnt.lessons(learningKey) }),
      notifications: settings.notifications?.(tenantId),
    };
  }

  /** Timers and the fleet are part of the transaction; commands leave the hub when it is durable. */
  #addCommands(state: PipelineState, commands: readonly Command[], nowMs: number): void {
    const { id: pipelineId, tenantId, traceId } = state;
    const builder = this.#builder;
    let refusal: string | undefined;
    for (const command of commands) {
      switch (command.type) {
        case "set-timer":
          builder.setTimer({ pipelineId, timerId: command.timerId, atMs: command.atMs });
          break;
        case "clear-timer":
          builder.clearTimer(pipelineId, command.timerId);
          break;
        case "store-outcome": {
          const { outcome, bytes: content } = command;
          builder.knowledge([{ tenantId, topic: "cache", key: outcome.cacheKey, atMs: nowMs, content }]);
          break;
        }
        case "notify-fleet":
          refusal = this.#applyReport(tenantId, command.report, nowMs) ?? refusal;
          break;
        case "send":
        case "cancel":
        case "verify":
        case "guard":
        case "align":
        case "refresh":
        case "prepare-workspace":
        case "release-workspace":
        case "restore-branches":
        case "dispatch-review":
        case "withdraw-review":
        case "report-review":
        case "report-consultation":
        case "deliver": {
          const id = this.#memory.nextCommandId++;
          builder.command(pipelineId, id, command);
          const pending: PendingCommand = {
            id,
            tenantId,
            pipelineId,
            traceId,
            command,
            again: false,
            refusal: command.type === "send" ? refusal : undefined,
          };
          this.#effects.push(() => this.#host.executeCommand(pending));
          break;
        }
        case "request-review":
        case "ask-person":
          break; // Stored with the pipeline; a change hint makes the page read the list again.
      }
    }
  }

  /** Returns why the fleet refuses a dispatch, if it does. */
  #applyReport(tenantId: string, report: FleetReport, nowMs: number): string | undefined {
    const outcomes = this.#memory.fleets.applyReport(tenantId, report, nowMs);
    for (const outcome of outcomes) this.#addFleetOutcome(tenantId, outcome);
    if (report.kind === "claims" || report.kind === "overturned") return undefined;
    const kind = report.kind === "dispatched" ? "began" : "ended";
    const { packId, instanceId, dispatchId } = report;
    this.#effects.push(() => this.#host.onAttempt?.({ kind, tenantId, packId, instanceId, dispatchId }));
    if (report.kind !== "dispatched") return undefined;
    return outcomes.find(({ problem }) => problem)?.problem?.message;
  }

  #decideFleet({ tenantId, input, reply }: FleetRequest): void {
    const outcome = this.#memory.fleets.apply(tenantId, input, this.#nowMs);
    this.#addFleetOutcome(tenantId, outcome);
    const isHalt = input.kind === "stop" || input.kind === "start";
    if (isHalt && outcome.problem === undefined) this.#wakeAll(tenantId);
    if (input.kind === "raise-spend") this.#wakeWithRoom(tenantId);
    this.#answers.push(() => reply.done(outcome.problem));
  }

  #allowance(tenantId: string, nowMs: number): Allowance | undefined {
    const { fleets, spending } = this.#memory;
    return allowanceOf({ settings: this.#host.settings, fleets, spending }, tenantId, nowMs);
  }

  /** The first run that waits for room in the limits of its tenant; the next one follows when it was sent. */
  #wakeFirstWithRoom(tenantId: string, nowMs: number): void {
    const { spending } = this.#memory;
    if (!spending.isAnyWaiting(tenantId)) return;
    const [first] = spending.waitingFor(tenantId, this.#allowance(tenantId, nowMs), nowMs);
    const wake = first === undefined ? undefined : wakeOnce(this.#memory.woken, first);
    if (wake) this.#host.decideNext(wake);
  }

  /** A person has raised the limit. */
  #wakeWithRoom(tenantId: string): void {
    const nowMs = this.#nowMs;
    const waiting = this.#memory.spending.waitingFor(tenantId, this.#allowance(tenantId, nowMs), nowMs);
    for (const pipelineId of waiting) {
      const wake = wakeOnce(this.#memory.woken, pipelineId);
      if (wake) this.#host.decideNext(wake);
    }
  }

  /** Every pipeline pauses and resumes with its tenant. */
  #wakeAll(tenantId: string): void {
    for (const state of this.#memory.pipelines.open()) {
      if (state.tenantId === tenantId) this.#host.decideNext(wakeRequest(state.id));
    }
  }

  #recordEvent({ tenantId, event, knowledge = [], reply }: AuditRequest): void {
    const { fleets, ledger, outcomes, learnt } = this.#memory;
    this.#builder.knowledge(knowledge);
    for (const row of knowledge) {
      const { topic, key, content } = row;
      if (topic === "cache") outcomes.set(key, decodeBinary(CacheRecordSchema, content), content.length);
      else learnt.add(row);
    }
    this.#builder.audit(ledger.chain(tenantId, [fleets.hubEntry(tenantId, event, this.#nowMs)]));
    this.#answers.push(() => reply.done());
  }

  #addFleetOutcome(tenantId: string, { rows, audit, lost, changed }: FleetOutcome): void {
    if (rows.length > 0) this.#builder.fleet(rows);
    if (audit.length > 0) this.#builder.audit(this.#memory.ledger.chain(tenantId, audit));
    for (const { dispatchId, reason } of lost) {
      const input: PipelineInput = { type: "agent-lost", dispatchId, reason };
      this.#host.decideNext({
        kind: "pipeline",
        pipelineId: pipelineOf(dispatchId),
        input,
        reply: noReply,
      });
    }
    if (changed) this.#wakeFirst(tenantId);
  }

  #wakeFirst(tenantId: string): void {
    for (const pipelineId of this.#memory.waiters.first(tenantId)) {
      const wake = wakeOnce(this.#memory.woken, pipelineId);
      if (wake) this.#host.decideNext(wake);
    }
  }

  get #nowMs(): number {
    return this.#host.clock.nowMs();
  }
}

/** Undefined when a wake input is in the queue already. */
export function wakeOnce(woken: Set<string>, pipelineId: string): EngineInput | undefined {
  if (woken.has(pipelineId)) return undefined;
  woken.add(pipelineId);
  return wakeRequest(pipelineId);
}

/** What a decision needs of the knowledge of a tenant. */
export interface KnowledgeKeys {
  /** The key of a task whose reuse is not decided yet. */
  readonly cacheKey?: string | undefined;
  readonly isCached?: boolean;
  /** The key of the lessons of a task that may be sent. */
  readonly learningKey?: string | undefined;
}

const noKeys: KnowledgeKeys = {};

export function keysOf(state: PipelineState | undefined, input: PipelineInput): KnowledgeKeys {
  if (!state)
    return input.type === "submit"
      ? { cacheKey: input.cache?.key, isCached: input.cache !== undefined, learningKey: input.learning?.key }
      : noKeys;
  const { cache, learning, life } = state;
  if (!learning || life.status === "COMPLETED") return noKeys;
  const cacheKey = cache && cache.phase !== "leading" ? cache.key : undefined;
  return { cacheKey, isCached: cache !== undefined, learningKey: learning.key };
}

function eventOf({ id, plan }: PipelineState, { stage, dispatchId, from, to, commit }: Move): UnstoredEvent {
  const stageId = stage === undefined ? "" : (plan.stages[stage]?.id ?? "");
  return { pipelineId: id, stageId, dispatchId, from, to, ...(commit !== undefined && { commit }) };
}

function tenantOf(input: PipelineInput): string {
  return input.type === "submit" ? input.tenantId : "";
}
