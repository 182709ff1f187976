import { setTimeout as pause } from "node:timers/promises";
import type { Chance } from "./chance.ts";
import type { Figures } from "./figures.ts";
import type { KillPlan } from "./kill-plan.ts";
import { limits } from "./limits.ts";
import { HubProcess } from "./processes/hub-process.ts";
import { checkRestart } from "./restart-check.ts";
import type { Scene } from "./scene.ts";
import type { Violations } from "./violations.ts";

/** Starts and ends hub processes, one after another, on the same store and addresses. */
export class HubSupervisor {
  readonly #scene: Scene;
  readonly #chance: Chance;
  readonly #figures: Figures;
  readonly #violations: Violations;
  #clockShiftMs = 0;
  #jumps = 0;
  #hub: HubProcess | undefined;

  constructor(
    scene: Scene,
    parts: { readonly chance: Chance; readonly figures: Figures; readonly violations: Violations },
  ) {
    this.#scene = scene;
    this.#chance = parts.chance.branch();
    this.#figures = parts.figures;
    this.#violations = parts.violations;
  }

  /** The current process, if any. */
  get hub(): HubProcess | undefined {
    return this.#hub;
  }

  /** Duration of the last start, until calls were accepted. */
  get lastStartMs(): number {
    return this.#figures.startMs.at(-1) ?? Number.NaN;
  }

  /** Starts a process without a planned end. */
  async start(): Promise<HubProcess> {
    const hub = this.#start(undefined);
    await hub.ready;
    await checkRestart(this.#scene, this.#violations);
    return hub;
  }

  /** Runs a process to its planned end; false when it did not reach its point and was killed from outside. */
  async runUntilKilled(plan: KillPlan): Promise<boolean> {
    this.#jump();
    const fromStart = plan.kind === "at a point" && plan.fromStart;
    const hub = this.#start(fromStart ? plan : undefined);
    const gone = hub.gone.then(() => "gone" as const);
    const began = await Promise.race([
      hub.ready.then(() => "ready" as const).catch(() => "gone" as const),
      gone,
    ]);
    if (began === "ready") {
      const checking = checkRestart(this.#scene, this.#violations);
      await Promise.race([gone, pause(plan.afterMs)]);
      if (plan.kind === "at a point" && !plan.fromStart)
        hub.send({ kind: "arm", point: plan.point, at: plan.at });
      if (plan.kind === "at a point") await Promise.race([gone, pause(limits.reachMs)]);
      const byItself = await isOver(hub);
      if (!byItself) await hub.kill();
      await checking;
    }
    const { signal, code } = await hub.gone;
    this.#hub = undefined;
    const reached = plan.kind === "at a point" && !hub.wasKilled;
    this.#figures.kills[reached ? plan.point : "from outside"]++;
    if (signal !== "SIGKILL")
      this.#violations.add("the hub does not exit by itself", `${signal ?? code}: ${hub.errors}`);
    return reached || plan.kind === "at a random time";
  }

  async kill(): Promise<void> {
    await this.#hub?.kill();
    this.#hub = undefined;
    this.#figures.kills["from outside"]++;
  }

  /** The final, orderly stop. */
  async stop(copyTo?: string): Promise<void> {
    const gone = await this.#hub?.stop(copyTo);
    this.#hub = undefined;
    if (gone && gone.code !== 0)
      this.#violations.add("the hub stops in order", `it ended with ${gone.signal ?? gone.code}`);
  }

  #start(killAt: Extract<KillPlan, { kind: "at a point" }> | undefined): HubProcess {
    const began = performance.now();
    const hub = new HubProcess(this.#scene.place, { clockShiftMs: this.#clockShiftMs, killAt });
    this.#hub = hub;
    this.#figures.restarts++;
    hub.ready.then(
      () => this.#figures.startMs.push(performance.now() - began),
      () => {},
    );
    return hub;
  }

  /** Sometimes the next process starts with another clock; the first two shift it each way. */
  #jump(): void {
    if (this.#chance.next() >= 0.25 && this.#jumps >= 2) return;
    this.#jumps++;
    const ahead = this.#clockShiftMs <= 0;
    this.#clockShiftMs += (ahead ? 1 : -1) * limits.jumpMs * this.#chance.int(1, 2);
    this.#figures.fault(ahead ? "the clock an hour ahead" : "the clock an hour back");
  }
}

async function isOver(hub: HubProcess): Promise<boolean> {
  return Promise.race([hub.gone.then(() => true), pause(0).then(() => false)]);
}
