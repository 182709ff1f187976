/**
 * The cipher of a store: AES-256 in counter mode. A stored value is its initial counter and its ciphertext, so that each value
 * decrypts on its own, also when it was encrypted together with others. The cipher does not authenticate: the checksums of
 * journals, the digests of contents and the hash chain of the audit record detect changed bytes.
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

/** Bytes of a key, of the counter in front of a value, and of the nonce in it, which no two batches share. */
export const cipherSizes = { key: 32, counter: 16, nonce: 12 } as const;

const algorithm = "aes-256-ctr";

export class StoreCipher {
  /** Identifies the key without revealing it. */
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

  /** Encrypts whole blocks in sequence from a counter on. A counter must never be used twice. */
  encryptorFrom(counter: Uint8Array): (blocks: Uint8Array) => Buffer {
    const cipher = createCipheriv(algorithm, this.#values, counter);
    return (blocks) => cipher.update(blocks);
  }

  decrypt(encrypted: Uint8Array): Buffer {
    return decipher(this.#values, encrypted);
  }

  /** Deterministic, so that rows can be found by it: the counter is a keyed digest of the id. */
  encryptId(id: string): string {
    const bytes = Buffer.from(id);
    const counter = this.#counterOf(bytes);
    const encrypted = createCipheriv(algorithm, this.#ids, counter).update(bytes);
    return Buffer.concat([counter, encrypted]).toString("base64url");
  }

  /** Undefined when it is not what was stored. */
  decryptId(text: string): string | undefined {
    const encrypted = Buffer.from(text, "base64url");
    if (encrypted.length < cipherSizes.counter) return undefined;
    const bytes = decipher(this.#ids, encrypted);
    return this.#counterOf(bytes).compare(encrypted, 0, cipherSizes.counter) === 0
      ? bytes.toString()
      : undefined;
  }

  #counterOf(id: Uint8Array): Buffer {
    return createHmac("sha256", this.#counters).update(id).digest().subarray(0, cipherSizes.counter);
  }
}

function decipher(key: KeyObject, encrypted: Uint8Array): Buffer {
  const counter = encrypted.subarray(0, cipherSizes.counter);
  return createDecipheriv(algorithm, key, counter).update(encrypted.subarray(cipherSizes.counter));
}

/** Each purpose has a key of its own. */
function derived(key: Uint8Array, purpose: string): KeyObject {
  const bytes = hkdfSync("sha256", key, new Uint8Array(), `baton store ${purpose}`, cipherSizes.key);
  return createSecretKey(new Uint8Array(bytes));
}
