import type { EventRecord } from "@baton/contract";
import type { Batch } from "@baton/runtime";
import { describeInput, describeRecord } from "../describe.ts";
import type { Decision, Kernel, PipelineInput, PipelineRecord, PipelineState, World } from "../kernel.ts";
import type { Observer } from "../observer/observer.ts";
import type { FleetScenario } from "../scenario/fleet.ts";
import { inspect, log, type Sim } from "../sim.ts";
import { invariant, Violation } from "../violation.ts";
import { checkRecord, checkStep } from "./decision/check-step.ts";
import { newModel } from "./decision/new-model.ts";
import type { Model, Step } from "./decision/step.ts";
import { checkTimerRows } from "./decision/timers.ts";
import { checkReplay, checkShadow } from "./difference.ts";
import { DurabilityChecker } from "./durability.ts";
import { FleetChecker } from "./fleet-checker.ts";
import { decideTwice, freezeRecords } from "./purity.ts";
import { checkBatch, readTransitions } from "./store/batch.ts";
import { checkCompletedCommand } from "./store/completed-commands.ts";
import { Rows } from "./store/rows.ts";

/**
 * The expensive checks run for one seed in so many: digests, decisions made twice, frozen records and states, validation of
 * envelopes, verification of the audit chain.
 */
const seedsPerThoroughOne = 8;

/** A decision that is not durable yet. */
type Decided =
  | { readonly accepted: true; readonly step: Step }
  | {
      readonly accepted: false;
      readonly pipelineId: string;
      readonly input: PipelineInput;
      readonly why: string;
    };

interface Leaving {
  readonly decided: readonly Decided[];
  /** Undefined while the store has not been called. */
  batch: Batch | undefined;
  isSettled: boolean;
}

/**
 * Checks everything the hub does, and stops the run at the first violation. It sees decisions through the kernel it passes
 * to the hub, and durable ones through the batches that the store receives.
 */
export class Checker {
  /** The kernel of the run, instrumented. */
  readonly kernel: Kernel;
  readonly rows = new Rows();
  readonly durability: DurabilityChecker;
  readonly fleet: FleetChecker;
  readonly observer: Observer;
  /** Pipelines as stored, folded independently of the hub. */
  readonly states = new Map<string, PipelineState>();
  /** By pipeline: all stored records, in order. */
  readonly journals = new Map<string, PipelineRecord[]>();
  /** Called with every durable decision. */
  onStep: (step: Step) => void = () => {};
  readonly #models = new Map<string, Model>();
  #decided: Decided[] = [];
  /** Batches that the hub has collected and not passed yet, in order. */
  #leaving: Leaving[] = [];
  readonly #sim: Sim;
  readonly #inner: Kernel;
  readonly isThorough: boolean;

  constructor(sim: Sim, kernel: Kernel, fleetScenario: FleetScenario, observer: Observer) {
    this.#sim = sim;
    this.observer = observer;
    this.#inner = kernel;
    this.durability = new DurabilityChecker(sim, this.rows, this.states);
    this.isThorough = sim.seed % seedsPerThoroughOne === 0;
    this.fleet = new FleetChecker(sim, fleetScenario, kernel);
    this.kernel = {
      decide: (before, input, world) => this.#decide(before, input, world),
      evolve: kernel.evolve,
      decideFleet: (...given) => this.#decideFleet(...given),
      evolveFleet: (...given) => this.fleet.evolve(...given),
    };
  }

