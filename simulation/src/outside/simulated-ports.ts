import type { ReferenceReader, Verifier, Workspaces } from "@baton/runtime";
import type { Watch } from "../checks/checker.ts";
import type { Sim } from "../sim.ts";
import { readRefs, runCommands, type Truths } from "./verifier.ts";
import { simulatedPlaces } from "./workspaces.ts";

/** What the hub does itself: it makes places, runs commands and reads references again. They end, or the hub ends first. */
export function ownHands(
  sim: Sim,
  watch: Watch,
  truths: Truths,
): { verifier: Verifier; references: ReferenceReader; workspaces: Workspaces } {
  const later = <Value>(delayMs: number, work: () => Value) =>
    new Promise<Value>((done) => sim.clock.after(delayMs, () => done(work())));
  return {
    workspaces: simulatedPlaces(sim, watch, later),
    verifier: {
      verify: ({ dispatchId, environment }) => {
        watch.exits.leaving("verify", dispatchId);
        return later(sim.random.int(100, 4_000), () => {
          const seen = runCommands(dispatchId, environment, truths);
          if (seen.commands.some(({ passed }) => !passed)) watch.observer.testsFailed(dispatchId);
          return seen;
        });
      },
    },
    references: {
      read: ({ refs }) => {
        watch.exits.leaving("refresh", "");
        return later(sim.random.int(10, 2_000), () => readRefs(refs, sim));
      },
    },
  };
}
