import type { Clock } from "@baton/runtime";
import type { Sim } from "../sim.ts";

/** Virtual time as one life of the hub has it: nothing rings for a hub that is dead. */
export function lifeClock({ clock }: Sim, isOver: () => boolean): Clock {
  const after = (delayMs: number, callback: () => void) =>
    clock.after(delayMs, () => {
      if (!isOver()) callback();
    });
  return {
    nowMs: () => clock.nowMs,
    after,
    // What comes in at the same moment comes in first.
    soon: (callback) => void after(0, callback),
  };
}
