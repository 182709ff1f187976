import type { Address } from "@baton/runtime/parts";
import type { Watch } from "../checks/checker.ts";
import type { Step } from "../checks/decision/step.ts";
import type { Lives } from "../hub/hub-supervisor.ts";
import type { FleetScenario, InstanceScenario } from "../scenario/fleet.ts";
import type { Shape } from "../scenario/shape.ts";
import { type Sim, tenantId, write } from "../sim.ts";
import { Agent } from "./agent.ts";
import { AttachedLine } from "./attached-connection.ts";
import { Door } from "./client.ts";
import type { Line, Station } from "./connection.ts";
import { Network } from "./network.ts";
import { CalmPerson } from "./operator.ts";
import { People } from "./people.ts";
import { CalledLine } from "./push-connection.ts";
import type { Truths } from "./verifier.ts";

export interface SurroundingsParts {
  readonly sim: Sim;
  readonly lives: Lives;
  readonly watch: Watch;
  readonly fleet: FleetScenario;
  readonly truths: Truths;
  readonly shapes: ReadonlyMap<string, Shape>;
}

/** Everything around the hub, put together. */
export class Surroundings {
  readonly door: Door;
  readonly people: People;
  readonly #parts: SurroundingsParts;
  readonly #network: Network;
  readonly #agents: readonly Agent[];

  constructor(parts: SurroundingsParts) {
    const { sim, lives, watch, fleet, truths, shapes } = parts;
    this.#parts = parts;
    const { observer } = watch;
    this.#network = new Network(sim);
    this.door = new Door(lives, sim, observer);
    this.people = new People({
      sim,
      door: this.door,
      lives,
      states: watch.states,
      shapes,
      journals: watch.journals,
    });
    this.#agents = fleet.instances.map(
      (self) => new Agent(self, { sim, truths, observer }, (station) => this.#connect(self, station)),
    );
    watch.onStep = (step) => this.#hear(step);
  }

  get addresses(): readonly Address[] {
    return this.#parts.fleet.instances.map(({ packId, instanceId }) => ({ tenantId, packId, instanceId }));
  }

  /** Messages of agents that the hub has not acknowledged. */
  get unheard(): number {
    return this.#agents.reduce((sum, { line }) => sum + line.unheard, 0);
  }

  #connect({ packId, instanceId, way }: InstanceScenario, station: Station): Line {
    const { sim, lives, watch, fleet } = this.#parts;
    const address = { tenantId, packId, instanceId };
    const parts = { sim, lives, watch, network: this.#network, station, address };
    const manifest = fleet.manifests.find((one) => one.packId === packId);
    return way === "attached" && manifest ? new AttachedLine(parts, manifest) : new CalledLine(parts);
  }

  /** What is durable shows in lists and events, and people come to know of it. */
  #hear({ pipelineId, input, commands }: Step): void {
    const { sim, lives } = this.#parts;
    for (const command of commands) {
      if (command.type === "request-review") {
        const { stageId, dispatchId } = command;
        this.#network.carry(`review of ${dispatchId}`, () =>
          this.people.review(pipelineId, stageId, dispatchId),
        );
      }
      if (command.type === "ask-person")
        this.#network.carry(`question ${command.escalation.id}`, () =>
          this.people.asked(pipelineId, command.escalation),
        );
      if (command.type === "set-timer") this.#ringEarly(pipelineId, command.timerId, command.atMs);
    }
    // Whatever carries inputs may carry one again, long after.
    if (input.type !== "wake" && input.type !== "timer" && sim.faults.strikes("input repeated", 0.3))
      sim.clock.after(
        sim.random.int(0, 20_000),
        () => void lives.current?.hub.engine.enqueue(pipelineId, input),
      );
  }

  #ringEarly(pipelineId: string, timerId: string, atMs: number): void {
    const { sim, lives } = this.#parts;
    const leftMs = atMs - sim.clock.nowMs;
    if (leftMs <= 1 || !sim.faults.strikes("timer rings early")) return;
    // A hub that is busy, or whose store fails, decides about it when it is due: then it has rung.
    const timer = { pipelineId, timerId, atMs };
    sim.clock.after(leftMs / 2, () => {
      const life = lives.current;
      if (life?.isIdle) void life.hub.engine.enqueue(pipelineId, { type: "timer", timerId }, { timer });
    });
  }

  /** The faults stop: agents are up and behave, nothing is lost, somebody answers. */
  calmDown(): void {
    const { sim, lives, shapes } = this.#parts;
    write(sim, "the faults stop");
    sim.faults.stopped = true;
    for (const agent of this.#agents) agent.revive();
    new CalmPerson(sim, lives, this.door, [...shapes.keys()]).goRound();
  }
}
