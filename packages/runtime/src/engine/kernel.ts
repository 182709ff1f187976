import { decide, decideFleet, evolve, evolveFleet } from "@baton/kernel";

/** The deciding functions of the kernel. A simulation replaces them to observe decisions or to plant faults. */
export interface Kernel {
  readonly decide: typeof decide;
  readonly evolve: typeof evolve;
  readonly decideFleet: typeof decideFleet;
  readonly evolveFleet: typeof evolveFleet;
}

export const defaultKernel: Kernel = { decide, evolve, decideFleet, evolveFleet };
