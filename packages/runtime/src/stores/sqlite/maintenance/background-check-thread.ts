/** The thread of `BackgroundCheck`. It ends after the last row, or with the first fault. */
import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { checkLimits } from "../../limits.ts";
import { connectToRead } from "../connection.ts";
import { Decryptor } from "../crypto/decryptor.ts";
import { toTransferred } from "../error-transfer.ts";
import type { StoreFiles } from "../files.ts";
import { RowWalk, tablesOf } from "../verify/row-walk.ts";
import type { CheckResult } from "./background-check.ts";

const files: StoreFiles = workerData;
let isStopped = false;
let wakeUp = () => {};

parentPort?.on("message", () => {
  isStopped = true;
  wakeUp();
});

try {
  // On Linux a priority applies to the thread; elsewhere to the whole process.
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);
} catch {}

const result = await lookAtAll();
// A stopped check reports faults and errors, but not that the store is sound.
if (!isStopped || result.kind === "failed" || result.faults.length > 0) parentPort?.postMessage(result);
parentPort?.close();

async function lookAtAll(): Promise<CheckResult> {
  try {
    return { kind: "faults", faults: await findFirstFaults() };
  } catch (error) {
    return { kind: "failed", error: toTransferred(error, files.database) };
  }
}

/** The faults of the first step that finds any: then a full check is due. */
async function findFirstFaults(): Promise<readonly string[]> {
  const db = connectToRead(files);
  const decryptor = new Decryptor(db, files);
  try {
    for (const table of tablesOf(db)) {
      const walk = new RowWalk(db, table, decryptor);
      for (let above: number | undefined = 0; above !== undefined; ) {
        const start = performance.now();
        const { faults, last } = walk.look(above);
        if (faults.length > 0) return faults;
        above = last;
        await rest((performance.now() - start) * checkLimits.pauseFactor);
        if (isStopped) return [];
      }
    }
    return [];
  } finally {
    db.close();
  }
}

/** Meanwhile a request to stop can arrive. */
function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    wakeUp = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
