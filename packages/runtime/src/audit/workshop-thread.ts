/** The thread of `workshopInThread`: it reads the store beside whoever writes, and does one job after another. */
import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { StoreUnavailable } from "../ports/store-error.ts";
import { openSqliteStore } from "../stores/sqlite/open.ts";
import { tellError } from "../stores/sqlite/writing/told-error.ts";
import { jobsOn } from "./jobs.ts";
import type { Answer, Order } from "./workshop.ts";

const directory = String(workerData);

try {
  // On Linux a priority belongs to a thread. Elsewhere it would be that of the hub.
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {}

let last: Promise<void> = Promise.resolve();
parentPort?.on("message", (order: Order) => {
  last = last.then(() => carryOut(order));
});

/** A store is opened for each job: one that failed must not be held on to, and opening it takes a fraction of a job. */
async function carryOut({ id, name, args }: Order): Promise<void> {
  let answer: Answer;
  try {
    const store = await openSqliteStore({ directory, readOnly: true });
    try {
      const job = jobsOn(store)[name] as (...given: readonly unknown[]) => Promise<unknown>;
      answer = { id, result: await job(...args) };
    } finally {
      await store.close();
    }
  } catch (error) {
    const told = error instanceof StoreUnavailable ? { told: tellError(error, directory) } : {};
    answer = { id, error: error instanceof Error ? error.message : String(error), ...told };
  }
  parentPort?.postMessage(answer);
}
