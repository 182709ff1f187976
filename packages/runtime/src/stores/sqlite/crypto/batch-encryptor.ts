import { randomFillSync } from "node:crypto";
import type { Content } from "../../../ports/store.ts";
import { packingSizes } from "../../limits.ts";
import { cipherSizes, type StoreCipher } from "./store-cipher.ts";

const block = cipherSizes.counter;
const nothing: Buffer = Buffer.alloc(0);
/** 16 GiB, far below the overflow of the block counter. */
const maxBlocks = 2 ** 30;

/** The position of a value, with space for its counter in front. */
export interface Slot {
  readonly start: number;
  readonly end: number;
}

/**
 * Encrypts the values of a batch with one call of the cipher. Each value begins at a block, behind its initial counter. The
 * counter continues from batch to batch and restarts with a new nonce, so that no counter is used twice, even when a batch is
 * not stored.
 */
export class BatchEncryptor {
  readonly #key: StoreCipher;
  /** The nonce and the block counter. */
  readonly #counter = Buffer.alloc(cipherSizes.counter);
  #cipher: ((blocks: Uint8Array) => Buffer) | undefined;
  /** Blocks used with this nonce before the batch. */
  #used = 0;
  #plain = Buffer.allocUnsafeSlow(packingSizes.initial);
  #end = 0;
  #encrypted = nothing;

  constructor(key: StoreCipher) {
    this.#key = key;
  }

  /** Discards the values of the previous batch. */
  begin(): void {
    this.#used += this.#encrypted.length / block;
    this.#encrypted = nothing;
    this.#end = 0;
    if (this.#plain.length > packingSizes.maxKept) this.#plain = Buffer.allocUnsafeSlow(packingSizes.initial);
  }

  /** Adds a value: a text, followed by contents. */
  add(text: Uint8Array, contents: readonly Content[] = []): Slot {
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

  /** Encrypts all values of the batch. */
  encrypt(): void {
    if (this.#end === 0) return;
    if (this.#used + this.#end / block > maxBlocks) this.#cipher = undefined;
    this.#cipher ??= this.#newCipher();
    this.#encrypted = this.#cipher(this.#plain.subarray(0, this.#end));
  }

  /** The stored form of a value: its counter and its ciphertext. */
  take({ start, end }: Slot): Uint8Array {
    this.#counter.copy(this.#encrypted, start);
    this.#encrypted.writeUInt32BE(this.#used + start / block + 1, start + cipherSizes.nonce);
    return this.#encrypted.subarray(start, end);
  }

  #newCipher(): (blocks: Uint8Array) => Buffer {
    this.#used = 0;
    randomFillSync(this.#counter, 0, cipherSizes.nonce);
    return this.#key.encryptorFrom(this.#counter);
  }

  #reserve(needed: number): void {
    if (needed <= this.#plain.length) return;
    const larger = Buffer.allocUnsafeSlow(needed * 2);
    larger.set(this.#plain.subarray(0, this.#end));
    this.#plain = larger;
  }
}
