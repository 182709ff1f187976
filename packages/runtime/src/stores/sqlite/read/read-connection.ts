import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Decryptor } from "../crypto/decryptor.ts";
import { asStoreError, isDoubtful } from "../errors.ts";
import type { StoreFiles } from "../files.ts";
import { Reader } from "./reader.ts";

interface Connection {
  readonly db: DatabaseSync;
  readonly reader: Reader;
  readonly begin: StatementSync;
  readonly end: StatementSync;
}

/** The connection for reading. It opens again after an error that left its state unknown. */
export class ReadConnection {
  readonly #files: StoreFiles;
  readonly #open: () => DatabaseSync;
  #connection: Connection | undefined;

  constructor(files: StoreFiles, open: () => DatabaseSync) {
    this.#files = files;
    this.#open = open;
    this.reopen();
  }

  /** Opens the file, which checks it, unless it is open. */
  reopen(): void {
    if (this.#connection === undefined) this.use(() => {});
  }

  /**
   * A read sees one snapshot: SQLite makes a batch visible to other connections when it is durable, as a whole. Another
   * connection may write between two statements.
   */
  use<Result>(read: (reader: Reader) => Result): Result {
    try {
      this.#connection ??= this.#connect();
      const { db, reader, begin, end } = this.#connection;
      begin.run();
      try {
        return read(reader);
      } finally {
        if (db.isTransaction) end.run();
      }
    } catch (error) {
      const converted = asStoreError(error, this.#files.directory);
      if (isDoubtful(converted) || this.#connection?.db.isTransaction) this.abandon();
      throw converted;
    }
  }

  /** The next read opens the file again. The first error is reported already, so that errors of closing are ignored. */
  abandon(): void {
    try {
      this.close();
    } catch {}
  }

  close(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.db.close();
  }

  #connect(): Connection {
    const db = this.#open();
    const [begin, end] = [db.prepare("BEGIN"), db.prepare("COMMIT")];
    return { db, reader: new Reader(db, new Decryptor(db, this.#files)), begin, end };
  }
}
