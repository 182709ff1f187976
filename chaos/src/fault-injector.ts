import { setTimeout as pause } from "node:timers/promises";
import type { Chance } from "./chance.ts";
import type { Fault, Figures } from "./figures.ts";
import type { HubSupervisor } from "./hub-supervisor.ts";
import { limits } from "./limits.ts";
import type { Scene } from "./scene.ts";

export interface FaultInjectorParts {
  readonly chance: Chance;
  readonly figures: Figures;
  /** Longest time between two faults. */
  readonly everyMs: number;
}

/** Injects faults other than kills of the hub: agents, the network, the clocks. */
export class FaultInjector {
  readonly #scene: Scene;
  readonly #supervisor: HubSupervisor;
  readonly #chance: Chance;
  readonly #figures: Figures;
  readonly #everyMs: number;
  readonly #over = new AbortController();
  readonly #eachOnce: Promise<void>;
  readonly #going: Promise<void>;
  #stopping: Promise<void> | undefined;

  constructor(scene: Scene, supervisor: HubSupervisor, parts: FaultInjectorParts) {
    this.#scene = scene;
    this.#supervisor = supervisor;
    this.#chance = parts.chance.branch();
    this.#figures = parts.figures;
    this.#everyMs = parts.everyMs;
    this.#eachOnce = this.#injectEachKind();
    this.#going = this.#eachOnce.then(() => this.#goOn());
  }

  /** Resolves when each kind of fault has happened. Hubs must start and stop meanwhile. */
  get eachOnce(): Promise<void> {
    return this.#eachOnce;
  }

  /** Stops and restores the network. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#going;
    await this.#stopping;
    this.#scene.proxy.faults.cuts = 0;
    this.#scene.proxy.faults.delayMs = 0;
  }

  readonly #ways = [
    () => this.#killAgent(),
    () => this.#stopAgent(),
    () => this.#cut(),
    () => this.#delay(),
    () => this.#setClock(),
    () => this.#setAgentClock(),
  ] as const;

  async #injectEachKind(): Promise<void> {
    for (const inject of this.#ways) {
      await inject();
      await this.#rest(this.#everyMs / this.#ways.length);
    }
  }

  async #goOn(): Promise<void> {
    while (!this.#over.signal.aborted) {
      await this.#chance.pick(this.#ways)();
      await this.#rest(this.#everyMs);
    }
  }

  async #rest(mostMs: number): Promise<void> {
    const { signal } = this.#over;
    await pause(this.#chance.int(0, mostMs), undefined, { signal }).catch(() => {});
  }

  async #killAgent(): Promise<void> {
    const agent = this.#anyAgent();
    await agent?.kill();
    agent?.begin();
    this.#figures.fault("an agent killed");
  }

  /** One at a time, in the background. */
  #stopAgent(): void {
    if (this.#stopping) return;
    this.#figures.fault("an agent stopped past its lease");
    this.#stopping = this.#anyAgent()
      ?.stopForAWhile()
      .then(() => {
        this.#stopping = undefined;
      });
  }

  async #cut(): Promise<void> {
    this.#scene.proxy.faults.cuts += this.#chance.int(1, 3);
    await this.#seen("a connection cut in the middle of a message");
  }

  async #delay(): Promise<void> {
    const { faults } = this.#scene.proxy;
    faults.delayMs = this.#chance.int(1, limits.delayMs);
    await Promise.all([pause(limits.delayMs), this.#seen("a message delayed")]);
    faults.delayMs = 0;
  }

  async #setClock(): Promise<void> {
    const ms = this.#anyShift();
    while (!this.#over.signal.aborted) {
      const { hub } = this.#supervisor;
      const isReady = await hub?.ready.then(
        () => true,
        () => false,
      );
      if (hub && isReady && hub.send({ kind: "shift", ms }))
        return this.#figures.fault("the clock set while the hub runs");
      await pause(limits.pollMs);
    }
  }

  async #setAgentClock(): Promise<void> {
    const agent = this.#anyAgent();
    await agent?.attached;
    agent?.send({ kind: "shift", ms: this.#anyShift() });
    this.#figures.fault("an agent's clock set while it runs");
  }

  /** Waits for the next count of the fault. */
  async #seen(fault: Fault): Promise<void> {
    const before = this.#figures.faults[fault];
    while (this.#figures.faults[fault] === before && !this.#over.signal.aborted) await pause(limits.pollMs);
  }

  #anyShift(): number {
    return this.#chance.next() < 0.5 ? limits.jumpMs : -limits.jumpMs;
  }

  #anyAgent() {
    const { agents } = this.#scene;
    return agents[this.#chance.int(0, agents.length - 1)];
  }
}
