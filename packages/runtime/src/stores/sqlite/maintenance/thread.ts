/** The thread of `runInThread`. */
import { backup } from "node:sqlite";
import { parentPort } from "node:worker_threads";
import { connectToRead } from "../connection.ts";
import { Decryptor } from "../crypto/decryptor.ts";
import { findAllFaults } from "../verify/find-faults.ts";
import type { Task } from "./run-in-thread.ts";

/** All pages in one step, so that the copy is one snapshot. */
const allPages = 2 ** 31 - 1;

parentPort?.on("message", async (task: Task) => {
  const db = connectToRead(task.files);
  try {
    if (task.kind === "check") parentPort?.postMessage(findAllFaults(db, new Decryptor(db, task.files)));
    else parentPort?.postMessage(await backup(db, task.path, { rate: allPages }));
  } finally {
    db.close();
  }
});
