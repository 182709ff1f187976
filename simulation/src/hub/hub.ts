import type { Fault } from "../chance/faults.ts";
import type { Watch } from "../checks/watch.ts";
import { count } from "../figures.ts";
import type { Kernel, PipelineInput, PipelineState, World } from "../kernel.ts";
import { defaultEntropyOptions, viewFleet, waitOf } from "../kernel.ts";
import type { FleetScenario } from "../scenario/fleet.ts";
import { type Sim, write } from "../sim.ts";
import { describeInput } from "../words.ts";
import { carryOut, type Outside } from "./carry-out.ts";
import { Crash } from "./crash.ts";
import { FleetDesk } from "./fleet-desk.ts";
import type { OutboxEntry, Store } from "./store.ts";

export type Taken = "taken" | "refused" | "down";

export interface HubParts {
  readonly sim: Sim;
  readonly kernel: Kernel;
  readonly store: Store;
  readonly scenario: FleetScenario;
  readonly watch: Watch;
}

/**
 * The orchestrator as the design has it: decide, store records and commands, then do. It may stop between any two
 * steps; `restart.ts` brings it back from what is stored. Nothing in here decides.
 */
export class Hub {
  readonly sim: Sim;
  readonly kernel: Kernel;
  readonly store: Store;
  readonly watch: Watch;
  readonly scenario: FleetScenario;
  readonly states = new Map<string, PipelineState>();
  readonly fleetDesk: FleetDesk;
  /** Pipelines that cannot be planned. */
  readonly refused = new Set<string>();
  outside!: Outside;
  up = true;
  /** Counts lives: what one life had in mind is nothing to the next. */
  life = 0;
  onCrash: () => void = () => {};

  constructor({ sim, kernel, store, scenario, watch }: HubParts) {
    this.sim = sim;
    this.kernel = kernel;
    this.store = store;
    this.watch = watch;
    this.scenario = scenario;
    this.fleetDesk = new FleetDesk(this);
  }

  /** Takes an input: decides, stores, does. */
  give(pipelineId: string, input: PipelineInput, answers?: OutboxEntry): Taken {
    const taken = this.alive(() => this.take(pipelineId, input, answers)) ?? "down";
    // Whatever carries inputs may carry one again, long after.
    if (taken === "taken" && input.type !== "wake" && this.sim.faults.strikes("input repeated", 0.3)) {
      this.soon(this.sim.random.int(0, 20_000), () => this.give(pipelineId, input));
    }
    return taken;
  }

  private take(pipelineId: string, input: PipelineInput, answers: OutboxEntry | undefined): Taken {
    const before = this.states.get(pipelineId);
    const world = this.world();
    const decision = this.watch.deciding(pipelineId, input, before, () =>
      this.kernel.decide(before, input, world),
    );
    this.sim.figures.decisions++;
    if (!decision.accepted) {
      write(this.sim, `${pipelineId} ${describeInput(input)} → refused: ${decision.problem.message}`);
      if (answers) this.store.confirm(answers);
      if (input.type === "submit") this.refused.add(pipelineId);
      return "refused";
    }
    this.mayCrash("crash after decide");
    const { records, audit, commands } = decision;
    const entries = this.store.append(pipelineId, before?.version ?? 0, records, audit, commands);
    if (answers) this.store.confirm(answers);
    if (input.type === "timer") this.store.dropTimer(pipelineId, input.timerId);
    const after = this.watch.stored({ pipelineId, input, before, world, ...decision });
    if (after) this.states.set(pipelineId, after);
    if (records.length > 0) this.mayCrash("crash after append");
    for (const entry of entries) this.perform(entry, false);
    return "taken";
  }

  /** Carries out a stored command, and says so afterwards: if the hub stops in between, it is carried out again. */
  perform(entry: OutboxEntry, again: boolean): void {
    this.mayCrash("crash between commands");
    const done = carryOut(this, entry, again);
    this.mayCrash("crash before confirm");
    if (done) this.store.confirm(entry);
  }

  /** Later, unless the hub has stopped by then. */
  soon(delayMs: number, action: () => void): void {
    const { life } = this;
    this.sim.clock.after(delayMs, () => {
      if (this.up && this.life === life) action();
    });
  }

  /** Runs a piece of the hub's work; a crash in it stops the hub. */
  alive<Result>(work: () => Result): Result | undefined {
    if (!this.up) return undefined;
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      write(this.sim, `hub: ${error.message}`);
      count(this.sim.figures.ends, "crashes of the hub");
      this.up = false;
      this.onCrash();
      return undefined;
    }
  }

  mayCrash(point: Fault): void {
    if (this.sim.faults.strikes(point, 0.1)) throw new Crash(point);
  }

  private world(): World {
    const { sim, scenario, fleetDesk } = this;
    return {
      nowMs: sim.clock.nowMs,
      seed: sim.seed,
      fleet: viewFleet(fleetDesk.state),
      policy: scenario.policy,
      queueDepth: this.queueDepth(),
      orchestratorVersion: "0.1.0",
      schemaVersion: "1.0.0",
      review: { normal: scenario.review },
      entropy: defaultEntropyOptions,
    };
  }

  /** Stages that wait for a busy fleet; those that a person was asked about were turned away and do not queue. */
  private queueDepth(): number {
    let depth = 0;
    for (const { stages, life } of this.states.values()) {
      if (life.status !== "RUNNING") continue;
      for (const stage of stages) {
        const wait = waitOf(stage);
        if (wait?.kind === "agent" && wait.escalationId === undefined) depth++;
      }
    }
    return depth;
  }
}
