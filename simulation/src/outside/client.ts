import type { HubSupervisor } from "../hub/hub-supervisor.ts";
import type { PipelineInput } from "../kernel.ts";
import type { Observer } from "../observer/observer.ts";
import type { Sim } from "../sim.ts";

/** A client that repeats its call while the hub or its store is unavailable. */
export class RetryingClient {
  readonly #supervisor: HubSupervisor;
  readonly #sim: Sim;
  readonly #observer: Observer;

  constructor(supervisor: HubSupervisor, sim: Sim, observer: Observer) {
    this.#observer = observer;
    this.#supervisor = supervisor;
    this.#sim = sim;
  }

  call(pipelineId: string, input: PipelineInput): void {
    const replied = this.#observer.asked(pipelineId, input);
    void this.#supervisor.submit(pipelineId, input).then((word) => {
      replied(word);
      if (word === "down") this.#sim.clock.after(4_000, () => this.call(pipelineId, input));
    });
  }
}
