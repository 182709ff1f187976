/** Stores as earlier versions of Baton have left them, one for each version of the tables. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { storeFiles } from "../files.ts";

export const keptStores: string = join(import.meta.dirname, "stores");

export function keptStore(version: number): string {
  return join(keptStores, `schema-${version}.db.gz`);
}

/** Puts the store of a version into a directory. */
export function unpackKept(version: number, directory: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(storeFiles(directory).database, gunzipSync(readFileSync(keptStore(version))), {
    mode: 0o600,
  });
}
