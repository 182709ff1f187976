import type { Store } from "../hub/store.ts";
import type { Command, Decision, Kernel, PipelineInput, PipelineState } from "../kernel.ts";
import type { FleetScenario } from "../scenario/fleet.ts";
import { type Sim, write } from "../sim.ts";
import { demand, Violation } from "../violation.ts";
import { describeInput, describeRecord } from "../words.ts";
import { checkAudit } from "./audit.ts";
import { checkBudget } from "./budget.ts";
import { checkEnded } from "./ended.ts";
import { checkEndedEarly } from "./ended-early.ts";
import { checkCounting, checkFence } from "./fence.ts";
import { FleetWatch } from "./fleet-watch.ts";
import { checkLifecycle, checkLimits } from "./lifecycle.ts";
import { rememberPipeline } from "./memory.ts";
import { checkEnvelopes, checkLeaving, checkOrders } from "./orders.ts";
import { checkOutcome, checkStrategy } from "./outcome.ts";
import { decideTwice, freezeRecords } from "./purity.ts";
import { checkQuestions } from "./questions.ts";
import { checkReplay, checkShadow } from "./replay.ts";
import { checkReviewer } from "./reviewer.ts";
import { checkRewind, countLimited } from "./rewind.ts";
import type { Memory, Step } from "./step.ts";
import { checkTimers } from "./timers.ts";
import { checkTransitions } from "./transitions.ts";

/**
 * Each step is folded a second time beside the hub's own state. A replay from the first record costs as much as all
 * steps before it, so it is made at every crash and at the end. What costs still more is done in every so many runs:
 * replay from a copy, digests, decisions made twice, records and states that cannot be changed.
 */
const seedsPerThoroughOne = 8;

/** Looks at everything the hub does, and stops the run at the first thing that must not be. */
export class Watch {
  readonly fleet: FleetWatch;
  private readonly memories = new Map<string, Memory>();
  private readonly sim: Sim;
  private readonly kernel: Kernel;
  private readonly store: Store;
  private readonly isThorough: boolean;

  constructor(sim: Sim, kernel: Kernel, store: Store, fleetScenario: FleetScenario) {
    this.sim = sim;
    this.kernel = kernel;
    this.store = store;
    this.fleet = new FleetWatch(sim, fleetScenario);
    this.isThorough = sim.seed % seedsPerThoroughOne === 0;
  }

  deciding(
    pipelineId: string,
    input: PipelineInput,
    before: PipelineState | undefined,
    decide: () => Decision,
  ): Decision {
    const work = this.isThorough ? () => decideTwice(before, decide) : decide;
    return this.guard(() => `${pipelineId} ${describeInput(input)}`, work);
  }

  /** Folds what was stored, and checks each record, then the whole. The new state is the hub's from now on. */
  stored(step: Step): PipelineState | undefined {
    const { pipelineId, input, before, records } = step;
    write(
      this.sim,
      `${pipelineId} ${describeInput(input)} → ${records.map(describeRecord).join(", ") || "nothing"}`,
    );
    if (this.isThorough) freezeRecords(records);
    let state = before;
    for (const record of records) {
      const previous = state;
      const after = this.guard(
        () => `evolve ${record.type}`,
        () => this.kernel.evolve(previous, record),
      );
      const fold = { record, before: previous, after };
      if (record.type === "created")
        this.memories.set(pipelineId, rememberPipeline(record, after.plan.indexOf));
      const memory = this.memory(pipelineId);
      checkTransitions(fold, this.sim.figures);
      checkCounting(fold, memory);
      checkRewind(fold, memory);
      countLimited(fold, memory);
      checkBudget(fold, memory);
      checkStrategy(fold, memory);
      checkEndedEarly(fold, memory);
      memory.shadow = memory.shadow ? this.kernel.evolve(memory.shadow, record) : after;
      state = after;
    }
    if (state) this.checkWhole(step, state);
    return state;
  }

  private checkWhole(step: Step, state: PipelineState): void {
    const memory = this.memory(step.pipelineId);
    checkEnded(step, state);
    checkFence(step, state);
    checkOutcome(step, state);
    checkLifecycle(step, state);
    checkLimits(memory, state);
    checkQuestions(state);
    checkReviewer(step);
    checkOrders(step, state);
    checkTimers(step, state, memory);
    if (this.isThorough) checkEnvelopes(step);
    checkAudit(step, memory);
    if (memory.shadow) checkShadow(state, memory.shadow);
  }

  leaving(pipelineId: string, command: Command): void {
    checkLeaving(command, this.store.journals.get(pipelineId)?.records ?? []);
  }

  /** Before the hub forgets its states, and at the end of a run. */
  restarting(states: ReadonlyMap<string, PipelineState>): void {
    for (const [pipelineId, state] of states) this.replay(pipelineId, state);
  }

  private replay(pipelineId: string, live: PipelineState): void {
    checkReplay(this.kernel, this.store.journals.get(pipelineId)?.records ?? [], live, this.isThorough);
  }

  private memory(pipelineId: string): Memory {
    const memory = this.memories.get(pipelineId);
    demand(memory !== undefined, "a pipeline begins with its creation", () => pipelineId);
    return memory;
  }

  private guard<Result>(what: () => string, run: () => Result): Result {
    try {
      return run();
    } catch (error) {
      if (error instanceof Violation) throw error;
      throw new Violation(
        "a decision never throws",
        `${what()}: ${error instanceof Error ? error.stack?.split("\n").slice(0, 4).join("\n") : error}`,
      );
    }
  }
}
