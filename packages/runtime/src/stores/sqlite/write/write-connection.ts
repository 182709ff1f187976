import type { DatabaseSync } from "node:sqlite";
import { type ConnectionLimits, connectToWrite } from "../connection.ts";
import { cipherOf } from "../crypto/adopt-key.ts";
import { fromTransferred, type TransferredError, toTransferred } from "../error-transfer.ts";
import { isDoubtful } from "../errors.ts";
import type { StoreFiles } from "../files.ts";
import { BatchWriter } from "./batch-writer.ts";

interface Connection {
  readonly db: DatabaseSync;
  readonly writer: BatchWriter;
}

/** A connection for writing. It opens with the first write, and again after an error that left its state unknown. */
export class WriteConnection {
  readonly #files: StoreFiles;
  readonly #limits: ConnectionLimits | undefined;
  #connection: Connection | undefined;

  constructor(files: StoreFiles, limits?: ConnectionLimits) {
    this.#files = files;
    this.#limits = limits;
  }

  open(): void {
    this.#connection ??= this.#connect();
  }

  /** Returns the error; then nothing is stored. */
  tryTo(work: (writer: BatchWriter) => void): TransferredError | undefined {
    try {
      this.#connection ??= this.#connect();
      work(this.#connection.writer);
      return undefined;
    } catch (error) {
      const transferred = toTransferred(error, this.#files.directory);
      if (isDoubtful(fromTransferred(transferred)) || this.#connection?.db.isTransaction) this.abandon();
      return transferred;
    }
  }

  /** To be called after another connection has written. */
  forget(): void {
    this.#connection?.writer.forget();
  }

  /** The next write opens the file again. The first error is reported already, so that errors of closing are ignored. */
  abandon(): void {
    const abandoned = this.#connection;
    this.#connection = undefined;
    try {
      abandoned?.db.close();
    } catch {}
  }

  /** Errors are ignored: commits checkpoint a log that becomes long. */
  checkpointRest(): void {
    try {
      this.#connection?.db.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {}
  }

  close(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.db.close();
  }

  #connect(): Connection {
    const db = connectToWrite(this.#files, this.#limits);
    try {
      return { db, writer: new BatchWriter(db, cipherOf(db, this.#files)) };
    } catch (error) {
      db.close();
      throw error;
    }
  }
}
