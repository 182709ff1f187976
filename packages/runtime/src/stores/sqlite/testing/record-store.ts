/**
 * Records a store of the current schema, which every later version of Baton has to open:
 * `node packages/runtime/src/stores/sqlite/testing/record-store.ts`. Existing recordings are never overwritten.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { storeFiles } from "../files.ts";
import { checkSqlite } from "../maintenance/check.ts";
import { newestVersion } from "../schema/migrate.ts";
import { makeScratch } from "./make-scratch.ts";
import { olderKey, olderStore, olderStores } from "./older-stores.ts";
import { writeStory } from "./write-story.ts";

const path = olderStore(newestVersion);
if (existsSync(path)) console.log(`${path} was recorded before`);
else await record();

async function record(): Promise<void> {
  const { folder: directory, remove } = makeScratch();
  try {
    await writeStory(directory);
    const { database, key } = storeFiles(directory);
    const faults = await checkSqlite(directory);
    if (faults.length > 0) throw new Error(faults.join("\n"));
    mkdirSync(olderStores, { recursive: true });
    writeFileSync(path, gzipSync(readFileSync(database), { level: 9 }));
    writeFileSync(olderKey(newestVersion), readFileSync(key));
    console.log(`wrote ${path} and its key; commit them`);
  } finally {
    remove();
  }
}
