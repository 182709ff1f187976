/** The thread that `runInThread` starts. It gets a task, answers once, and ends. */
import { backup } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { findAllFaults } from "./checking/find-faults.ts";
import { connectToRead } from "./connection.ts";
import type { Task } from "./run-in-thread.ts";
import { Opener } from "./sealing/opener.ts";

/** As many pages as there can be at once: they are of one instant, whatever a hub commits meanwhile. */
const allPages = 2 ** 31 - 1;

const task: Task = workerData;
const db = connectToRead(task.files);
try {
  if (task.kind === "check") parentPort?.postMessage(findAllFaults(db, new Opener(db, task.files)));
  else parentPort?.postMessage(await backup(db, task.path, { rate: allPages }));
} finally {
  db.close();
}
