import type { Content } from "../../../ports/store.ts";
import { directoryOf } from "../packed-contents.ts";
import type { BatchToWrite, TransitionToWrite } from "../writing/packed-batch.ts";
import { BatchSealer, type Laid } from "./batch-sealer.ts";
import type { Seal } from "./seal.ts";

/** What a row of the journal holds. */
export interface SealedRecords {
  readonly directory: string;
  readonly sealed: Uint8Array;
}

/**
 * What is sealed of a batch: the records and commands of its transitions, what was decided about the fleet, and what is held
 * back. All of it is sealed before anything is written, and handed out in that order.
 */
export class SealedBatch {
  readonly #sealer: BatchSealer;
  #laid: Laid[] = [];
  #directories: string[] = [];
  #next = 0;
  #nextDirectory = 0;

  constructor(seal: Seal) {
    this.#sealer = new BatchSealer(seal);
  }

  /** Of the contents of a transition, those are sealed that the journal does not have yet. */
  seal(batch: BatchToWrite, newContents: (transition: TransitionToWrite) => readonly Content[]): void {
    const sealer = this.#sealer;
    sealer.begin();
    this.#laid = [];
    this.#directories = [];
    this.#next = 0;
    this.#nextDirectory = 0;
    for (const transition of batch.transitions) {
      const contents = newContents(transition);
      this.#directories.push(directoryOf(contents));
      this.#laid.push(sealer.lay(transition.records.text, contents));
      for (const { text } of transition.commands) this.#laid.push(sealer.lay(text));
    }
    for (const { text } of batch.fleet) this.#laid.push(sealer.lay(text));
    for (const { text } of batch.held) this.#laid.push(sealer.lay(text));
    sealer.close();
  }

  nextRecords(): SealedRecords {
    return { directory: this.#directories[this.#nextDirectory++] ?? "", sealed: this.next() };
  }

  next(): Uint8Array {
    const laid = this.#laid[this.#next++];
    if (laid === undefined) throw new RangeError("more is written than was sealed");
    return this.#sealer.take(laid);
  }
}
