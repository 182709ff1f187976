import { getCompileCacheDir } from "node:module";
import { Worker } from "node:worker_threads";

/**
 * Starts a worker thread. It does not inherit the compile cache by itself; with the cache it starts three times as fast.
 */
export function startThread(source: URL, workerData: unknown): Worker {
  const cache = getCompileCacheDir();
  const env = cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: cache };
  return new Worker(source, { workerData, env });
}
