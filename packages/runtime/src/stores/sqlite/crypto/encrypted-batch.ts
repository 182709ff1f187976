import type { Content } from "../../../ports/store.ts";
import type { BatchToWrite, TransitionToWrite } from "../format/packed-batch.ts";
import { directoryOf } from "../format/packed-contents.ts";
import { BatchEncryptor, type Slot } from "./batch-encryptor.ts";
import type { StoreCipher } from "./store-cipher.ts";

/** The columns of a journal row. */
export interface EncryptedRecords {
  readonly directory: string;
  readonly encrypted: Uint8Array;
}

/**
 * The encrypted values of a batch: the records and commands of its transitions, fleet records, held-back texts, steps, and
 * knowledge. All are encrypted before the first is written, and are read in that order.
 */
export class EncryptedBatch {
  readonly #encryptor: BatchEncryptor;
  #slots: Slot[] = [];
  #directories: string[] = [];
  #next = 0;
  #nextDirectory = 0;

  constructor(cipher: StoreCipher) {
    this.#encryptor = new BatchEncryptor(cipher);
  }

  /** Encrypts of the contents of a transition only those that `newContents` returns. */
  encrypt(batch: BatchToWrite, newContents: (transition: TransitionToWrite) => readonly Content[]): void {
    const encryptor = this.#encryptor;
    encryptor.begin();
    this.#slots = [];
    this.#directories = [];
    this.#next = 0;
    this.#nextDirectory = 0;
    for (const transition of batch.transitions) {
      const contents = newContents(transition);
      this.#directories.push(directoryOf(contents));
      this.#slots.push(encryptor.add(transition.records.text, contents));
      for (const { text } of transition.commands) this.#slots.push(encryptor.add(text));
    }
    for (const { text } of batch.fleet) this.#slots.push(encryptor.add(text));
    for (const { text } of batch.held) this.#slots.push(encryptor.add(text));
    for (const { info, value } of batch.steps) this.#slots.push(encryptor.add(info), encryptor.add(value));
    for (const { content } of batch.knowledge) this.#slots.push(encryptor.add(content));
    encryptor.encrypt();
  }

  nextRecords(): EncryptedRecords {
    return { directory: this.#directories[this.#nextDirectory++] ?? "", encrypted: this.next() };
  }

  next(): Uint8Array {
    const slot = this.#slots[this.#next++];
    if (slot === undefined) throw new RangeError("more is written than was encrypted");
    return this.#encryptor.take(slot);
  }
}
