import { DatabaseSync } from "node:sqlite";
import { Lives, VirtualClock } from "../../../../testing/index.ts";
import { storeFiles } from "../files.ts";
import { openSqliteStore } from "../open.ts";
import { runStory } from "./story.ts";

/** Writes a store with the story, in the current schema, as a killed hub leaves it. */
export async function writeStory(directory: string): Promise<void> {
  const store = await openSqliteStore({ directory });
  let count = 0;
  const chance = {
    uuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`,
    seed: () => 1,
  };
  const { hub, kill } = await new Lives(store, { clock: new VirtualClock(), chance }).begin();
  await runStory(hub);
  kill();
  await store.close();
  const db = new DatabaseSync(storeFiles(directory).database);
  db.exec("PRAGMA secure_delete = ON; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}
