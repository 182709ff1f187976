/** Stores written by older versions of Baton, one for each version of the tables. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { storeFiles } from "../files.ts";

export const olderStores: string = join(import.meta.dirname, "stores");

export function olderStore(version: number): string {
  return join(olderStores, `schema-${version}.db.gz`);
}

/** Since version 6 stores have a key. */
export function olderKey(version: number): string {
  return join(olderStores, `schema-${version}.key`);
}

/** Unpacks the store of a version, and its key, into a directory. */
export function unpackOlder(version: number, directory: string): void {
  mkdirSync(directory, { recursive: true });
  const { database, key } = storeFiles(directory);
  writeFileSync(database, gunzipSync(readFileSync(olderStore(version))), { mode: 0o600 });
  if (existsSync(olderKey(version))) writeFileSync(key, readFileSync(olderKey(version)), { mode: 0o600 });
}
