import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { StoreUnavailable } from "../../../ports/store-error.ts";
import { bytes, text } from "../columns.ts";
import { damage } from "../errors.ts";
import type { StoreFiles } from "../files.ts";
import { contentBytesIn } from "../packed-contents.ts";
import { isSealed, sealOf } from "./adopt-key.ts";
import { KnownIds } from "./known-ids.ts";
import { type Seal, sealSizes } from "./seal.ts";

type Row = Record<string, SQLOutputValue>;

/** The text of a journal row, and the contents behind it. */
export interface OpenedRow {
  readonly text: string;
  readonly contents: Uint8Array;
}

/**
 * Opens what is sealed in a store, with the key that it reads when the first sealed value comes: whoever only reads what is
 * shown to people needs none. It belongs to a connection.
 */
export class Opener {
  readonly #db: DatabaseSync;
  readonly #files: StoreFiles;
  #opened: { readonly seal: Seal; readonly ids: KnownIds } | undefined;
  #isSealed: boolean | undefined;

  constructor(db: DatabaseSync, files: StoreFiles) {
    this.#db = db;
    this.#files = files;
  }

  /** Why nothing can be opened that is sealed; undefined when it can be, or when nothing is. */
  get problem(): StoreUnavailable | undefined {
    try {
      if (this.#hasSeals()) this.#key();
      return undefined;
    } catch (error) {
      if (error instanceof StoreUnavailable) return error;
      throw error;
    }
  }

  /** The text of a row, which rows of earlier versions have in the clear. */
  text(row: Row): string {
    return row.sealed === null || row.sealed === undefined
      ? text(row.text)
      : this.#open(bytes(row.sealed)).toString();
  }

  /** The same of a row of the journal. */
  journal(row: Row): OpenedRow {
    if (row.sealed === null || row.sealed === undefined)
      return { text: text(row.text), contents: bytes(row.contents) };
    const opened = this.#open(bytes(row.sealed));
    const middle = opened.length - contentBytesIn(text(row.directory));
    if (!(middle >= 0)) throw damage("a journal row", "its contents are not as long as it says");
    const contents = new Uint8Array(opened.buffer, opened.byteOffset + middle, opened.length - middle);
    return { text: opened.toString("utf8", 0, middle), contents };
  }

  id(value: SQLOutputValue | undefined): string {
    return this.#hasSeals() ? this.#key().ids.opened(text(value)) : text(value);
  }

  /** The id of a timer of a pipeline. */
  timerId(pipelineId: string, value: SQLOutputValue | undefined): string {
    return this.#hasSeals() ? this.#key().ids.openedOf(pipelineId, text(value)) : text(value);
  }

  #open(sealed: Uint8Array): Buffer {
    if (sealed.length < sealSizes.counter) throw damage("a row", "what is sealed in it was cut off");
    return this.#key().seal.open(sealed);
  }

  #key(): { readonly seal: Seal; readonly ids: KnownIds } {
    if (this.#opened === undefined) {
      const seal = sealOf(this.#db, this.#files);
      this.#opened = { seal, ids: new KnownIds(seal) };
    }
    return this.#opened;
  }

  #hasSeals(): boolean {
    this.#isSealed ??= isSealed(this.#db);
    return this.#isSealed;
  }
}
