/**
 * Records a store in the schema that is written now, to be opened by every later version of Baton:
 * `node packages/runtime/src/stores/sqlite/testing/record-store.ts`. What was recorded once is never recorded anew.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { Lives, VirtualClock } from "../../../../testing/index.ts";
import { checkSqlite } from "../check.ts";
import { storeFiles } from "../files.ts";
import { newestVersion } from "../migrate.ts";
import { openSqliteStore } from "../open.ts";
import { keptStore, keptStores } from "./kept-stores.ts";
import { makeScratch } from "./make-scratch.ts";
import { tell } from "./told-story.ts";

const path = keptStore(newestVersion);
if (existsSync(path)) console.log(`${path} was recorded before`);
else await record();

async function record(): Promise<void> {
  const { folder: directory, remove } = makeScratch();
  try {
    const store = await openSqliteStore({ directory });
    let count = 0;
    const chance = {
      uuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`,
      seed: () => 1,
    };
    const { hub, kill } = await new Lives(store, { clock: new VirtualClock(), chance }).begin();
    await tell(hub);
    kill();
    await store.close();
    const { database } = storeFiles(directory);
    const db = new DatabaseSync(database);
    db.exec("PRAGMA secure_delete = ON; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
    const faults = await checkSqlite(directory);
    if (faults.length > 0) throw new Error(faults.join("\n"));
    mkdirSync(keptStores, { recursive: true });
    writeFileSync(path, gzipSync(readFileSync(database), { level: 9 }));
    console.log(`wrote ${path}; commit it`);
  } finally {
    remove();
  }
}
