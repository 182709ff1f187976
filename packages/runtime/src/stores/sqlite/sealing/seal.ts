/**
 * The cipher of a store: AES-256 in counter mode. What is stored of a value is where its counter begins, and its bytes; so
 * every value opens alone, also when it was sealed with many others at once. It hides, and does not vouch: whether bytes are
 * those that were written say the sums of journals, the digests of contents and the chain of the audit record.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
} from "node:crypto";

/** Bytes of a key, of the counter in front of a sealed value, and of the part of it that no two batches share. */
export const sealSizes = { key: 32, counter: 16, nonce: 12 } as const;

const algorithm = "aes-256-ctr";

export class Seal {
  /** Says which key it is and nothing about it. */
  readonly keyId: string;
  readonly #values: KeyObject;
  readonly #ids: KeyObject;
  readonly #counters: KeyObject;

  constructor(key: Uint8Array) {
    this.keyId = hash("sha256", Buffer.concat([Buffer.from("baton store key id\n"), key])).slice(0, 16);
    this.#values = derived(key, "values");
    this.#ids = derived(key, "ids");
    this.#counters = derived(key, "counters of ids");
  }

  /** Seals whole blocks, one after another, from a counter on. No counter must ever come again. */
  sealerFrom(counter: Uint8Array): (blocks: Uint8Array) => Buffer {
    const cipher = createCipheriv(algorithm, this.#values, counter);
    return (blocks) => cipher.update(blocks);
  }

  open(sealed: Uint8Array): Buffer {
    return decipher(this.#values, sealed);
  }

  /** The same text for the same id, so that a row can be found by it; its counter is a keyed digest of the id. */
  sealId(id: string): string {
    const bytes = Buffer.from(id);
    const counter = this.#counterOf(bytes);
    const sealed = createCipheriv(algorithm, this.#ids, counter).update(bytes);
    return Buffer.concat([counter, sealed]).toString("base64url");
  }

  /** Undefined when it is not what was stored. */
  openId(text: string): string | undefined {
    const sealed = Buffer.from(text, "base64url");
    if (sealed.length < sealSizes.counter) return undefined;
    const bytes = decipher(this.#ids, sealed);
    return this.#counterOf(bytes).compare(sealed, 0, sealSizes.counter) === 0 ? bytes.toString() : undefined;
  }

  #counterOf(id: Uint8Array): Buffer {
    return createHmac("sha256", this.#counters).update(id).digest().subarray(0, sealSizes.counter);
  }
}

function decipher(key: KeyObject, sealed: Uint8Array): Buffer {
  const counter = sealed.subarray(0, sealSizes.counter);
  return createDecipheriv(algorithm, key, counter).update(sealed.subarray(sealSizes.counter));
}

/** No two purposes share a key. */
function derived(key: Uint8Array, purpose: string): KeyObject {
  const bytes = hkdfSync("sha256", key, new Uint8Array(), `baton store ${purpose}`, sealSizes.key);
  return createSecretKey(new Uint8Array(bytes));
}
