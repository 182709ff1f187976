import {
  type Command,
  type FleetNews,
  type Move,
  type PipelineInput,
  type PipelineState,
  type Problem,
  RedactionFailure,
  type World,
} from "@baton/kernel";
import type { LooseEvent } from "../events/stored-events.ts";
import type { Batch, EventRow } from "../ports/store.ts";
import { BatchBuilder } from "./batch-builder.ts";
import type { Fleets } from "./fleets.ts";
import type { Kernel } from "./kernel.ts";
import type { Memory } from "./memory.ts";
import { type AttemptChange, type Order, pipelineOf } from "./order.ts";
import type { DriverSettings } from "./settings.ts";
import { type AuditWork, type FleetWork, nobody, type PipelineWork, type Work } from "./work.ts";

/** What a turn needs of the driver it belongs to. */
export interface TurnParts {
  readonly kernel: Kernel;
  readonly settings: DriverSettings;
  nowMs(): number;
  seed(): number;
  /** For what follows from a decision and is decided next. */
  follow(work: Work): void;
  carryOut(order: Order): void;
  onAttempt(change: AttemptChange): void;
  onEvents(rows: readonly EventRow[]): void;
  /** What is stored now, and whose fleets are another than before. */
  onStored(batch: Batch, fleets: ReadonlySet<string>): void;
  onProblem(problem: Error): void;
}

/**
 * Inputs that are decided one after another and stored together. What is to be answered, sent and shown is kept back until
 * they are.
 */
export class Turn {
  readonly works: Work[] = [];
  readonly #parts: TurnParts;
  readonly #memory: Memory;
  readonly #builder: BatchBuilder;
  readonly #answers: (() => void)[] = [];
  readonly #acts: (() => void)[] = [];
  /** Tenants whose fleet has changed, durably or not. */
  readonly #fleets = new Set<string>();

  constructor(parts: TurnParts, memory: Memory) {
    this.#parts = parts;
    this.#memory = memory;
    this.#builder = new BatchBuilder(memory.books, parts.settings.filter);
  }

  decide(work: Work): void {
    this.works.push(work);
    if (work.kind === "pipeline") this.#decidePipeline(work);
    else if (work.kind === "fleet") this.#decideFleet(work);
    else if (work.kind === "audit") this.#recordEvent(work);
    else {
      this.#builder.told(work);
      this.#answers.push(() => work.reply.done());
    }
  }

  /** For an input about which nothing can be decided. What it answers is crossed off: it would not fare better again. */
  refuse(work: Work, problem: Problem): void {
    this.works.push(work);
    if (work.kind !== "pipeline") throw new Error("only what concerns a pipeline can be refused");
    const { answers, timer, reply } = work;
    if (timer) this.#builder.rung(timer);
    if (answers !== undefined) this.#builder.carriedOut(answers);
    this.#answers.push(() => reply.done({ accepted: false, problem }));
  }

  /** What is to be stored; commands that were carried out meanwhile are crossed off with it. */
  build(carriedOut: readonly number[]): Batch {
    for (const commandId of carriedOut) this.#builder.carriedOut(commandId);
    return this.#builder.build(this.#parts.nowMs());
  }

