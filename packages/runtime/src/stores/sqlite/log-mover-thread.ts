/** The thread of `LogMover`. Asked to move, it moves what is in the log and answers; asked to close, it ends. */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const db = new DatabaseSync(String(workerData));
db.exec("PRAGMA synchronous = FULL");
const move = db.prepare("PRAGMA wal_checkpoint(PASSIVE)");

parentPort?.on("message", (wish: unknown) => {
  if (wish === "move") {
    move.get();
    parentPort?.postMessage("moved");
    return;
  }
  db.close();
  parentPort?.close();
});