  #decide(before: PipelineState | undefined, input: PipelineInput, world: World): Decision {
    const pipelineId = before?.id ?? (input.type === "submit" ? input.pipelineId : "");
    if (input.type === "agent-lost") this.fleet.lossReported(input.dispatchId);
    const once = () => this.#inner.decide(before, input, world);
    const decision = this.#guard(
      () => `${pipelineId} ${describeInput(input)}`,
      this.isThorough ? () => decideTwice(before, once) : once,
    );
    this.#sim.figures.decisions++;
    if (!decision.accepted)
      this.#decided.push({ accepted: false, pipelineId, input, why: decision.problem.message });
    else {
      const { records, audit, commands, state: after } = decision;
      if (this.isThorough) freezeRecords(records);
      const step = { pipelineId, input, before, world, records, audit, commands, after };
      this.#decided.push({ accepted: true, step });
    }
    return decision;
  }

  #decideFleet(...given: Parameters<Kernel["decideFleet"]>): ReturnType<Kernel["decideFleet"]> {
    const decision = this.fleet.decide(...given);
    const [, input] = given;
    if (input.kind === "result" && input.stated !== undefined)
      this.durability.unmatched(input.stated, decision.audit.length > 0);
    return decision;
  }

  /** The hub has collected a batch: later decisions belong to the next one. */
  sent(): void {
    this.#leaving.push({ decided: this.#decided, batch: undefined, isSettled: false });
    this.#decided = [];
  }

  given(batch: Batch): void {
    const last = this.#leaving.at(-1);
    if (last) last.batch = batch;
  }

  /** The store has the batch, whether the hub learns of it or not. */
  stored(batch: Batch): void {
    inspect(this.#sim, () => {
      for (const leaving of this.#leaving) {
        if (leaving.batch === batch) return this.#takeBatch(batch, leaving);
        const isMissed = leaving.batch !== undefined && !leaving.isSettled;
        invariant(!isMissed, "batches are stored in order", () => "an earlier one is not stored");
        this.#settle(leaving);
      }
      // The hub no longer waits for it, for example after a failed command.
      this.#takeBatch(batch, { decided: [], batch, isSettled: false });
    });
  }

  #takeBatch(batch: Batch, leaving: Leaving): void {
    const steps = leaving.decided.flatMap((one) => (one.accepted ? [one.step] : []));
    const transitions = readTransitions(batch);
    checkBatch(transitions, batch.audit, steps);
    const completed = this.rows.take(batch, transitions);
    this.#settle(leaving);
    for (const { pipelineId, command } of completed)
      checkCompletedCommand(
        command,
        this.states.get(pipelineId),
        this.rows.commandsOf(pipelineId),
        (type, dispatchId) => this.durability.wasSent(type, dispatchId),
      );
    for (const { pipelineId } of batch.transitions)
      checkTimerRows(this.rows.timersOf(pipelineId), this.#model(pipelineId));
  }

  /** The hub continues as if its first batch were durable: without a stored batch there must have been nothing to store. */
  passed(): void {
    inspect(this.#sim, () => {
      const leaving = this.#leaving.shift();
      if (leaving === undefined || leaving.isSettled) return;
      for (const one of leaving.decided)
        invariant(
          !one.accepted || one.step.records.length === 0,
          "every decision is stored",
          () => `the hub continues without ${one.accepted ? describeInput(one.step.input) : ""}`,
        );
      this.#settle(leaving);
    });
  }

  /** Decisions that were not stored did not happen. */
  forget(): void {
    this.#decided = [];
    this.#leaving = [];
    this.fleet.forget();
  }

  #settle(leaving: Leaving): void {
    if (leaving.isSettled) return;
    leaving.isSettled = true;
    for (const one of leaving.decided) {
      const input = one.accepted ? one.step.input : one.input;
      this.durability.stored(input);
      if (one.accepted) this.#take(one.step);
      else log(this.#sim, `${one.pipelineId} ${describeInput(input)} → refused: ${one.why}`);
    }
  }

  /** Folds what was stored, and checks each record, then the whole. */
  #take(step: Step): void {
    const { pipelineId, input, before, records } = step;
    const done = records.map(describeRecord).join(", ") || "nothing";
    log(this.#sim, `${pipelineId} ${describeInput(input)} → ${done}`);
    this.#compare(pipelineId, before);
    let state = before;
    for (const record of records) {
      const previous = state;
      const after = this.#guard(
        () => `evolve ${record.type}`,
        () => this.#inner.evolve(previous, record),
      );
      const fold = { record, before: previous, after };
      if (record.type === "created") this.#models.set(pipelineId, newModel(record, after.plan.indexOf));
      checkRecord(fold, this.#model(pipelineId), this.#sim.figures);
      state = after;
    }
    if (!state) return;
    const journal = this.journals.get(pipelineId) ?? [];
    this.journals.set(pipelineId, journal);
    journal.push(...records);
    checkStep(step, state, this.#model(pipelineId), this.isThorough);
    this.states.set(pipelineId, state);
    this.onStep(step);
  }

  /** The hub decides about a pipeline as it is stored. What it has read from the store shares nothing with what we have. */
  #compare(pipelineId: string, theirs: PipelineState | undefined): void {
    const ours = this.states.get(pipelineId);
    if (ours && theirs) checkShadow(theirs, ours);
    else
      invariant(
        ours === theirs,
        "the hub decides about what is stored",
        () => `${pipelineId} is ${theirs ? "not " : ""}there`,
      );
  }

  /** A watcher received an event. When it has them all, what was seen from outside is compared with what is stored. */
  observed(record: EventRecord): void {
    this.observer.event(record);
    if (record.sequence !== this.rows.lastEvent) return;
    for (const state of this.states.values()) this.observer.compare(state);
  }

  /** A hub has come up: what it has read is what was stored. */
  cameBack(pipelines: Iterable<PipelineState>): void {
    this.rows.beginLife();
    for (const theirs of pipelines) {
      this.#compare(theirs.id, theirs);
      this.states.set(theirs.id, theirs);
    }
  }

  /** At the end of a run: what the store holds of a pipeline is what we saw. */
  checkReplayed(pipelineId: string, replayed: PipelineState | undefined): void {
    const ours = this.states.get(pipelineId);
    if (ours) checkReplay(ours, replayed, this.isThorough);
  }

  #model(pipelineId: string): Model {
    const model = this.#models.get(pipelineId);
    invariant(model !== undefined, "a pipeline begins with its creation", () => pipelineId);
    return model;
  }

  #guard<Result>(what: () => string, run: () => Result): Result {
    try {
      return run();
    } catch (error) {
      const stack = error instanceof Error ? error.stack?.split("\n").slice(0, 4).join("\n") : error;
      const violation =
        error instanceof Violation ? error : new Violation("a decision never throws", `${what()}: ${stack}`);
      this.#sim.found ??= violation;
      throw violation;
    }
  }
}
