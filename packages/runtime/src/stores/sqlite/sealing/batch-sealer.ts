import { randomFillSync } from "node:crypto";
import type { Content } from "../../../ports/store.ts";
import { packingSizes } from "../../limits.ts";
import { type Seal, sealSizes } from "./seal.ts";

const block = sealSizes.counter;
/** Asking for random bytes costs the same for a few and for many. */
const noncesAtOnce = 512;

/** Where a value lies, with the room for its counter in front of it. */
export interface Laid {
  readonly start: number;
  readonly end: number;
}

/**
 * Seals the values of a batch with one call of the cipher: they are laid one after another, each at the beginning of a block,
 * and what is in front of each is where its counter stands by then.
 */
export class BatchSealer {
  readonly #seal: Seal;
  readonly #nonces = Buffer.alloc(noncesAtOnce * sealSizes.nonce);
  #nextNonce = noncesAtOnce;
  #plain = Buffer.allocUnsafeSlow(packingSizes.usual);
  #end = 0;
  #counter = Buffer.alloc(block);
  #sealed: Buffer = Buffer.alloc(0);

  constructor(seal: Seal) {
    this.#seal = seal;
  }

  /** Forgets what was laid for the batch before. */
  begin(): void {
    this.#end = 0;
    this.#sealed = Buffer.alloc(0);
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
    const nonce = this.#nonce();
    this.#counter.fill(0);
    this.#counter.set(nonce);
    this.#sealed = this.#seal.sealFrom(this.#counter, this.#plain.subarray(0, this.#end));
  }

  /** What is stored of a value. */
  take({ start, end }: Laid): Uint8Array {
    this.#sealed.set(this.#counter, start);
    this.#sealed.writeUInt32BE(start / block + 1, start + sealSizes.nonce);
    return this.#sealed.subarray(start, end);
  }

  #nonce(): Uint8Array {
    if (this.#nextNonce === noncesAtOnce) {
      randomFillSync(this.#nonces);
      this.#nextNonce = 0;
    }
    const start = this.#nextNonce++ * sealSizes.nonce;
    return this.#nonces.subarray(start, start + sealSizes.nonce);
  }

  #reserve(needed: number): void {
    if (needed <= this.#plain.length) return;
    const larger = Buffer.allocUnsafeSlow(needed * 2);
    larger.set(this.#plain.subarray(0, this.#end));
    this.#plain = larger;
  }
}
