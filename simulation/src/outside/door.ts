import type { Hub, Taken } from "../hub/hub.ts";
import type { PipelineInput } from "../kernel.ts";
import type { Sim } from "../sim.ts";
import type { Network } from "./network.ts";

/** The way of agents and people to the hub. */
export class Door {
  private readonly hub: Hub;
  private readonly network: Network;
  private readonly sim: Sim;

  constructor(hub: Hub, network: Network, sim: Sim) {
    this.hub = hub;
    this.network = network;
    this.sim = sim;
  }

  /** Over the network; `taken` is told when the hub's word of it comes back, if it ever does. */
  message(dispatchId: string, input: PipelineInput, taken: () => void = () => {}): void {
    const pipelineId = dispatchId.slice(0, dispatchId.indexOf("/"));
    this.network.carry(`${input.type} ${dispatchId}`, () => this.arrive(pipelineId, input, taken));
  }

  private arrive(pipelineId: string, input: PipelineInput, taken: () => void): void {
    const word = this.hub.give(pipelineId, input);
    if (word !== "down") this.network.carry("acknowledgement", taken);
    // What was under way when the hub stopped may wait in a buffer, or be gone.
    else if (!this.sim.faults.strikes("message lost with the hub")) {
      this.sim.clock.after(3_000, () => this.arrive(pipelineId, input, taken));
    }
  }

  /** A person's call: it is answered at once, and tried again while the hub is away. */
  call(pipelineId: string, input: PipelineInput): Taken {
    const word = this.hub.give(pipelineId, input);
    if (word === "down") this.sim.clock.after(4_000, () => this.call(pipelineId, input));
    return word;
  }

  /** Heartbeats are not repeated: the next one comes anyway. */
  heartbeat(work: (hub: Hub) => void): void {
    this.network.carry("heartbeat", () => work(this.hub));
  }
}
