import { storeSuite } from "@baton/conformance/store/store-suite.ts";
import { openSqliteStore } from "./open.ts";
import { makeScratch } from "./testing/scratch.ts";

storeSuite({
  name: "in SQLite",
  async open() {
    const { folder, remove } = makeScratch();
    const store = await openSqliteStore({ directory: folder });
    let current = store;
    return {
      store,
      async reopen() {
        await current.close();
        current = await openSqliteStore({ directory: folder });
        return current;
      },
      async dispose() {
        await current.close();
        remove();
      },
    };
  },
});
