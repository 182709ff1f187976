/** The thread of `Writer`. It has the only connection that writes, and does one order after another. */
import type { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { BatchWriter } from "../batch-writer.ts";
import { connectToWrite } from "../connection.ts";
import { isDoubtful } from "../errors.ts";
import type { StoreFiles } from "../files.ts";
import { sealOf } from "../sealing/adopt-key.ts";
import { unpackBatch } from "./packed-batch.ts";
import { Unpacker } from "./packer.ts";
import { hearError, type ToldError, tellError } from "./told-error.ts";
import type { Answer, Order } from "./writer.ts";

interface Connection {
  readonly db: DatabaseSync;
  readonly writer: BatchWriter;
}

const files: StoreFiles = workerData;
let connection: Connection | undefined;
/** The last round in which a batch was not stored, and why. */
let failed: { readonly round: number; readonly error: ToldError } | undefined;

function connect(): Connection {
  const db = connectToWrite(files);
  try {
    return { db, writer: new BatchWriter(db, sealOf(db, files)) };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The error, when there is one; then nothing of it is stored. */
function tryTo(work: (writer: BatchWriter) => void): ToldError | undefined {
  try {
    connection ??= connect();
    work(connection.writer);
    return undefined;
  } catch (error) {
    const told = tellError(error, files.directory);
    if (isDoubtful(hearError(told)) || connection?.db.isTransaction) abandon();
    return told;
  }
}

function write(packed: ArrayBuffer): ToldError | undefined {
  return tryTo((writer) => writer.write(unpackBatch(new Unpacker(packed))));
}

/** Nothing of a batch is done that stands on one that failed: it has the same error. */
function inRound(round: number, work: () => ToldError | undefined): ToldError | undefined {
  if (failed?.round === round) return failed.error;
  const error = work();
  if (error !== undefined) failed = { round, error };
  return error;
}

/** What comes next opens the file again. Why is told already, so a second error on the way out is not. */
function abandon(): void {
  const abandoned = connection;
  connection = undefined;
  try {
    abandoned?.db.close();
  } catch {}
}

/** Nothing depends on it: commits move a log that becomes long. */
function moveRest(): void {
  try {
    connection?.db.exec("PRAGMA wal_checkpoint(PASSIVE)");
  } catch {}
}

parentPort?.on("message", (order: Order) => {
  if (order.kind === "write") {
    const { packed, round } = order;
    const answer: Answer = { packed, error: inRound(round, () => write(packed)) };
    parentPort?.postMessage(answer, [packed]);
  } else if (order.kind === "refused") {
    const answer: Answer = { packed: undefined, error: inRound(order.round, () => order.error) };
    parentPort?.postMessage(answer);
  } else if (order.kind === "keep") {
    const { row, nodes } = order;
    const answer: Answer = { packed: undefined, error: tryTo((writer) => writer.keep(row, nodes)) };
    parentPort?.postMessage(answer);
  } else if (order.kind === "prune") {
    let more = false;
    const error = tryTo((writer) => {
      more = writer.prune(order.keep);
    });
    const answer: Answer = { packed: undefined, error, more };
    parentPort?.postMessage(answer);
  } else if (order.kind === "move-rest") moveRest();
  else {
    connection?.db.close();
    parentPort?.close();
  }
});

// The first batch need not wait for it. If it fails now, that batch is told why.
try {
  connection = connect();
} catch {}
