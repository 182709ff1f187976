/** The thread of `WalCheckpointer`. It answers each "checkpoint", and ends with "close". */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const db = new DatabaseSync(String(workerData));
db.exec("PRAGMA synchronous = FULL");
const checkpoint = db.prepare("PRAGMA wal_checkpoint(PASSIVE)");

parentPort?.on("message", (request: unknown) => {
  if (request === "checkpoint") {
    checkpoint.get();
    parentPort?.postMessage("done");
    return;
  }
  db.close();
  parentPort?.close();
});
