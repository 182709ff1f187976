import type { ReferenceReader, Verifier, Workspaces } from "@baton/runtime";
import type { Checker } from "../checks/checker.ts";
import type { Sim } from "../sim.ts";
import { type GroundTruth, readRefs, runCommands } from "./verifier.ts";
import { simulatedWorkspaces } from "./workspaces.ts";

/** The ports of the hub: workspaces, verifier and references. Their calls end, unless the hub crashes first. */
export function simulatedPorts(
  sim: Sim,
  checker: Checker,
  groundTruth: GroundTruth,
): { verifier: Verifier; references: ReferenceReader; workspaces: Workspaces } {
  const later = <Value>(delayMs: number, work: () => Value) =>
    new Promise<Value>((done) => sim.clock.after(delayMs, () => done(work())));
  return {
    workspaces: simulatedWorkspaces(sim, checker, later),
    verifier: {
      verify: ({ dispatchId, environment }) => {
        checker.durability.sending("verify", dispatchId);
        return later(sim.random.int(100, 4_000), () => {
          const seen = runCommands(dispatchId, environment, groundTruth);
          if (seen.commands.some(({ passed }) => !passed)) checker.observer.testsFailed(dispatchId);
          return seen;
        });
      },
    },
    references: {
      read: ({ refs }) => {
        checker.durability.sending("refresh", "");
        return later(sim.random.int(10, 2_000), () => readRefs(refs, sim));
      },
    },
  };
}
