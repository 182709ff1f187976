import type { DatabaseSync } from "node:sqlite";
import { BatchWriter } from "../batch-writer.ts";
import { connectToWrite, type WriteRoom } from "../connection.ts";
import { isDoubtful } from "../errors.ts";
import type { StoreFiles } from "../files.ts";
import { sealOf } from "../sealing/adopt-key.ts";
import { hearError, type ToldError, tellError } from "./told-error.ts";

interface Connection {
  readonly db: DatabaseSync;
  readonly writer: BatchWriter;
}

/** A connection that writes. It is opened with the first write, and again after one that left it in doubt. */
export class WriteConnection {
  readonly #files: StoreFiles;
  readonly #room: WriteRoom | undefined;
  #connection: Connection | undefined;

  constructor(files: StoreFiles, room?: WriteRoom) {
    this.#files = files;
    this.#room = room;
  }

  open(): void {
    this.#connection ??= this.#connect();
  }

  /** The error, when there is one; then nothing of it is stored. */
  tryTo(work: (writer: BatchWriter) => void): ToldError | undefined {
    try {
      this.#connection ??= this.#connect();
      work(this.#connection.writer);
      return undefined;
    } catch (error) {
      const told = tellError(error, this.#files.directory);
      if (isDoubtful(hearError(told)) || this.#connection?.db.isTransaction) this.abandon();
      return told;
    }
  }

  /** Another connection has written since. */
  forget(): void {
    this.#connection?.writer.forget();
  }

  /** What comes next opens the file again. Why is told already, so a second error on the way out is not. */
  abandon(): void {
    const abandoned = this.#connection;
    this.#connection = undefined;
    try {
      abandoned?.db.close();
    } catch {}
  }

  /** Nothing depends on it: commits move a log that becomes long. */
  moveRest(): void {
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
    const db = connectToWrite(this.#files, this.#room);
    try {
      return { db, writer: new BatchWriter(db, sealOf(db, this.#files)) };
    } catch (error) {
      db.close();
      throw error;
    }
  }
}
