import type { EventRecord } from "@baton/contract";
import type { Batch } from "@baton/runtime";
import type { Decision, Kernel, PipelineInput, PipelineRecord, PipelineState, World } from "../kernel.ts";
import type { Observer } from "../observer/observer.ts";
import type { FleetScenario } from "../scenario/fleet.ts";
import { look, type Sim, write } from "../sim.ts";
import { demand, Violation } from "../violation.ts";
import { describeInput, describeRecord } from "../words.ts";
import { checkRecord, checkStep } from "./decision/check-step.ts";
import { rememberPipeline } from "./decision/new-model.ts";
import type { Memory, Step } from "./decision/step.ts";
import { checkTimerRows } from "./decision/timers.ts";
import { checkReplay, checkShadow } from "./difference.ts";
import { Exits } from "./durability.ts";
import { FleetWatch } from "./fleet-checker.ts";
import { decideTwice, freezeRecords } from "./purity.ts";
import { checkBatch, readTransitions } from "./store/batch.ts";
import { checkCrossedOff } from "./store/completed-commands.ts";
import { Rows } from "./store/rows.ts";

/**
 * Each step is folded a second time beside the hub's own state. What costs more is done in every so many runs: digests,
 * decisions made twice, records and states that cannot be changed, envelopes held to the contract, the chain of the audit
 * record verified.
 */
const seedsPerThoroughOne = 8;

/** An input that was decided and is not durable yet. */
type Decided =
  | { readonly accepted: true; readonly step: Step }
  | {
      readonly accepted: false;
      readonly pipelineId: string;
      readonly input: PipelineInput;
      readonly why: string;
    };

/** What was decided to be stored together. */
interface Leaving {
  readonly decided: readonly Decided[];
  /** What the store was given of it, if there was anything to store. */
  batch: Batch | undefined;
  isSettled: boolean;
}

/**
 * Looks at everything the hub does, and stops the run at the first thing that must not be. It sees what is decided
 * through the kernel it hands to the hub, and what is durable through the batches that the store takes.
 */
export class Watch {
  /** What the hub decides with: the kernel of the run, looked at. */
  readonly kernel: Kernel;
  readonly rows = new Rows();
  readonly exits: Exits;
  readonly fleet: FleetWatch;
  readonly observer: Observer;
  /** Pipelines as they are stored, folded apart from the hub. */
  readonly states = new Map<string, PipelineState>();
  /** All that was decided about them, in order. */
  readonly journals = new Map<string, PipelineRecord[]>();
  /** Hears of every decision once it is durable. */
  onStep: (step: Step) => void = () => {};
  readonly #memories = new Map<string, Memory>();
  /** What was decided for the batch that comes next. */
  #decided: Decided[] = [];
  /** What the hub has put together and not gone on from yet, in order. */
  #leaving: Leaving[] = [];
  readonly #sim: Sim;
  readonly #inner: Kernel;
  /** Whether this is one of the runs that look closer. */
  readonly isThorough: boolean;

  constructor(sim: Sim, kernel: Kernel, fleetScenario: FleetScenario, observer: Observer) {
    this.#sim = sim;
    this.observer = observer;
    this.#inner = kernel;
    this.exits = new Exits(sim, this.rows, this.states);
    this.isThorough = sim.seed % seedsPerThoroughOne === 0;
    this.fleet = new FleetWatch(sim, fleetScenario, kernel);
    this.kernel = {
      decide: (before, input, world) => this.#decide(before, input, world),
      evolve: kernel.evolve,
      decideFleet: (...given) => this.#decideFleet(...given),
      evolveFleet: (...given) => this.fleet.evolve(...given),
    };
  }

