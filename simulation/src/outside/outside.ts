import type { Address } from "@baton/runtime/parts";
import type { Checker } from "../checks/checker.ts";
import type { Step } from "../checks/decision/step.ts";
import type { HubSupervisor } from "../hub/hub-supervisor.ts";
import type { FleetScenario, InstanceScenario } from "../scenario/fleet.ts";
import type { Shape } from "../scenario/shape.ts";
import { log, type Sim, tenantId } from "../sim.ts";
import { Agent } from "./agent.ts";
import { AttachedConnection } from "./attached-connection.ts";
import { RetryingClient } from "./client.ts";
import type { AgentEndpoint, Connection } from "./connection.ts";
import { Network } from "./network.ts";
import { Operator } from "./operator.ts";
import { People } from "./people.ts";
import { PushConnection } from "./push-connection.ts";
import type { GroundTruth } from "./verifier.ts";

export interface OutsideParts {
  readonly sim: Sim;
  readonly supervisor: HubSupervisor;
  readonly checker: Checker;
  readonly fleet: FleetScenario;
  readonly groundTruth: GroundTruth;
  readonly shapes: ReadonlyMap<string, Shape>;
}

/** Everything outside the hub. */
export class Outside {
  readonly client: RetryingClient;
  readonly people: People;
  readonly #parts: OutsideParts;
  readonly #network: Network;
  readonly #agents: readonly Agent[];

  constructor(parts: OutsideParts) {
    const { sim, supervisor, checker, fleet, groundTruth, shapes } = parts;
    this.#parts = parts;
    const { observer } = checker;
    this.#network = new Network(sim);
    this.client = new RetryingClient(supervisor, sim, observer);
    this.people = new People({
      sim,
      client: this.client,
      supervisor,
      states: checker.states,
      shapes,
      journals: checker.journals,
    });
    this.#agents = fleet.instances.map(
      (self) => new Agent(self, { sim, groundTruth, observer }, (agent) => this.#connect(self, agent)),
    );
    checker.onStep = (step) => this.#receive(step);
  }

  get addresses(): readonly Address[] {
    return this.#parts.fleet.instances.map(({ packId, instanceId }) => ({ tenantId, packId, instanceId }));
  }

  /** Messages of agents without an acknowledgement. */
  get unacknowledged(): number {
    return this.#agents.reduce((sum, { line }) => sum + line.unacknowledged, 0);
  }

  #connect({ packId, instanceId, way }: InstanceScenario, agent: AgentEndpoint): Connection {
    const { sim, supervisor, checker, fleet } = this.#parts;
    const address = { tenantId, packId, instanceId };
    const parts = { sim, supervisor, checker, network: this.#network, agent, address };
    const manifest = fleet.manifests.find((one) => one.packId === packId);
    return way === "attached" && manifest
      ? new AttachedConnection(parts, manifest)
      : new PushConnection(parts);
  }

  /** Durable commands become visible in lists and events, and people react to them. */
  #receive({ pipelineId, input, commands }: Step): void {
    const { sim, supervisor } = this.#parts;
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
    // Whatever carries inputs may repeat one, long after.
    if (input.type !== "wake" && input.type !== "timer" && sim.faults.strikes("input repeated", 0.3))
      sim.clock.after(
        sim.random.int(0, 20_000),
        () => void supervisor.current?.hub.engine.enqueue(pipelineId, input),
      );
  }

  #ringEarly(pipelineId: string, timerId: string, atMs: number): void {
    const { sim, supervisor } = this.#parts;
    const leftMs = atMs - sim.clock.nowMs;
    if (leftMs <= 1 || !sim.faults.strikes("timer rings early")) return;
    // A busy hub decides about it only when it is due.
    const timer = { pipelineId, timerId, atMs };
    sim.clock.after(leftMs / 2, () => {
      const hubProcess = supervisor.current;
      if (hubProcess?.isIdle)
        void hubProcess.hub.engine.enqueue(pipelineId, { type: "timer", timerId }, { timer });
    });
  }

  /** Stops the faults: all agents are up and behave, nothing is lost, and an operator answers. */
  stopFaults(): void {
    const { sim, supervisor, shapes } = this.#parts;
    log(sim, "the faults stop");
    sim.faults.stopped = true;
    for (const agent of this.#agents) agent.revive();
    new Operator(sim, supervisor, this.client, [...shapes.keys()]).answerPeriodically();
  }
}
