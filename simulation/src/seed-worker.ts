import { parentPort, workerData } from "node:worker_threads";
import { addFigures, type Figures, noFigures } from "./figures.ts";
import { type Simulated, simulate } from "./simulate.ts";

/** The seeds of a worker. */
export interface Share {
  readonly from: number;
  readonly seeds: number;
}

export interface ShareDone {
  readonly figures: Figures;
  readonly failures: readonly Simulated[];
  readonly digests: readonly string[];
}

/** A kernel that always fails does so in the same way, so the first failures suffice. */
const mostFailures = 20;

parentPort?.postMessage(await runAll(workerData as Share));

async function runAll({ from, seeds }: Share): Promise<ShareDone> {
  const figures = noFigures();
  const failures: Simulated[] = [];
  const digests: string[] = [];
  for (let seed = from; seed < from + seeds && failures.length < mostFailures; seed++) {
    const run = await simulate(seed);
    addFigures(figures, run.figures);
    digests.push(run.digest);
    if (run.violation) failures.push(run);
  }
  return { figures, failures, digests };
}
