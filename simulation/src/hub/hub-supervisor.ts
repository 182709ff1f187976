import type { AgentHeartbeat, AgentResult } from "@baton/contract";
import { HubError } from "@baton/runtime";
import { type Address, type FromAgent, pipelineOf } from "@baton/runtime/parts";
import { count } from "../figures.ts";
import type { FleetInput, PipelineInput, PipelineState } from "../kernel.ts";
import type { Reply } from "../observer/verdicts.ts";
import { look, tenantId, write } from "../sim.ts";
import { Life, type LifeParts } from "./hub-process.ts";

/** Hubs that live one after another on one disk, and what can be said to whichever lives now. */
export class Lives {
  /** Undefined while there is none that takes anything. */
  current: Life | undefined;
  /** Pipelines that cannot be planned. */
  readonly refused = new Set<string>();
  readonly #parts: Omit<LifeParts, "onEnd">;
  readonly #mourners: ((life: Life) => void)[] = [];
  readonly #greeters: ((life: Life) => void)[] = [];

  constructor(parts: Omit<LifeParts, "onEnd">) {
    this.#parts = parts;
  }

  /** Calls back with every hub that has come up. */
  onBegin(greet: (life: Life) => void): void {
    this.#greeters.push(greet);
  }

  /** Calls back when a hub has lost power. */
  onEnd(mourn: (life: Life) => void): void {
    this.#mourners.push(mourn);
  }

  /** Comes up from what is stored, and may fail or lose power on the way. */
  async begin(): Promise<void> {
    const { sim, scenario, watch } = this.#parts;
    const life = new Life({ ...this.#parts, onEnd: (one, reason) => this.#end(one, reason) });
    const { engine } = life.hub;
    try {
      if ((await life.hear(engine.start())) === "down") return;
    } catch (error) {
      life.crash(`cannot start: ${error instanceof Error ? error.message : error}`);
      return;
    }
    write(sim, `hub: up, ${watch.rows.outbox.size} commands to do again, ${watch.rows.timerCount} timers`);
    look(sim, () => watch.cameBack(engine.openPipelines()));
    this.current = life;
    for (const manifest of scenario.manifests) void this.tell({ kind: "register", manifest });
    for (const greet of this.#greeters) greet(life);
  }

  #end(life: Life, reason: string): void {
    const { sim } = this.#parts;
    write(sim, `hub: ${reason}`);
    count(sim.figures.ends, "crashes of the hub");
    this.current = undefined;
    for (const mourn of this.#mourners) mourn(life);
    sim.clock.after(sim.random.int(50, 8_000), () => void this.begin());
  }

  /** A call that somebody makes and waits for. It may fail when the store does, and then it is not known what happened. */
  async ask(pipelineId: string, input: PipelineInput): Promise<Reply> {
    const life = this.current;
    if (!life) return "down";
    try {
      const taken = await life.hear(life.hub.engine.submit(pipelineId, input));
      if (taken === "down") return "down";
      if (taken.accepted) this.#parts.watch.exits.answered(taken.state);
      else if (input.type === "submit") this.refused.add(pipelineId);
      return taken.accepted ? "taken" : "refused";
    } catch {
      return "down";
    }
  }

  /** What an agent reports, at the hub's desk. */
  async take(from: Address, dispatchId: string, message: FromAgent): Promise<Reply> {
    const life = this.current;
    if (!life) return "down";
    try {
      const taken = await life.hear(life.hub.reports.take(from, dispatchId, message));
      return taken === "down" ? "down" : "taken";
    } catch (error) {
      return error instanceof HubError ? "refused" : "down";
    }
  }

  /** What an agent answers, at the hub's desk. */
  async answer(from: Address, dispatchId: string, result: AgentResult): Promise<Reply> {
    const life = this.current;
    if (!life) return "down";
    try {
      if ((await life.hear(life.hub.reports.answer(from, result, dispatchId))) === "down") return "down";
      this.#parts.watch.exits.acknowledged(result);
      return "taken";
    } catch (error) {
      return error instanceof HubError ? "refused" : "down";
    }
  }

  /** What no message of an agent stands for: steps it was seen to take, an answer that cannot be read. */
  async give(dispatchId: string, input: PipelineInput): Promise<Reply> {
    const life = this.current;
    if (!life) return "down";
    const taken = await life.hear(life.hub.engine.enqueue(pipelineOf(dispatchId), input));
    return taken === "down" ? "down" : taken.accepted ? "taken" : "refused";
  }

  /** Says something about the fleet. True when it was taken. */
  async tell(input: FleetInput): Promise<boolean> {
    const life = this.current;
    if (!life) return false;
    const problem = await life.hear(life.hub.engine.enqueueFleet(tenantId, input));
    return problem === undefined;
  }

  beat(heartbeat: AgentHeartbeat): Promise<boolean> {
    return this.tell({ kind: "heartbeat", heartbeat });
  }

  /** The pipeline as the hub shows it; undefined when there is none, or nobody to ask. */
  async show(pipelineId: string): Promise<PipelineState | undefined> {
    const life = this.current;
    if (!life) return undefined;
    const shown = await life.hear(life.hub.engine.pipeline(pipelineId)).catch(() => undefined);
    return shown === "down" ? undefined : shown;
  }
}
