/** Stores as earlier versions of Baton have left them, one for each version of the tables. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { storeFiles } from "../files.ts";

export const keptStores: string = join(import.meta.dirname, "stores");

export function keptStore(version: number): string {
  return join(keptStores, `schema-${version}.db.gz`);
}

/** Stores have one since they are sealed. */
export function keptKey(version: number): string {
  return join(keptStores, `schema-${version}.key`);
}

/** Puts the store of a version into a directory, with its key. */
export function unpackKept(version: number, directory: string): void {
  mkdirSync(directory, { recursive: true });
  const { database, key } = storeFiles(directory);
  writeFileSync(database, gunzipSync(readFileSync(keptStore(version))), { mode: 0o600 });
  if (existsSync(keptKey(version))) writeFileSync(key, readFileSync(keptKey(version)), { mode: 0o600 });
}
