import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { addFigures, type Figures, noFigures } from "./figures.ts";
import type { Share, ShareDone } from "./seed-worker.ts";
import type { Simulated } from "./simulate.ts";

export interface RunAll {
  readonly figures: Figures;
  readonly failures: readonly Simulated[];
  readonly tookMs: number;
  /** Combines the digests of all seeds in order; independent of the number of workers. */
  readonly digest: string;
}

/** Runs many seeds, one worker per processor. The worker does not influence the seed. */
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
      // A run leaves only garbage: with a large young generation little is copied.
      resourceLimits: { maxYoungGenerationSizeMb: 96 },
    });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`a worker exited with ${code} before it answered`)));
  });
}

/** A positional sum of 16-digit digests is enough to distinguish runs. */
function combine(digests: readonly string[]): string {
  let sum = 0n;
  for (const digest of digests) sum = BigInt.asUintN(64, sum * 31n + BigInt(`0x${digest}`));
  return sum.toString(16).padStart(16, "0");
}
