import type { TextCipher } from "../../../ports/text-cipher.ts";
import { asStoreError } from "../errors.ts";
import { makeDirectory, storeFiles } from "../files.ts";
import { readOrMakeKey } from "./key-file.ts";
import { StoreCipher } from "./store-cipher.ts";

/**
 * Opens the cipher with the key of a store. In a folder without a key, where a hub keeps its store in memory, it creates one.
 * Throws `StoreUnavailable` when the key is unusable.
 */
export function openTextCipher(directory: string, key?: string): TextCipher {
  const cipher = new StoreCipher(openStoreKey(directory, key));
  return { encrypt: (text) => cipher.encryptId(text), decrypt: (encrypted) => cipher.decryptId(encrypted) };
}

/** The key of a store, created in a folder without one. */
export function openStoreKey(directory: string, key: string | undefined): Uint8Array {
  try {
    makeDirectory(directory);
    return readOrMakeKey(storeFiles(directory, key).key);
  } catch (error) {
    throw asStoreError(error, directory);
  }
}