  #decide(before: PipelineState | undefined, input: PipelineInput, world: World): Decision {
    const pipelineId = before?.id ?? (input.type === "submit" ? input.pipelineId : "");
    if (input.type === "agent-lost") this.fleet.told(input.dispatchId);
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
      this.exits.unmatched(input.stated, decision.audit.length > 0);
    return decision;
  }

  /** The hub has put a batch together: what it decides from now on goes with the next one. */
  sent(): void {
    this.#leaving.push({ decided: this.#decided, batch: undefined, isSettled: false });
    this.#decided = [];
  }

  /** The store was given what the hub has put together last. */
  given(batch: Batch): void {
    const last = this.#leaving.at(-1);
    if (last) last.batch = batch;
  }

  /** The store has this, whether the hub hears of it or not. */
  stored(batch: Batch): void {
    look(this.#sim, () => {
      for (const leaving of this.#leaving) {
        if (leaving.batch === batch) return this.#takeBatch(batch, leaving);
        const isMissed = leaving.batch !== undefined && !leaving.isSettled;
        demand(!isMissed, "batches are stored in their order", () => "one before it is not stored");
        this.#settle(leaving);
      }
      // Nobody waits for it any more, as after a mistake that was crossed off.
      this.#takeBatch(batch, { decided: [], batch, isSettled: false });
    });
  }

  #takeBatch(batch: Batch, leaving: Leaving): void {
    const steps = leaving.decided.flatMap((one) => (one.accepted ? [one.step] : []));
    const transitions = readTransitions(batch);
    checkBatch(transitions, batch.audit, steps);
    const crossedOff = this.rows.take(batch, transitions);
    this.#settle(leaving);
    for (const { pipelineId, command } of crossedOff)
      checkCrossedOff(
        command,
        this.states.get(pipelineId),
        this.rows.commandsOf(pipelineId),
        (type, dispatchId) => this.exits.hasLeft(type, dispatchId),
      );
    for (const { pipelineId } of batch.transitions)
      checkTimerRows(this.rows.timersOf(pipelineId), this.#memory(pipelineId));
  }

  /** The hub goes on as if what it sent first were durable: if the store did not get it, there was nothing to store. */
  passed(): void {
    look(this.#sim, () => {
      const leaving = this.#leaving.shift();
      if (leaving === undefined || leaving.isSettled) return;
      for (const one of leaving.decided)
        demand(
          !one.accepted || one.step.records.length === 0,
          "what is decided is stored",
          () => `the hub goes on without ${one.accepted ? describeInput(one.step.input) : ""}`,
        );
      this.#settle(leaving);
    });
  }

  /** What was decided and not stored did not happen. */
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
      this.exits.heard(input);
      if (one.accepted) this.#take(one.step);
      else write(this.#sim, `${one.pipelineId} ${describeInput(input)} → refused: ${one.why}`);
    }
  }

  /** Folds what was stored, and checks each record, then the whole. */
  #take(step: Step): void {
    const { pipelineId, input, before, records } = step;
    const done = records.map(describeRecord).join(", ") || "nothing";
    write(this.#sim, `${pipelineId} ${describeInput(input)} → ${done}`);
    this.#compare(pipelineId, before);
    let state = before;
    for (const record of records) {
      const previous = state;
      const after = this.#guard(
        () => `evolve ${record.type}`,
        () => this.#inner.evolve(previous, record),
      );
      const fold = { record, before: previous, after };
      if (record.type === "created")
        this.#memories.set(pipelineId, rememberPipeline(record, after.plan.indexOf));
      checkRecord(fold, this.#memory(pipelineId), this.#sim.figures);
      state = after;
    }
    if (!state) return;
    const journal = this.journals.get(pipelineId) ?? [];
    this.journals.set(pipelineId, journal);
    journal.push(...records);
    checkStep(step, state, this.#memory(pipelineId), this.isThorough);
    this.states.set(pipelineId, state);
    this.onStep(step);
  }

  /** The hub decides about a pipeline as it is stored. What it has read from the store shares nothing with what we have. */
  #compare(pipelineId: string, theirs: PipelineState | undefined): void {
    const ours = this.states.get(pipelineId);
    if (ours && theirs) checkShadow(theirs, ours);
    else
      demand(
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

  #memory(pipelineId: string): Memory {
    const memory = this.#memories.get(pipelineId);
    demand(memory !== undefined, "a pipeline begins with its creation", () => pipelineId);
    return memory;
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
