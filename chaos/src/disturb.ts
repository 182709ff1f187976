import { setTimeout as pause } from "node:timers/promises";
import type { Chance } from "./chance.ts";
import type { Figures } from "./figures.ts";
import { limits } from "./limits.ts";
import type { Lives } from "./lives.ts";
import type { Scene } from "./scene.ts";

export interface DisturberParts {
  readonly chance: Chance;
  readonly figures: Figures;
  /** Between two faults, at the most. */
  readonly everyMs: number;
}

/** What else goes wrong while hubs come and go: agents, the network, the clock. */
export class Disturber {
  readonly #scene: Scene;
  readonly #lives: Lives;
  readonly #chance: Chance;
  readonly #figures: Figures;
  readonly #everyMs: number;
  readonly #over = new AbortController();
  readonly #going: Promise<void>;
  #standing: Promise<void> | undefined;

  constructor(scene: Scene, lives: Lives, parts: DisturberParts) {
    this.#scene = scene;
    this.#lives = lives;
    this.#chance = parts.chance.branch();
    this.#figures = parts.figures;
    this.#everyMs = parts.everyMs;
    this.#going = this.#work();
  }

  /** Ends it, with everything as it should be again. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#going;
    await this.#standing;
    this.#scene.proxy.weather.cuts = 0;
    this.#scene.proxy.weather.delayMs = 0;
  }

  async #work(): Promise<void> {
    const { signal } = this.#over;
    const all = [
      () => this.#killAgent(),
      () => this.#stopAgent(),
      () => this.#cut(),
      () => this.#delay(),
      () => this.#setClock(),
    ] as const;
    for (let turn = 0; !signal.aborted; turn++) {
      // Each kind once, so that a short run has all of them; then as it comes.
      const disturb = turn < all.length ? all[turn] : this.#chance.pick(all);
      await disturb?.();
      await pause(this.#chance.int(0, this.#everyMs), undefined, { signal }).catch(() => {});
    }
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

  #cut(): void {
    this.#scene.proxy.weather.cuts += this.#chance.int(1, 3);
  }

  async #delay(): Promise<void> {
    const { weather } = this.#scene.proxy;
    weather.delayMs = this.#chance.int(1, limits.delayMs);
    await pause(limits.delayMs);
    weather.delayMs = 0;
  }

  #setClock(): void {
    const ms = this.#chance.next() < 0.5 ? limits.jumpMs : -limits.jumpMs;
    this.#lives.hub?.say({ kind: "shift", ms });
    this.#figures.fault("the clock set while the hub runs");
  }

  #anyAgent() {
    const { agents } = this.#scene;
    return agents[this.#chance.int(0, agents.length - 1)];
  }
}
