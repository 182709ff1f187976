import { type AgentHeartbeat, AgentHeartbeatSchema, HealthStatus, type TaskEnvelope } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Observer } from "../observer/observer.ts";
import type { InstanceScenario } from "../scenario/fleet.ts";
import { log, type Sim } from "../sim.ts";
import type { AgentEndpoint, Connection } from "./connection.ts";
import { type Job, startJob } from "./job.ts";
import type { GroundTruth } from "./verifier.ts";

const heartbeatMs = 12_000;
const leaseMs = 30_000;

export interface AgentParts {
  readonly sim: Sim;
  readonly groundTruth: GroundTruth;
  readonly observer: Observer;
}

/** An agent: takes tasks, works, repeats its answer until it is acknowledged, dies and returns. */
export class Agent implements AgentEndpoint {
  readonly sim: Sim;
  readonly groundTruth: GroundTruth;
  readonly observer: Observer;
  readonly jobs = new Map<string, Job>();
  /** All envelopes it received, for stale answers. */
  readonly past: TaskEnvelope[] = [];
  readonly line: Connection;
  isUp = true;
  /** Counts restarts: work of an earlier process is lost. */
  private life = 0;
  private readonly self: InstanceScenario;

  constructor(self: InstanceScenario, parts: AgentParts, connect: (agent: AgentEndpoint) => Connection) {
    this.self = self;
    this.sim = parts.sim;
    this.groundTruth = parts.groundTruth;
    this.observer = parts.observer;
    this.line = connect(this);
    this.line.open();
    this.beat();
  }

  get name(): string {
    return this.self.instanceId;
  }

  /** A repeated envelope is the same task. */
  take(envelope: TaskEnvelope): void {
    const dispatchId = envelope.execution?.dispatchId ?? "";
    if (!this.isUp) return;
    this.observer.received(envelope);
    if (this.jobs.has(dispatchId)) return;
    this.past.push(envelope);
    startJob(this, envelope, dispatchId);
  }

  /** Most attempts stop; a late answer does not. */
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
    log(sim, `${this.name}: ${reason}`);
    this.isUp = false;
    this.life++;
    this.jobs.clear();
    this.line.drop();
    sim.clock.after(sim.random.int(2_000, 60_000), () => this.revive());
  }

  revive(): void {
    if (this.isUp) return;
    log(this.sim, `${this.name}: back`);
    this.isUp = true;
    this.line.open();
    this.beat();
  }

  /** Runs later, unless the agent has died by then. */
  soon(delayMs: number, action: () => void): void {
    const { life } = this;
    this.sim.clock.after(delayMs, () => {
      if (this.isUp && this.life === life) action();
    });
  }

  /** Returns whether it is still the same process. */
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
