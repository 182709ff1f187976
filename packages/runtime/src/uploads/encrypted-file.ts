/**
 * The stored form of an upload: a nonce, then chunks of AES-256-GCM, each with its tag. The number of a chunk and whether it is the
 * last are part of its nonce, so that chunks cannot be moved, left out or cut off at the end unnoticed.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { uploadLimits } from "./settings.ts";

const algorithm = "aes-256-gcm";
const prefixBytes = 7;
const tagBytes = 16;
const { chunkBytes } = uploadLimits;

/** Writes encrypted chunks. Call `end` after the last bytes. */
export class EncryptedWriter {
  readonly #file: FileHandle;
  readonly #key: Uint8Array;
  readonly #prefix = randomBytes(prefixBytes);
  #number = 0;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;

  constructor(file: FileHandle, key: Uint8Array) {
    this.#file = file;
    this.#key = key;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    // The last chunk is marked, so a full one waits for what follows.
    if (this.#pendingBytes <= chunkBytes) return;
    const all = Buffer.concat(this.#pending);
    let start = 0;
    for (; all.length - start > chunkBytes; start += chunkBytes)
      await this.#encrypt(all.subarray(start, start + chunkBytes), false);
    this.#pending = [all.subarray(start)];
    this.#pendingBytes = all.length - start;
  }

  async end(): Promise<void> {
    await this.#encrypt(Buffer.concat(this.#pending), true);
    await this.#file.sync();
  }

  async #encrypt(plain: Uint8Array, isLast: boolean): Promise<void> {
    const cipher = createCipheriv(algorithm, this.#key, nonceOf(this.#prefix, this.#number, isLast));
    const encrypted = [cipher.update(plain), cipher.final(), cipher.getAuthTag()];
    await this.#file.writev(this.#number === 0 ? [this.#prefix, ...encrypted] : encrypted);
    this.#number++;
  }
}

/** Reads the chunks of a file. Throws when they are not what was written with this key. */
export async function* readEncrypted(file: FileHandle, key: Uint8Array): AsyncGenerator<Buffer> {
  const { size } = await file.stat();
  const prefix = Buffer.alloc(prefixBytes);
  await readFully(file, prefix, 0);
  let at = prefixBytes;
  for (let number = 0; at < size; number++) {
    const length = Math.min(chunkBytes + tagBytes, size - at);
    if (length < tagBytes) break;
    const encrypted = Buffer.alloc(length);
    await readFully(file, encrypted, at);
    at += length;
    const decipher = createDecipheriv(algorithm, key, nonceOf(prefix, number, at === size));
    decipher.setAuthTag(encrypted.subarray(length - tagBytes));
    yield Buffer.concat([decipher.update(encrypted.subarray(0, length - tagBytes)), decipher.final()]);
  }
  if (at !== size || size === prefixBytes) throw new Error("the file is cut off");
}

/** The bytes of a stored file with so many plain bytes. */
export function encryptedSize(plainBytes: number): number {
  return prefixBytes + plainBytes + tagBytes * Math.max(1, Math.ceil(plainBytes / chunkBytes));
}

async function readFully(file: FileHandle, into: Buffer, position: number): Promise<void> {
  const { bytesRead } = await file.read(into, 0, into.length, position);
  if (bytesRead !== into.length) throw new Error("the file is cut off");
}

function nonceOf(prefix: Uint8Array, number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.set(prefix);
  nonce.writeUInt32BE(number, prefixBytes);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** One short value, with a nonce of its own. */
export function encryptValue(key: Uint8Array, plain: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(algorithm, key, nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined when it was not encrypted with this key. */
export function decryptValue(key: Uint8Array, stored: Uint8Array): string | undefined {
  try {
    const decipher = createDecipheriv(algorithm, key, stored.subarray(0, 12));
    decipher.setAuthTag(stored.subarray(-tagBytes));
    return Buffer.concat([decipher.update(stored.subarray(12, -tagBytes)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}
