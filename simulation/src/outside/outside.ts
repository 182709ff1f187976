import type { TaskEnvelope } from "@baton/contract";
import type { Outside } from "../hub/carry-out.ts";
import type { Hub } from "../hub/hub.ts";
import type { FleetScenario } from "../scenario/fleet.ts";
import type { Shape } from "../scenario/shape.ts";
import { type Sim, write } from "../sim.ts";
import { Agent } from "./agent.ts";
import { CalmPerson } from "./calm.ts";
import { Door } from "./door.ts";
import { Network } from "./network.ts";
import { People } from "./people.ts";
import { readRefs, runCommands, type Truths } from "./verifier.ts";

/** Everything around the hub, put together. */
export class Surroundings implements Outside {
  readonly door: Door;
  readonly people: People;
  private readonly agents: ReadonlyMap<string, Agent>;
  private readonly truths: Truths = { failing: new Set() };
  private readonly network: Network;
  private readonly sim: Sim;
  private readonly hub: Hub;

  constructor(sim: Sim, hub: Hub, fleet: FleetScenario, shapes: ReadonlyMap<string, Shape>) {
    this.sim = sim;
    this.hub = hub;
    this.network = new Network(sim);
    this.door = new Door(hub, this.network, sim);
    this.people = new People(sim, this.door, hub, shapes);
    this.agents = new Map(
      fleet.instances.map((self) => [self.instanceId, new Agent(self, sim, this.door, this.truths)]),
    );
  }

  send(instanceId: string, envelope: TaskEnvelope, notDelivered: (reason: string) => void): void {
    if (this.sim.faults.strikes("transport failure")) return notDelivered("the connection broke");
    this.network.carry(`envelope ${envelope.execution?.dispatchId}`, () =>
      this.agents.get(instanceId)?.take(envelope),
    );
  }

  cancel(instanceId: string, dispatchId: string): void {
    this.network.carry(`cancel ${dispatchId}`, () => this.agents.get(instanceId)?.stop(dispatchId));
  }

  requestReview(pipelineId: string, stageId: string, dispatchId: string): void {
    this.network.carry(`review of ${dispatchId}`, () => this.people.review(pipelineId, stageId, dispatchId));
  }

  askPerson(...[pipelineId, escalation]: Parameters<Outside["askPerson"]>): void {
    this.network.carry(`question ${escalation.id}`, () => this.people.asked(pipelineId, escalation));
  }

  readAgain(...[refs, done]: Parameters<Outside["readAgain"]>): void {
    this.hub.soon(this.sim.random.int(10, 2_000), () => done(readRefs(refs, this.sim)));
  }

  verify(...[dispatchId, environment, done]: Parameters<Outside["verify"]>): void {
    this.hub.soon(this.sim.random.int(100, 4_000), () =>
      done(runCommands(dispatchId, environment, this.truths)),
    );
  }

  /** The faults stop: agents are up and behave, nothing is lost, somebody answers. */
  calmDown(): void {
    write(this.sim, "the faults stop");
    this.sim.faults.stopped = true;
    for (const agent of this.agents.values()) agent.revive();
    new CalmPerson(this.hub, this.door).goRound();
  }
}
