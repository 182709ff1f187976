import { storeSuite } from "@baton/conformance/store/store-suite.ts";
import { openSqliteStore } from "./open.ts";
import { makeScratch } from "./testing/scratch.ts";

const ways = [
  { name: "in SQLite, written by a thread of its own", inlineAfter: Number.POSITIVE_INFINITY },
  { name: "in SQLite, written at once where batches come one by one", inlineAfter: 0 },
];

for (const { name, inlineAfter } of ways)
  storeSuite({
    name,
    async open() {
      const { folder, remove } = makeScratch();
      const store = await openSqliteStore({ directory: folder, inlineAfter });
      let current = store;
      return {
        store,
        async reopen() {
          await current.close();
          current = await openSqliteStore({ directory: folder, inlineAfter });
          return current;
        },
        async dispose() {
          await current.close();
          remove();
        },
      };
    },
  });
