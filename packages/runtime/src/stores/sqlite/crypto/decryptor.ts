import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { StoreUnavailable } from "../../../ports/store-error.ts";
import { damage } from "../errors.ts";
import type { StoreFiles } from "../files.ts";
import { bytes, text } from "../format/columns.ts";
import { contentBytesIn } from "../format/packed-contents.ts";
import { cipherOf, isEncrypted } from "./adopt-key.ts";
import { IdCipher } from "./id-cipher.ts";
import { cipherSizes, type StoreCipher } from "./store-cipher.ts";

type Row = Record<string, SQLOutputValue>;

interface Ciphers {
  readonly values: StoreCipher;
  readonly ids: IdCipher;
}

/** The text of a journal row, and its contents. */
export interface DecryptedRow {
  readonly text: string;
  readonly contents: Uint8Array;
}

/**
 * Decrypts the values of a store. It reads the key with the first encrypted value, so that readers of lists need none. It
 * belongs to a connection.
 */
export class Decryptor {
  readonly #db: DatabaseSync;
  readonly #files: StoreFiles;
  #ciphers: Ciphers | undefined;
  #isEncrypted: boolean | undefined;

  constructor(db: DatabaseSync, files: StoreFiles) {
    this.#db = db;
    this.#files = files;
  }

  /** Why encrypted values cannot be decrypted; undefined when they can be, or when there are none. */
  get problem(): StoreUnavailable | undefined {
    try {
      if (this.#hasEncrypted()) this.#key();
      return undefined;
    } catch (error) {
      if (error instanceof StoreUnavailable) return error;
      throw error;
    }
  }

  /** The text of a row. Rows of older versions are not encrypted. */
  text(row: Row): string {
    return row.sealed === null || row.sealed === undefined
      ? text(row.text)
      : this.#decrypt(bytes(row.sealed)).toString();
  }

  /** A value that is always encrypted. */
  bytes(value: SQLOutputValue | undefined): Uint8Array {
    return new Uint8Array(this.#decrypt(bytes(value)));
  }

  /** As `text`, for a row of the journal. */
  journal(row: Row): DecryptedRow {
    if (row.sealed === null || row.sealed === undefined)
      return { text: text(row.text), contents: bytes(row.contents) };
    const opened = this.#decrypt(bytes(row.sealed));
    const middle = opened.length - contentBytesIn(text(row.directory));
    if (!(middle >= 0)) throw damage("a journal row", "its contents are not as long as it says");
    const contents = new Uint8Array(opened.buffer, opened.byteOffset + middle, opened.length - middle);
    return { text: opened.toString("utf8", 0, middle), contents };
  }

  /** The stored form of an id. */
  encryptedId(id: string): string {
    return this.#hasEncrypted() ? this.#key().ids.encrypt(id) : id;
  }

  id(value: SQLOutputValue | undefined): string {
    return this.#hasEncrypted() ? this.#key().ids.decrypt(text(value)) : text(value);
  }

  /** The id of a timer of a pipeline. */
  timerId(pipelineId: string, value: SQLOutputValue | undefined): string {
    return this.#hasEncrypted() ? this.#key().ids.decryptTimerId(pipelineId, text(value)) : text(value);
  }

  #decrypt(encrypted: Uint8Array): Buffer {
    if (encrypted.length < cipherSizes.counter) throw damage("a row", "its encrypted value is cut off");
    return this.#key().values.decrypt(encrypted);
  }

  #key(): Ciphers {
    if (this.#ciphers === undefined) {
      const values = cipherOf(this.#db, this.#files);
      this.#ciphers = { values, ids: new IdCipher(values) };
    }
    return this.#ciphers;
  }

  #hasEncrypted(): boolean {
    this.#isEncrypted ??= isEncrypted(this.#db);
    return this.#isEncrypted;
  }
}
