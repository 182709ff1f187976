/** The thread of `LateCheck`. It ends by itself when it has seen everything, or when it has found something. */
import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { checkLimits } from "../../limits.ts";
import { connectToRead } from "../connection.ts";
import type { StoreFiles } from "../files.ts";
import { Opener } from "../sealing/opener.ts";
import { tellError } from "../writing/told-error.ts";
import type { Told } from "./late-check.ts";
import { RowWalk, tablesOf } from "./row-walk.ts";

const files: StoreFiles = workerData;
let isStopped = false;
let wakeUp = () => {};

parentPort?.on("message", () => {
  isStopped = true;
  wakeUp();
});

try {
  // On Linux a priority belongs to a thread. Elsewhere it would be that of the hub.
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);
} catch {}

const told = await lookAtAll();
// What was found is told also when it was told to stop meanwhile; that nothing was found would not be true then.
if (!isStopped || told.kind === "failed" || told.faults.length > 0) parentPort?.postMessage(told);
parentPort?.close();

async function lookAtAll(): Promise<Told> {
  try {
    return { kind: "faults", faults: await findFirstFaults() };
  } catch (error) {
    return { kind: "failed", error: tellError(error, files.database) };
  }
}

/** Those of the first page that has any: where there is one, a check of everything is due. */
async function findFirstFaults(): Promise<readonly string[]> {
  const db = connectToRead(files);
  const opener = new Opener(db, files);
  try {
    for (const table of tablesOf(db)) {
      const walk = new RowWalk(db, table, opener);
      for (let above: number | undefined = 0; above !== undefined; ) {
        const start = performance.now();
        const { faults, last } = walk.look(above);
        if (faults.length > 0) return faults;
        above = last;
        await rest((performance.now() - start) * checkLimits.restsPerLook);
        if (isStopped) return [];
      }
    }
    return [];
  } finally {
    db.close();
  }
}

/** Also lets a wish to stop come in. */
function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    wakeUp = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
