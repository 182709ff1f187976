/**
 * Records a store in the schema that is written now, to be opened by every later version of Baton:
 * `node packages/runtime/src/stores/sqlite/testing/record-store.ts`. What was recorded once is never recorded anew.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { checkSqlite } from "../check.ts";
import { storeFiles } from "../files.ts";
import { newestVersion } from "../migrate.ts";
import { keptKey, keptStore, keptStores } from "./kept-stores.ts";
import { makeScratch } from "./make-scratch.ts";
import { tellStore } from "./tell-store.ts";

const path = keptStore(newestVersion);
if (existsSync(path)) console.log(`${path} was recorded before`);
else await record();

async function record(): Promise<void> {
  const { folder: directory, remove } = makeScratch();
  try {
    await tellStore(directory);
    const { database, key } = storeFiles(directory);
    const faults = await checkSqlite(directory);
    if (faults.length > 0) throw new Error(faults.join("\n"));
    mkdirSync(keptStores, { recursive: true });
    writeFileSync(path, gzipSync(readFileSync(database), { level: 9 }));
    writeFileSync(keptKey(newestVersion), readFileSync(key));
    console.log(`wrote ${path} and its key; commit them`);
  } finally {
    remove();
  }
}
