import type { Lives } from "../hub/hub-supervisor.ts";
import type { PipelineInput } from "../kernel.ts";
import type { Observer } from "../observer/observer.ts";
import type { Sim } from "../sim.ts";

/** The way of people to the hub: they wait for the answer, and try again while the hub or its store is away. */
export class Door {
  readonly #lives: Lives;
  readonly #sim: Sim;
  readonly #observer: Observer;

  constructor(lives: Lives, sim: Sim, observer: Observer) {
    this.#observer = observer;
    this.#lives = lives;
    this.#sim = sim;
  }

  call(pipelineId: string, input: PipelineInput): void {
    const replied = this.#observer.asked(pipelineId, input);
    void this.#lives.ask(pipelineId, input).then((word) => {
      replied(word);
      if (word === "down") this.#sim.clock.after(4_000, () => this.call(pipelineId, input));
    });
  }
}
