import { createHash } from "node:crypto";
import { Unreadable } from "./unreadable.ts";

/** Takes content piece by piece and keeps nothing of it but its digest. */
export class ContentDigest {
  readonly #hash = createHash("sha256");
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Throws when it grows too large. */
  add(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#mostBytes) throw tooLarge(this.#mostBytes);
    this.#hash.update(chunk);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** As a reference carries it. */
  text(): string {
    return `sha256:${this.#hash.digest("hex")}`;
  }
}

export function tooLarge(mostBytes: number): Unreadable {
  return new Unreadable(`it is larger than the ${mostBytes} bytes that are read`);
}
