/** The thread of `Writer`. It handles one request after another. */
import { parentPort, workerData } from "node:worker_threads";
import { fromTransferred, type TransferredError } from "../error-transfer.ts";
import { isDoubtful } from "../errors.ts";
import { unpackBatch } from "../format/packed-batch.ts";
import { Unpacker } from "../format/packer.ts";
import { WriteConnection } from "./write-connection.ts";
import type { WriterRequest, WriterResponse } from "./writer.ts";

const connection = new WriteConnection(workerData);
/** The last round in which a batch was not stored, and its error. */
let failed: { readonly round: number; readonly error: TransferredError } | undefined;

/** A batch behind a failed one of its round fails with the same error (S5). */
function inRound(round: number, work: () => TransferredError | undefined): TransferredError | undefined {
  if (failed?.round === round) return failed.error;
  const error = work();
  if (error !== undefined) failed = { round, error };
  return error;
}

/** The state of the connection in the thread of the hub may be unknown. */
function refuse(error: TransferredError): TransferredError {
  if (isDoubtful(fromTransferred(error))) connection.abandon();
  return error;
}

parentPort?.on("message", (request: WriterRequest) => {
  if (request.kind === "write") {
    const { packed, round } = request;
    if (request.isAfterOther) connection.forget();
    const error = inRound(round, () =>
      connection.tryTo((writer) => writer.write(unpackBatch(new Unpacker(packed)))),
    );
    const response: WriterResponse = { packed, error };
    parentPort?.postMessage(response, [packed]);
  } else if (request.kind === "refused") {
    const error = inRound(request.round, () => refuse(request.error));
    const response: WriterResponse = { packed: undefined, error };
    parentPort?.postMessage(response);
  } else if (request.kind === "keep") {
    const { row, nodes } = request;
    const response: WriterResponse = {
      packed: undefined,
      error: connection.tryTo((writer) => writer.keep(row, nodes)),
    };
    parentPort?.postMessage(response);
  } else if (request.kind === "prune") {
    let more = false;
    const error = connection.tryTo((writer) => {
      more = writer.prune(request.keep);
    });
    const response: WriterResponse = { packed: undefined, error, more };
    parentPort?.postMessage(response);
  } else if (request.kind === "checkpoint-rest") {
    connection.checkpointRest();
    const response: WriterResponse = { packed: undefined, error: undefined };
    parentPort?.postMessage(response);
  } else {
    connection.close();
    parentPort?.close();
  }
});

// The first batch need not wait for it. If this fails, the first batch reports the error.
try {
  connection.open();
} catch {}
