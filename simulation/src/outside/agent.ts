import { AgentHeartbeatSchema, HealthStatus, type TaskEnvelope } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { InstanceScenario } from "../scenario/fleet.ts";
import { type Sim, write } from "../sim.ts";
import type { Door } from "./door.ts";
import { type Job, startJob } from "./job.ts";
import type { Truths } from "./verifier.ts";

const heartbeatMs = 12_000;
const leaseMs = 30_000;

/** A specialist: takes tasks, works, answers until it is told that the answer was taken; dies and comes back. */
export class Agent {
  readonly sim: Sim;
  readonly door: Door;
  readonly truths: Truths;
  readonly jobs = new Map<string, Job>();
  /** The first task it ever had of each stage: what it answers when it mixes things up. */
  readonly past: TaskEnvelope[] = [];
  up = true;
  /** Counts lives: work of an earlier one is lost. */
  life = 0;
  private readonly self: InstanceScenario;

  constructor(self: InstanceScenario, sim: Sim, door: Door, truths: Truths) {
    this.self = self;
    this.sim = sim;
    this.door = door;
    this.truths = truths;
    this.beat();
  }

  get name(): string {
    return this.self.instanceId;
  }

  /** An envelope may come twice; it is one task. */
  take(envelope: TaskEnvelope): void {
    const dispatchId = envelope.execution?.dispatchId ?? "";
    if (!this.up || this.jobs.has(dispatchId)) return;
    this.past.push(envelope);
    startJob(this, envelope, dispatchId);
  }

  /** Most stop; what one says all the same is the hub's to disregard. */
  stop(dispatchId: string): void {
    const job = this.jobs.get(dispatchId);
    if (!job || this.sim.faults.strikes("late answer")) return;
    job.over = true;
  }

  die(reason: string): void {
    const { sim } = this;
    write(sim, `${this.name}: ${reason}`);
    this.up = false;
    this.life++;
    this.jobs.clear();
    if (sim.random.chance(0.5)) {
      const { packId, instanceId } = this.self;
      this.door.heartbeat((hub) => hub.fleetDesk.detach(packId, instanceId));
    }
    sim.clock.after(sim.random.int(2_000, 60_000), () => this.revive());
  }

  revive(): void {
    if (this.up) return;
    write(this.sim, `${this.name}: back`);
    this.up = true;
    this.beat();
  }

  /** Later, unless it has died by then. */
  soon(delayMs: number, action: () => void): void {
    const { life } = this;
    this.sim.clock.after(delayMs, () => {
      if (this.up && this.life === life) action();
    });
  }

  private beat(): void {
    const { sim } = this;
    const silent = sim.faults.strikes("heartbeats stop");
    if (sim.faults.strikes("stream lost", 0.3)) {
      const { packId, instanceId } = this.self;
      this.door.heartbeat((hub) => hub.fleetDesk.detach(packId, instanceId));
    }
    if (!silent) this.say();
    this.soon(silent ? leaseMs + sim.random.int(1_000, 20_000) : heartbeatMs, () => this.beat());
  }

  private say(): void {
    const { packId, instanceId, maxTasks } = this.self;
    const unwell = this.sim.faults.strikes("unwell agent");
    const status = unwell
      ? this.sim.random.pick([HealthStatus.DEGRADED, HealthStatus.UNHEALTHY])
      : HealthStatus.HEALTHY;
    const heartbeat = create(AgentHeartbeatSchema, {
      packId,
      instanceId,
      packVersion: "1.0.0",
      health: { status },
      capacity: { activeTasks: 0, maxTasks },
      heartbeatAt: timestampFromMs(this.sim.clock.nowMs),
      leaseTtl: durationFromMs(leaseMs),
    });
    this.door.heartbeat((hub) => hub.fleetDesk.heartbeat(heartbeat));
  }
}
