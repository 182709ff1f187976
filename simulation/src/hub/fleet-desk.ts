import type { AgentHeartbeat } from "@baton/contract";
import {
  emptyFleet,
  type FleetInput,
  type FleetNews,
  type FleetState,
  fleetInputsFor,
  recordDurability,
  waitOf,
} from "../kernel.ts";
import { write } from "../sim.ts";
import type { Hub } from "./hub.ts";

const tickMs = 5_000;

/** The hub's dealings with the fleet: hears of agents and dispatches, tells pipelines what is lost or free again. */
export class FleetDesk {
  state: FleetState = emptyFleet();
  /** Why the fleet did not take a dispatch; what is in here is not sent. */
  readonly refusals = new Map<string, string>();
  private wakeWanted = false;
  private readonly hub: Hub;

  constructor(hub: Hub) {
    this.hub = hub;
  }

  /** A new life: only what was stored is known. */
  reset(): void {
    this.state = emptyFleet();
    this.refusals.clear();
    this.wakeWanted = false;
    for (const record of this.hub.store.fleet) {
      this.hub.watch.fleet.replaying(this.state, record);
      this.state = this.hub.kernel.evolveFleet(this.state, record);
    }
  }

  startTicking(): void {
    this.hub.soon(tickMs, () => {
      this.hub.alive(() => this.tell({ kind: "tick" }));
      this.wantWake();
      this.startTicking();
    });
  }

  /** News of a pipeline's own dispatch. */
  hear(news: FleetNews): void {
    for (const input of fleetInputsFor(news)) {
      const problem = this.tell(input);
      if (problem && input.kind === "dispatched") this.refusals.set(news.dispatchId, problem.message);
    }
  }

  heartbeat(heartbeat: AgentHeartbeat): void {
    this.hub.alive(() => {
      this.tell({ kind: "heartbeat", heartbeat });
    });
  }

  detach(packId: string, instanceId: string): void {
    this.hub.alive(() => this.tell({ kind: "detach", packId, instanceId }));
  }

  restore(packId: string, instanceId: string): void {
    this.hub.alive(() => this.tell({ kind: "restore", packId, instanceId, by: "ada", reason: "mended" }));
  }

  tell(input: FleetInput) {
    const { hub } = this;
    const { nowMs } = hub.sim.clock;
    const world = { nowMs, orchestratorVersion: "0.1.0", settings: hub.scenario.settings };
    const decision = hub.kernel.decideFleet(this.state, input, world);
    hub.watch.fleet.decided(decision);
    for (const record of decision.records) {
      hub.watch.fleet.folding(this.state, record);
      if (recordDurability[record.kind] === "stored") hub.store.fleet.push(record);
      this.state = hub.kernel.evolveFleet(this.state, record);
      hub.watch.fleet.folded(this.state, record);
      if (record.kind !== "heartbeat-taken")
        write(hub.sim, `fleet: ${record.kind} ${"instanceId" in record ? record.instanceId : ""}`);
      if (record.kind === "lease-ended") this.loseAll(record.lostDispatchIds, record.reason);
      if (record.kind !== "dispatched" && record.kind !== "heartbeat-taken") this.wantWake();
    }
    if (input.kind === "heartbeat" && decision.records.length > 0) this.wantWake();
    return decision.problem;
  }

  private loseAll(dispatchIds: readonly string[], reason: string): void {
    for (const dispatchId of dispatchIds) {
      const pipelineId = dispatchId.slice(0, dispatchId.indexOf("/"));
      this.hub.soon(0, () =>
        this.hub.give(pipelineId, { type: "agent-lost", dispatchId, reason: `its lease has ${reason}` }),
      );
    }
  }

  /** What is under way is known from the pipelines, not from the fleet of an earlier life. */
  recover(): void {
    for (const state of this.hub.states.values()) {
      if (state.life.status !== "RUNNING" && state.life.status !== "PAUSED") continue;
      for (const [place, stage] of state.stages.entries()) {
        if (stage.status !== "DISPATCHED" || stage.phase.kind !== "sent") continue;
        const { dispatchId, choice } = stage.phase.sent;
        const { packId, instanceId } = choice;
        const taskType = state.plan.stages[place]?.taskType ?? "";
        this.tell({ kind: "dispatched", dispatchId, packId, instanceId, taskType, recovered: true });
      }
    }
  }

  /** Whatever waits for an agent looks again, once for all that has changed at about the same time. */
  private wantWake(): void {
    if (this.wakeWanted) return;
    this.wakeWanted = true;
    this.hub.soon(20, () => {
      this.wakeWanted = false;
      for (const [pipelineId, { stages, life }] of this.hub.states) {
        if (life.status !== "RUNNING" || !stages.some((stage) => waitOf(stage)?.kind === "agent")) continue;
        if (this.hub.give(pipelineId, { type: "wake" }) === "down") return;
      }
    });
  }
}
