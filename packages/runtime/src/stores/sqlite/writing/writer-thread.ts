/** The thread of `Writer`. It does one order after another. */
import { parentPort, workerData } from "node:worker_threads";
import { isDoubtful } from "../errors.ts";
import { unpackBatch } from "./packed-batch.ts";
import { Unpacker } from "./packer.ts";
import { hearError, type ToldError } from "./told-error.ts";
import { WriteConnection } from "./write-connection.ts";
import type { Answer, Order } from "./writer.ts";

const connection = new WriteConnection(workerData);
/** The last round in which a batch was not stored, and why. */
let failed: { readonly round: number; readonly error: ToldError } | undefined;

/** Nothing of a batch is done that stands on one that failed: it has the same error. */
function inRound(round: number, work: () => ToldError | undefined): ToldError | undefined {
  if (failed?.round === round) return failed.error;
  const error = work();
  if (error !== undefined) failed = { round, error };
  return error;
}

/** The connection in the thread of the hub may have been the one that is in doubt. */
function refuse(error: ToldError): ToldError {
  if (isDoubtful(hearError(error))) connection.abandon();
  return error;
}

parentPort?.on("message", (order: Order) => {
  if (order.kind === "write") {
    const { packed, round } = order;
    if (order.isAfterOther) connection.forget();
    const error = inRound(round, () =>
      connection.tryTo((writer) => writer.write(unpackBatch(new Unpacker(packed)))),
    );
    const answer: Answer = { packed, error };
    parentPort?.postMessage(answer, [packed]);
  } else if (order.kind === "refused") {
    const error = inRound(order.round, () => refuse(order.error));
    const answer: Answer = { packed: undefined, error };
    parentPort?.postMessage(answer);
  } else if (order.kind === "keep") {
    const { row, nodes } = order;
    const answer: Answer = {
      packed: undefined,
      error: connection.tryTo((writer) => writer.keep(row, nodes)),
    };
    parentPort?.postMessage(answer);
  } else if (order.kind === "prune") {
    let more = false;
    const error = connection.tryTo((writer) => {
      more = writer.prune(order.keep);
    });
    const answer: Answer = { packed: undefined, error, more };
    parentPort?.postMessage(answer);
  } else if (order.kind === "move-rest") {
    connection.moveRest();
    const answer: Answer = { packed: undefined, error: undefined };
    parentPort?.postMessage(answer);
  } else {
    connection.close();
    parentPort?.close();
  }
});

// The first batch need not wait for it. If it fails now, that batch is told why.
try {
  connection.open();
} catch {}
