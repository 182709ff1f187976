/**
 * The thread of `threadAuditWorker`: it reads the store concurrently with the writer and executes one job at a time.
 */
import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { StoreUnavailable } from "../ports/store-error.ts";
import { toTransferred } from "../stores/sqlite/error-transfer.ts";
import { openSqliteStore } from "../stores/sqlite/open.ts";
import type { JobRequest, JobResponse } from "./audit-worker.ts";
import { jobsOn } from "./jobs.ts";

const directory = String(workerData);

try {
  // On Linux a priority applies to a thread; elsewhere it would apply to the hub.
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {}

let last: Promise<void> = Promise.resolve();
parentPort?.on("message", (request: JobRequest) => {
  last = last.then(() => execute(request));
});

/** Each job opens the store: a failed store must not be reused, and opening takes a fraction of a job. */
async function execute({ name, args }: JobRequest): Promise<void> {
  let response: JobResponse;
  try {
    const store = await openSqliteStore({ directory, readOnly: true });
    try {
      const job = jobsOn(store)[name] as (...given: readonly unknown[]) => Promise<unknown>;
      response = { result: await job(...args) };
    } finally {
      await store.close();
    }
  } catch (error) {
    const ofStore = error instanceof StoreUnavailable ? { ofStore: toTransferred(error, directory) } : {};
    response = { error: error instanceof Error ? error.message : String(error), ...ofStore };
  }
  parentPort?.postMessage(response);
}
