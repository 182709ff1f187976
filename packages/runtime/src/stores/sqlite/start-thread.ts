import { getCompileCacheDir } from "node:module";
import { Worker } from "node:worker_threads";

/**
 * Starts a thread of the store. Where compiled sources are kept, it does not know by itself; with them it is there in a
 * third of the time.
 */
export function startThread(source: URL, workerData: unknown): Worker {
  const cache = getCompileCacheDir();
  const env = cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: cache };
  return new Worker(source, { workerData, env });
}
