import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { addFigures, type Figures, noFigures } from "./figures.ts";
import type { Share, ShareDone } from "./seed-worker.ts";
import type { Simulated } from "./simulate.ts";

export interface RunAll {
  readonly figures: Figures;
  readonly failures: readonly Simulated[];
  readonly tookMs: number;
  /** Of the digests of all seeds, in their order: the same seeds give the same, however many workers there were. */
  readonly digest: string;
}

/** Runs many seeds, a worker a processor. Which worker runs a seed makes no difference to the seed. */
export async function runSeeds(
  from: number,
  seeds: number,
  workers = availableParallelism(),
): Promise<RunAll> {
  const began = performance.now();
  const count = Math.max(1, Math.min(workers, seeds));
  const shares = Array.from({ length: count }, (_, place): Share => {
    const first = from + Math.floor((seeds * place) / count);
    return { from: first, seeds: from + Math.floor((seeds * (place + 1)) / count) - first };
  });
  const done = await Promise.all(shares.map(runShare));
  const figures = noFigures();
  for (const share of done) addFigures(figures, share.figures);
  return {
    figures,
    failures: done.flatMap(({ failures }) => failures),
    tookMs: performance.now() - began,
    digest: combine(done.flatMap(({ digests }) => digests)),
  };
}

function runShare(share: Share): Promise<ShareDone> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./seed-worker.ts", import.meta.url), {
      workerData: share,
      // All of a run is garbage at its end: with room for it, the collector has little to keep.
      resourceLimits: { maxYoungGenerationSizeMb: 96 },
    });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`a worker ended with ${code} and without an answer`)));
  });
}

/** Sixteen digits each: adding them up with their place in mind is enough to tell two runs apart. */
function combine(digests: readonly string[]): string {
  let sum = 0n;
  for (const digest of digests) sum = BigInt.asUintN(64, sum * 31n + BigInt(`0x${digest}`));
  return sum.toString(16).padStart(16, "0");
}
