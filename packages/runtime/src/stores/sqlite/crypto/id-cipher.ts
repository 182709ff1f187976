import { LRUCache } from "lru-cache";
import { damage } from "../errors.ts";
import type { StoreCipher } from "./store-cipher.ts";

/** About 10 MB, at most 20. Most ids of a batch occur in earlier batches. */
const maxCached = 20_000;
/** Characters of an id and its ciphertext together; longer ones are not cached. */
const maxCachedLength = 1_000;

/** Replaces the pipeline id within the ids of its timers, so that equal stages of all pipelines share cache entries. */
const ownPipeline = "\u0000";

/** Encrypts and decrypts the ids by which rows are found, with a cache. */
export class IdCipher {
  readonly #cipher: StoreCipher;
  readonly #encrypted = new LRUCache<string, string>({ max: maxCached });
  readonly #decrypted = new LRUCache<string, string>({ max: maxCached });

  constructor(cipher: StoreCipher) {
    this.#cipher = cipher;
  }

  encrypt(id: string): string {
    return this.#encrypted.get(id) ?? cache(this.#encrypted, id, this.#cipher.encryptId(id));
  }

  decrypt(text: string): string {
    const cached = this.#decrypted.get(text);
    if (cached !== undefined) return cached;
    const id = this.#cipher.decryptId(text);
    if (id === undefined) throw damage("a row", "an id in it is not what was stored");
    return cache(this.#decrypted, text, id);
  }

  /** The id of a timer may contain the id of its pipeline. */
  encryptTimerId(pipelineId: string, id: string): string {
    return this.encrypt(
      id.includes(ownPipeline) ? ownPipeline + ownPipeline + id : id.replace(pipelineId, ownPipeline),
    );
  }

  decryptTimerId(pipelineId: string, text: string): string {
    const id = this.decrypt(text);
    return id.startsWith(ownPipeline + ownPipeline) ? id.slice(2) : id.replace(ownPipeline, () => pipelineId);
  }
}

function cache(entries: LRUCache<string, string>, key: string, value: string): string {
  if (key.length + value.length <= maxCachedLength) entries.set(key, value);
  return value;
}
