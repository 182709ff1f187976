import { decide, decideFleet, evolve, evolveFleet } from "@baton/kernel";

/** What decides, and nothing else of the kernel: a simulation looks on, or puts a mistake in to see that it is found. */
export interface Kernel {
  readonly decide: typeof decide;
  readonly evolve: typeof evolve;
  readonly decideFleet: typeof decideFleet;
  readonly evolveFleet: typeof evolveFleet;
}

export const usualKernel: Kernel = { decide, evolve, decideFleet, evolveFleet };
