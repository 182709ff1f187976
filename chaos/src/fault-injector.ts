import { setTimeout as pause } from "node:timers/promises";
import type { Chance } from "./chance.ts";
import type { Fault, Figures } from "./figures.ts";
import type { Lives } from "./hub-supervisor.ts";
import { limits } from "./limits.ts";
import type { Scene } from "./scene.ts";

export interface DisturberParts {
  readonly chance: Chance;
  readonly figures: Figures;
  /** Between two faults, at the most. */
  readonly everyMs: number;
}

/** What else goes wrong while hubs come and go: agents, the network, the clocks. */
export class Disturber {
  readonly #scene: Scene;
  readonly #lives: Lives;
  readonly #chance: Chance;
  readonly #figures: Figures;
  readonly #everyMs: number;
  readonly #over = new AbortController();
  readonly #eachOnce: Promise<void>;
  readonly #going: Promise<void>;
  #standing: Promise<void> | undefined;

  constructor(scene: Scene, lives: Lives, parts: DisturberParts) {
    this.#scene = scene;
    this.#lives = lives;
    this.#chance = parts.chance.branch();
    this.#figures = parts.figures;
    this.#everyMs = parts.everyMs;
    this.#eachOnce = this.#disturbEachWay();
    this.#going = this.#eachOnce.then(() => this.#goOn());
  }

  /** Each kind of fault has happened, so that a short run has all of them. Hubs have to come and go until then. */
  get eachOnce(): Promise<void> {
    return this.#eachOnce;
  }

  /** Ends it, with everything as it should be again. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#going;
    await this.#standing;
    this.#scene.proxy.weather.cuts = 0;
    this.#scene.proxy.weather.delayMs = 0;
  }

  readonly #ways = [
    () => this.#killAgent(),
    () => this.#stopAgent(),
    () => this.#cut(),
    () => this.#delay(),
    () => this.#setClock(),
    () => this.#setAgentClock(),
  ] as const;

  async #disturbEachWay(): Promise<void> {
    for (const disturb of this.#ways) {
      await disturb();
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

  /** One at a time, and meanwhile everything else goes on. */
  #stopAgent(): void {
    if (this.#standing) return;
    this.#figures.fault("an agent stopped past its lease");
    this.#standing = this.#anyAgent()
      ?.standStill()
      .then(() => {
        this.#standing = undefined;
      });
  }

  async #cut(): Promise<void> {
    this.#scene.proxy.weather.cuts += this.#chance.int(1, 3);
    await this.#seen("a connection cut in the middle of a message");
  }

  async #delay(): Promise<void> {
    const { weather } = this.#scene.proxy;
    weather.delayMs = this.#chance.int(1, limits.delayMs);
    await Promise.all([pause(limits.delayMs), this.#seen("a message delayed")]);
    weather.delayMs = 0;
  }

  async #setClock(): Promise<void> {
    const ms = this.#anyShift();
    while (!this.#over.signal.aborted) {
      const { hub } = this.#lives;
      const isReady = await hub?.ready.then(
        () => true,
        () => false,
      );
      if (hub && isReady && hub.say({ kind: "shift", ms }))
        return this.#figures.fault("the clock set while the hub runs");
      await pause(limits.lookMs);
    }
  }

  async #setAgentClock(): Promise<void> {
    const agent = this.#anyAgent();
    await agent?.attached;
    agent?.say({ kind: "shift", ms: this.#anyShift() });
    this.#figures.fault("an agent's clock set while it runs");
  }

  /** Waits until the network has done it once more. */
  async #seen(fault: Fault): Promise<void> {
    const before = this.#figures.faults[fault];
    while (this.#figures.faults[fault] === before && !this.#over.signal.aborted) await pause(limits.lookMs);
  }

  #anyShift(): number {
    return this.#chance.next() < 0.5 ? limits.jumpMs : -limits.jumpMs;
  }

  #anyAgent() {
    const { agents } = this.#scene;
    return agents[this.#chance.int(0, agents.length - 1)];
  }
}
