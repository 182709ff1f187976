import type { AgentHeartbeat, AgentResult } from "@baton/contract";
import { HubError } from "@baton/runtime";
import { type Address, type FromAgent, pipelineOf } from "@baton/runtime/parts";
import { count } from "../figures.ts";
import type { FleetInput, PipelineInput, PipelineState } from "../kernel.ts";
import type { Reply } from "../observer/verdicts.ts";
import { inspect, log, tenantId } from "../sim.ts";
import { HubProcess, type HubProcessParts } from "./hub-process.ts";

/** Hub processes that run one after another on one disk, and the calls to the current one. */
export class HubSupervisor {
  /** Undefined while no hub accepts calls. */
  current: HubProcess | undefined;
  /** Pipelines without a valid plan. */
  readonly refused = new Set<string>();
  readonly #parts: Omit<HubProcessParts, "onEnd">;
  readonly #endListeners: ((hubProcess: HubProcess) => void)[] = [];
  readonly #startListeners: ((hubProcess: HubProcess) => void)[] = [];

  constructor(parts: Omit<HubProcessParts, "onEnd">) {
    this.#parts = parts;
  }

  onBegin(listener: (hubProcess: HubProcess) => void): void {
    this.#startListeners.push(listener);
  }

  onEnd(listener: (hubProcess: HubProcess) => void): void {
    this.#endListeners.push(listener);
  }

  /** Recovers from the store, and may fail or crash meanwhile. */
  async begin(): Promise<void> {
    const { sim, scenario, checker } = this.#parts;
    const hubProcess = new HubProcess({ ...this.#parts, onEnd: (one, reason) => this.#end(one, reason) });
    const { engine } = hubProcess.hub;
    try {
      if ((await hubProcess.orDown(engine.start())) === "down") return;
    } catch (error) {
      hubProcess.crash(`cannot start: ${error instanceof Error ? error.message : error}`);
      return;
    }
    log(
      sim,
      `hub: up, ${checker.rows.outbox.size} commands in the outbox, ${checker.rows.timerCount} timers`,
    );
    inspect(sim, () => checker.cameBack(engine.openPipelines()));
    this.current = hubProcess;
    for (const manifest of scenario.manifests) void this.enqueueFleet({ kind: "register", manifest });
    for (const listener of this.#startListeners) listener(hubProcess);
  }

  #end(hubProcess: HubProcess, reason: string): void {
    const { sim } = this.#parts;
    log(sim, `hub: ${reason}`);
    count(sim.figures.ends, "crashes of the hub");
    this.current = undefined;
    for (const listener of this.#endListeners) listener(hubProcess);
    sim.clock.after(sim.random.int(50, 8_000), () => void this.begin());
  }

  /** A call by a client. When the store fails, the outcome is unknown. */
  async submit(pipelineId: string, input: PipelineInput): Promise<Reply> {
    const hubProcess = this.current;
    if (!hubProcess) return "down";
    try {
      const taken = await hubProcess.orDown(hubProcess.hub.engine.submit(pipelineId, input));
      if (taken === "down") return "down";
      if (taken.accepted) this.#parts.checker.durability.answered(taken.state);
      else if (input.type === "submit") this.refused.add(pipelineId);
      return taken.accepted ? "taken" : "refused";
    } catch {
      return "down";
    }
  }

  /** A report of an agent. */
  async report(from: Address, dispatchId: string, message: FromAgent): Promise<Reply> {
    const hubProcess = this.current;
    if (!hubProcess) return "down";
    try {
      const taken = await hubProcess.orDown(hubProcess.hub.reports.take(from, dispatchId, message));
      return taken === "down" ? "down" : "taken";
    } catch (error) {
      return error instanceof HubError ? "refused" : "down";
    }
  }

  /** The result of an agent. */
  async answer(from: Address, dispatchId: string, result: AgentResult): Promise<Reply> {
    const hubProcess = this.current;
    if (!hubProcess) return "down";
    try {
      if ((await hubProcess.orDown(hubProcess.hub.reports.answer(from, result, dispatchId))) === "down")
        return "down";
      this.#parts.checker.durability.acknowledged(result);
      return "taken";
    } catch (error) {
      return error instanceof HubError ? "refused" : "down";
    }
  }

  /** Inputs without a message: observed steps, an unreadable answer. */
  async enqueue(dispatchId: string, input: PipelineInput): Promise<Reply> {
    const hubProcess = this.current;
    if (!hubProcess) return "down";
    const taken = await hubProcess.orDown(hubProcess.hub.engine.enqueue(pipelineOf(dispatchId), input));
    return taken === "down" ? "down" : taken.accepted ? "taken" : "refused";
  }

  /** Reports a change of the fleet. True when it was accepted. */
  async enqueueFleet(input: FleetInput): Promise<boolean> {
    const hubProcess = this.current;
    if (!hubProcess) return false;
    const problem = await hubProcess.orDown(hubProcess.hub.engine.enqueueFleet(tenantId, input));
    return problem === undefined;
  }

  beat(heartbeat: AgentHeartbeat): Promise<boolean> {
    return this.enqueueFleet({ kind: "heartbeat", heartbeat });
  }

  /** The pipeline as the hub returns it, if a hub is there and knows it. */
  async read(pipelineId: string): Promise<PipelineState | undefined> {
    const hubProcess = this.current;
    if (!hubProcess) return undefined;
    const state = await hubProcess.orDown(hubProcess.hub.engine.pipeline(pipelineId)).catch(() => undefined);
    return state === "down" ? undefined : state;
  }
}
