/** A process for tests of the store: its arguments name a task, and it reports on standard output. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StoreUnavailable } from "../../../ports/store-error.ts";
import { sizeOf, storeFiles } from "../files.ts";
import { backupSqlite } from "../maintenance/backup.ts";
import { checkSqlite } from "../maintenance/check.ts";
import { openSqliteStore } from "../open.ts";
import { oneMore } from "./one-more.ts";

const [task = "", directory = ""] = process.argv.slice(2);
const send = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** The fields of an error that tests compare. */
async function attempt(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return (await work()) ?? "done";
  } catch (error) {
    return error instanceof StoreUnavailable ? { code: error.code, mayPass: error.mayPass } : String(error);
  }
}

const tasks: Record<string, () => Promise<void>> = {
  /** Opens the store and waits. */
  async hold() {
    await openSqliteStore({ directory });
    send("open");
    setInterval(() => {}, 1000);
  },

  /** Commits until it is killed, and reports each acknowledged version. */
  async write() {
    const store = await openSqliteStore({ directory });
    for (let version = 0; ; version++) {
      await store.commit(oneMore(version));
      send(version + 1);
    }
  },

  /** Commits once and ends without closing the store. */
  async leave() {
    const store = await openSqliteStore({ directory });
    for (let version = 0; version < 3; version++) await store.commit(oneMore(version));
    send(3);
  },

  /** Commits enough for several checkpoints of the log, closes the store, and ends. */
  async much() {
    const store = await openSqliteStore({ directory });
    let longest = 0;
    for (let version = 0; version < 120; version++) {
      await store.commit(oneMore(version, 1_000_000));
      await new Promise((resolve) => setImmediate(resolve));
      longest = Math.max(longest, sizeOf(storeFiles(directory).log));
    }
    await store.close();
    send({ longest });
  },

  /** Fills a small disk, frees space, and continues. */
  async fill() {
    const ballast = join(directory, "ballast");
    writeFileSync(ballast, new Uint8Array(1024 * 1024));
    const store = await openSqliteStore({ directory: join(directory, "store") });
    let version = 0;
    let outcome = await attempt(() => store.commit(oneMore(version, 50_000)));
    while (outcome === "done") outcome = await attempt(() => store.commit(oneMore(++version, 50_000)));
    const again = await attempt(() => store.commit(oneMore(version, 50_000)));
    const readWhenFull = (await store.journal("p1"))?.version;
    rmSync(ballast);
    const withRoom = await attempt(() => store.commit(oneMore(version, 50_000)));
    const afterwards = (await store.journal("p1"))?.version;
    const faults = await store.check();
    await store.close();
    send({ version, outcome, again, readWhenFull, withRoom, afterwards, faults });
  },

  /** Creates a store with two records. */
  async make() {
    const store = await openSqliteStore({ directory });
    await store.commit(oneMore(0));
    await store.commit(oneMore(1));
    await store.close();
  },

  /** Uses a store on a read-only disk. */
  async use() {
    const toWrite = await attempt(() => openSqliteStore({ directory }));
    const reader = await openSqliteStore({ directory, readOnly: true });
    const read = (await reader.journal("p1"))?.version;
    const commit = await attempt(() => reader.commit(oneMore(2)));
    await reader.close();
    const faults = await checkSqlite(directory);
    const backup = await attempt(() => backupSqlite(directory, `${directory}-copy/baton.db`));
    send({ toWrite, read, commit, faults, backup });
  },
};

await tasks[task]?.();
