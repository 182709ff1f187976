import type { DatabaseSync } from "node:sqlite";
import type { Store } from "../../ports/store.ts";
import { StoreUnavailable } from "../../ports/store-error.ts";
import { storeReads } from "../reads.ts";
import { validateBatch, validateCheckpoint } from "../validate.ts";
import { asStoreError, isDoubtful } from "./errors.ts";
import type { StoreFiles } from "./files.ts";
import { backupSqlite } from "./maintenance/backup.ts";
import { checkSqlite } from "./maintenance/check.ts";
import { ReadConnection } from "./read/read-connection.ts";
import { Writer } from "./write/writer.ts";

/** What a store needs to open its file, again after an error of the disk. */
interface Access {
  readonly files: StoreFiles;
  readonly isReadOnly: boolean;
  readonly inlineAfter: number;
  /** Opens the connection for reading; before that for writing. */
  connect(): DatabaseSync;
  /** Closes other users of the file, since the last one to close it empties the log. */
  stopChecking(): Promise<void>;
  /** Releases the lock. */
  release(): void;
}

/** Reads in this thread; `Writer` writes. */
export function sqliteStore({ files, isReadOnly, inlineAfter, ...access }: Access): Store {
  const { directory } = files;
  const reads = new ReadConnection(files, () => access.connect());
  const writer = isReadOnly ? undefined : new Writer(files, inlineAfter);
  let isClosed = false;

  const refuseClosed = (): void => {
    if (!isClosed) return;
    throw new StoreUnavailable("BATON-STORE-006", `the store ${directory} was closed`, {
      fix: "start the hub again; what was committed is there",
      mayPass: false,
    });
  };
  const read: ReadConnection["use"] = (work) => {
    refuseClosed();
    return reads.use(work);
  };
  const write = async <Result>(work: (writer: Writer) => Promise<Result>): Promise<Result> => {
    refuseClosed();
    if (writer === undefined) throw openedToRead(directory);
    try {
      return await work(writer);
    } catch (error) {
      const converted = asStoreError(error, directory);
      if (isDoubtful(converted)) reads.abandon();
      throw converted;
    }
  };

  return {
    ...storeReads(read),

    commit: (batch) =>
      write((writer) =>
        writer.write(batch, () => {
          validateBatch(batch);
          // After an error of the disk the store is checked again before the next write.
          reads.reopen();
        }),
      ),

    async keepCheckpoint(row, nodes) {
      validateCheckpoint(row, nodes);
      await write((writer) => writer.keep(row, nodes));
    },

    prune: (keep) => write((writer) => writer.prune(keep)),

    async *openJournals() {
      const numbers = read((reader) => reader.openPipelines());
      for (let start = 0; start < numbers.length; ) {
        const { journals, next } = read((reader) => reader.openJournals(numbers, start));
        start = next;
        if (journals.length > 0) yield journals;
      }
    },

    async *fleet() {
      for (let after = 0; ; ) {
        const { rows, last } = read((reader) => reader.fleet(after));
        if (rows.length === 0) return;
        yield rows;
        after = last;
      }
    },

    async backup(path) {
      refuseClosed();
      await backupSqlite(directory, path, files.key);
    },

    async check() {
      refuseClosed();
      return checkSqlite(directory, files.key);
    },

    async close() {
      if (isClosed) return;
      isClosed = true;
      try {
        await access.stopChecking();
        await writer?.close();
        reads.close();
      } catch (error) {
        throw asStoreError(error, directory);
      } finally {
        access.release();
      }
    },
  };
}

function openedToRead(directory: string): StoreUnavailable {
  return new StoreUnavailable("BATON-STORE-005", `the store ${directory} was opened for reading`, {
    fix: "open it for writing",
    mayPass: false,
  });
}
