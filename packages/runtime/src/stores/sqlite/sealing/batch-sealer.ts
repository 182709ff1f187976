import { randomFillSync } from "node:crypto";
import type { Content } from "../../../ports/store.ts";
import { packingSizes } from "../../limits.ts";
import { type Seal, sealSizes } from "./seal.ts";

const block = sealSizes.counter;
const nothing: Buffer = Buffer.alloc(0);
/** Far from where the counter of a nonce would begin anew: 16 GiB. */
const mostBlocks = 2 ** 30;

/** Where a value lies, with the room for its counter in front of it. */
export interface Laid {
  readonly start: number;
  readonly end: number;
}

/**
 * Seals the values of a batch with one call of the cipher: they are laid one after another, each at the beginning of a block,
 * and what is in front of each is where its counter stands by then. The counter goes on from batch to batch, and begins again
 * with a new nonce: no part of it is used twice, also when a batch is not stored in the end.
 */
export class BatchSealer {
  readonly #seal: Seal;
  /** A nonce, and room for a number of blocks. */
  readonly #counter = Buffer.alloc(sealSizes.counter);
  #cipher: ((blocks: Uint8Array) => Buffer) | undefined;
  /** Blocks of this nonce that were used before the batch. */
  #used = 0;
  #plain = Buffer.allocUnsafeSlow(packingSizes.usual);
  #end = 0;
  #sealed = nothing;

  constructor(seal: Seal) {
    this.#seal = seal;
  }

  /** Forgets what was laid for the batch before. */
  begin(): void {
    this.#used += this.#sealed.length / block;
    this.#sealed = nothing;
    this.#end = 0;
    if (this.#plain.length > packingSizes.mostKept) this.#plain = Buffer.allocUnsafeSlow(packingSizes.usual);
  }

  /** One value: a text, and contents behind it. */
  lay(text: Uint8Array, contents: readonly Content[] = []): Laid {
    const start = this.#end;
    let length = block + text.length;
    for (const { bytes } of contents) length += bytes.length;
    this.#reserve(start + length + block);
    let at = start + block;
    this.#plain.set(text, at);
    at += text.length;
    for (const { bytes } of contents) {
      this.#plain.set(bytes, at);
      at += bytes.length;
    }
    this.#end = Math.ceil(at / block) * block;
    return { start, end: at };
  }

  /** Seals everything that was laid. */
  close(): void {
    if (this.#end === 0) return;
    if (this.#used + this.#end / block > mostBlocks) this.#cipher = undefined;
    this.#cipher ??= this.#newCipher();
    this.#sealed = this.#cipher(this.#plain.subarray(0, this.#end));
  }

  /** What is stored of a value. */
  take({ start, end }: Laid): Uint8Array {
    this.#counter.copy(this.#sealed, start);
    this.#sealed.writeUInt32BE(this.#used + start / block + 1, start + sealSizes.nonce);
    return this.#sealed.subarray(start, end);
  }

  #newCipher(): (blocks: Uint8Array) => Buffer {
    this.#used = 0;
    randomFillSync(this.#counter, 0, sealSizes.nonce);
    return this.#seal.sealerFrom(this.#counter);
  }

  #reserve(needed: number): void {
    if (needed <= this.#plain.length) return;
    const larger = Buffer.allocUnsafeSlow(needed * 2);
    larger.set(this.#plain.subarray(0, this.#end));
    this.#plain = larger;
  }
}
