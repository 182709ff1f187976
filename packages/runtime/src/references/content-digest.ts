import { createHash } from "node:crypto";
import { Unreadable } from "./unreadable.ts";

/** Digests content in chunks without retaining it. */
export class ContentDigest {
  readonly #hash = createHash("sha256");
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Throws above the size limit. */
  add(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#maxBytes) throw tooLarge(this.#maxBytes);
    this.#hash.update(chunk);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** In the form of `Ref.digest`. */
  text(): string {
    return `sha256:${this.#hash.digest("hex")}`;
  }
}

export function tooLarge(maxBytes: number): Unreadable {
  return new Unreadable(`it has more than ${maxBytes} bytes`);
}