  /** It is durable, and was answered: now what it says may be done. */
  act(): void {
    for (const act of this.#acts) act();
  }

  /** And shown, which is in less of a hurry than those who wait for work. */
  show(batch: Batch): void {
    if (batch.events.length > 0) this.#parts.onEvents(batch.events);
    this.#parts.onStored(batch, this.#fleets);
  }

  /** It is durable: now it may be answered. */
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

  #decidePipeline({ pipelineId, input, answers, timer, reply }: PipelineWork): void {
    const { pipelines, waiters, woken, durable } = this.#memory;
    const builder = this.#builder;
    const before = pipelines.get(pipelineId);
    if (input.type === "wake") woken.delete(pipelineId);
    if (timer) builder.rung(timer);
    if (answers !== undefined) builder.carriedOut(answers);
    const nowMs = this.#parts.nowMs();
    const decided = this.#decideOne(before, input, nowMs);
    if (!decided.accepted) {
      this.#answers.push(() => reply.done(decided));
      return;
    }
    const { records, commands, state, moves, auditRows } = decided;
    if (records.length > 0) {
      pipelines.set(state);
      builder.moved(pipelineId, { before, records, after: state, moves });
      builder.audit(auditRows);
      builder.events(
        state.tenantId,
        moves.map((move) => eventOf(state, move)),
      );
      waiters.update(state);
      if (input.type === "wake" && !waiters.isWaiting(pipelineId)) this.#wakeFirst(state.tenantId);
    }
    this.#answers.push(() => {
      if (records.length > 0) durable.set(state);
      reply.done({ accepted: true, state, created: before === undefined });
    });
    this.#order(state, commands, nowMs);
    builder.write(pipelineId);
  }

  /** A mistake of the hub about one input must not take those with it that share its transaction. */
  #decideOne(before: PipelineState | undefined, input: PipelineInput, nowMs: number) {
    try {
      const world = this.#world(before?.tenantId ?? tenantOf(input), nowMs);
      const decision = this.#parts.kernel.decide(before, input, world);
      if (!decision.accepted) return decision;
      const auditRows = this.#memory.books.chain(decision.state.tenantId, decision.audit);
      return { ...decision, auditRows };
    } catch (error) {
      // Whoever runs the hub was told where it failed.
      if (error instanceof RedactionFailure) return { accepted: false, problem: unredacted } as const;
      this.#parts.onProblem(error instanceof Error ? error : new Error(String(error)));
      return { accepted: false, problem: mistake } as const;
    }
  }

  #world(tenantId: string, nowMs: number): World {
    const { settings, seed } = this.#parts;
    const { fleets, waiters } = this.#memory;
    const policy = fleets.policy(tenantId);
    return {
      nowMs,
      seed: seed(),
      fleet: fleets.view(tenantId),
      policy,
      queueDepth: waiters.queueDepth(tenantId),
      orchestratorVersion: settings.orchestratorVersion,
      schemaVersion: settings.schemaVersion,
      review: policy.review ?? settings.review,
      entropy: settings.entropy,
      halt: fleets.state(tenantId).halt,
    };
  }

  /** Timers and the fleet are part of the transaction; what leaves the hub waits for it. */
  #order(state: PipelineState, commands: readonly Command[], nowMs: number): void {
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
        case "tell-fleet":
          refusal = this.#tellFleet(tenantId, command.news, nowMs) ?? refusal;
          break;
        case "send":
        case "cancel":
        case "verify":
        case "refresh":
        case "prepare-workspace":
        case "release-workspace":
        case "restore-branches":
        case "dispatch-review":
        case "withdraw-review":
        case "report-review": {
          const id = this.#memory.nextCommandId++;
          builder.command(pipelineId, id, command);
          const order: Order = {
            id,
            tenantId,
            pipelineId,
            traceId,
            command,
            again: false,
            refusal: command.type === "send" ? refusal : undefined,
          };
          this.#acts.push(() => this.#parts.carryOut(order));
          break;
        }
        case "request-review":
        case "ask-person":
          break; // Listed with the pipeline; who watches the page is told to read the list again.
      }
    }
  }

  /** Why the fleet does not take a dispatch, if it does not. */
  #tellFleet(tenantId: string, news: FleetNews, nowMs: number): string | undefined {
    const outcomes = this.#memory.fleets.hear(tenantId, news, nowMs);
    for (const outcome of outcomes) this.#fleetMoved(tenantId, outcome);
    if (news.kind === "claims") return undefined;
    const kind = news.kind === "dispatched" ? "began" : "ended";
    const { packId, instanceId, dispatchId } = news;
    this.#acts.push(() => this.#parts.onAttempt({ kind, tenantId, packId, instanceId, dispatchId }));
    if (news.kind !== "dispatched") return undefined;
    return outcomes.find(({ problem }) => problem)?.problem?.message;
  }

  #decideFleet({ tenantId, input, reply }: FleetWork): void {
    const outcome = this.#memory.fleets.tell(tenantId, input, this.#parts.nowMs());
    this.#fleetMoved(tenantId, outcome);
    const isHalt = input.kind === "stop" || input.kind === "start";
    if (isHalt && outcome.problem === undefined) this.#wakeAll(tenantId);
    this.#answers.push(() => reply.done(outcome.problem));
  }

  /** Every pipeline pauses with its tenant, or goes on with it. */
  #wakeAll(tenantId: string): void {
    for (const state of this.#memory.pipelines.open()) {
      if (state.tenantId === tenantId)
        this.#parts.follow({
          kind: "pipeline",
          pipelineId: state.id,
          input: { type: "wake" },
          reply: nobody,
        });
    }
  }

  #recordEvent({ tenantId, event, reply }: AuditWork): void {
    const { fleets, books } = this.#memory;
    this.#builder.audit(books.chain(tenantId, [fleets.hubEntry(tenantId, event, this.#parts.nowMs())]));
    this.#answers.push(() => reply.done());
  }

  #fleetMoved(tenantId: string, { rows, audit, lost, changed }: ReturnType<Fleets["tell"]>): void {
    if (rows.length > 0) this.#builder.fleet(rows);
    if (audit.length > 0) this.#builder.audit(this.#memory.books.chain(tenantId, audit));
    for (const { dispatchId, reason } of lost) {
      const input: PipelineInput = { type: "agent-lost", dispatchId, reason };
      this.#parts.follow({ kind: "pipeline", pipelineId: pipelineOf(dispatchId), input, reply: nobody });
    }
    if (changed) this.#wakeFirst(tenantId);
  }

  #wakeFirst(tenantId: string): void {
    for (const pipelineId of this.#memory.waiters.first(tenantId)) {
      const work = wakeOnce(this.#memory.woken, pipelineId);
      if (work) this.#parts.follow(work);
    }
  }
}

/** Nothing when its waking is under way already. */
export function wakeOnce(woken: Set<string>, pipelineId: string): Work | undefined {
  if (woken.has(pipelineId)) return undefined;
  woken.add(pipelineId);
  return { kind: "pipeline", pipelineId, input: { type: "wake" }, reply: nobody };
}

/** What is stored of the pipeline cannot be read. */
export const unreadable: Problem = {
  code: "BATON-PIPELINE-006",
  at: "",
  message: "what is stored of this pipeline is damaged",
  fix: "let whoever runs the hub look into its log, run `baton store check` and put back a backup",
};

/** Never stored and then redacted: what cannot be redacted does not happen (A §5.3). */
export const unredacted: Problem = {
  code: "BATON-PIPELINE-007",
  at: "",
  message: "this cannot be written into the record without what must not be in it, so it was not done",
  fix: "try again with less text; if that is not it, let whoever runs the hub look into its log",
};

export const mistake: Problem = {
  code: "BATON-PIPELINE-006",
  at: "",
  message: "the hub could not decide this: a mistake of its own",
  fix: "look into the hub's log, and report what it says there",
};

function eventOf({ id, plan }: PipelineState, { stage, dispatchId, from, to, commit }: Move): LooseEvent {
  const stageId = stage === undefined ? "" : (plan.stages[stage]?.id ?? "");
  return { pipelineId: id, stageId, dispatchId, from, to, ...(commit !== undefined && { commit }) };
}

function tenantOf(input: PipelineInput): string {
  return input.type === "submit" ? input.tenantId : "";
}
