import { type AgentHeartbeat, AgentHeartbeatSchema, HealthStatus, type TaskEnvelope } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Observer } from "../observer/observer.ts";
import type { InstanceScenario } from "../scenario/fleet.ts";
import { type Sim, write } from "../sim.ts";
import type { Line, Station } from "./connection.ts";
import { type Job, startJob } from "./job.ts";
import type { Truths } from "./verifier.ts";

const heartbeatMs = 12_000;
const leaseMs = 30_000;

export interface AgentParts {
  readonly sim: Sim;
  readonly truths: Truths;
  readonly observer: Observer;
}

/** A specialist: takes tasks, works, answers until it is told that the answer was taken; dies and comes back. */
export class Agent implements Station {
  readonly sim: Sim;
  readonly truths: Truths;
  readonly observer: Observer;
  readonly jobs = new Map<string, Job>();
  /** The first task it ever had of each stage: what it answers when it mixes things up. */
  readonly past: TaskEnvelope[] = [];
  readonly line: Line;
  isUp = true;
  /** Counts lives: work of an earlier one is lost. */
  private life = 0;
  private readonly self: InstanceScenario;

  constructor(self: InstanceScenario, parts: AgentParts, connect: (station: Station) => Line) {
    this.self = self;
    this.sim = parts.sim;
    this.truths = parts.truths;
    this.observer = parts.observer;
    this.line = connect(this);
    this.line.open();
    this.beat();
  }

  get name(): string {
    return this.self.instanceId;
  }

  /** An envelope may come twice; it is one task. */
  take(envelope: TaskEnvelope): void {
    const dispatchId = envelope.execution?.dispatchId ?? "";
    if (!this.isUp) return;
    this.observer.received(envelope);
    if (this.jobs.has(dispatchId)) return;
    this.past.push(envelope);
    startJob(this, envelope, dispatchId);
  }

  /** Most stop; what one says all the same is the hub's to disregard. */
  stop(dispatchId: string): void {
    const job = this.jobs.get(dispatchId);
    if (!job || this.sim.faults.strikes("late answer")) return;
    job.over = true;
  }

  working(): readonly string[] {
    return [...this.jobs].flatMap(([dispatchId, { over }]) => (over ? [] : [dispatchId]));
  }

  die(reason: string): void {
    const { sim } = this;
    write(sim, `${this.name}: ${reason}`);
    this.isUp = false;
    this.life++;
    this.jobs.clear();
    this.line.drop();
    sim.clock.after(sim.random.int(2_000, 60_000), () => this.revive());
  }

  revive(): void {
    if (this.isUp) return;
    write(this.sim, `${this.name}: back`);
    this.isUp = true;
    this.line.open();
    this.beat();
  }

  /** Later, unless it has died by then. */
  soon(delayMs: number, action: () => void): void {
    const { life } = this;
    this.sim.clock.after(delayMs, () => {
      if (this.isUp && this.life === life) action();
    });
  }

  /** Whether it has died since. */
  isSame(): () => boolean {
    const { life } = this;
    return () => this.isUp && this.life === life;
  }

  private beat(): void {
    const { sim } = this;
    const silent = sim.faults.strikes("heartbeats stop");
    if (sim.faults.strikes("stream lost", 0.3)) this.line.lose();
    if (!silent) this.line.beat();
    this.soon(silent ? leaseMs + sim.random.int(1_000, 20_000) : heartbeatMs, () => this.beat());
  }

  heartbeat(): AgentHeartbeat {
    const { packId, instanceId, maxTasks } = this.self;
    const unwell = this.sim.faults.strikes("unwell agent");
    const status = unwell
      ? this.sim.random.pick([HealthStatus.DEGRADED, HealthStatus.UNHEALTHY])
      : HealthStatus.HEALTHY;
    return create(AgentHeartbeatSchema, {
      packId,
      instanceId,
      packVersion: "1.0.0",
      health: { status },
      capacity: { activeTasks: 0, maxTasks },
      heartbeatAt: timestampFromMs(this.sim.clock.nowMs),
      leaseTtl: durationFromMs(leaseMs),
    });
  }
}
