import type { TextSeal } from "../../../ports/text-seal.ts";
import { asStoreError } from "../errors.ts";
import { makeDirectory, storeFiles } from "../files.ts";
import { readOrMakeKey } from "./key-file.ts";
import { Seal } from "./seal.ts";

/**
 * Seals with the key of a store that was opened; of a folder that has none, where a hub works that keeps its store in memory,
 * with one that is made there. Throws `StoreUnavailable` when the key cannot be used.
 */
export function sealBeside(directory: string, key?: string): TextSeal {
  const seal = new Seal(keyOf(directory, key));
  return { seal: (text) => seal.sealId(text), open: (sealed) => seal.openId(sealed) };
}

function keyOf(directory: string, key: string | undefined): Uint8Array {
  try {
    makeDirectory(directory);
    return readOrMakeKey(storeFiles(directory, key).key);
  } catch (error) {
    throw asStoreError(error, directory);
  }
}
