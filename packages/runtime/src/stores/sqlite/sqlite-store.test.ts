import { journalSuite, maintenanceSuite, storeSuite } from "@baton/conformance/store/store-suite.ts";
import type { StoreUnderTest } from "@baton/conformance/store/under-test.ts";
import { describe } from "vitest";
import { openSqliteStore } from "./open.ts";
import { makeScratch } from "./testing/scratch.ts";

const sqlite = (name: string, inlineAfter: number): StoreUnderTest => ({
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

storeSuite(sqlite("in SQLite, written by a thread", Number.POSITIVE_INFINITY));

// Queries do not depend on who writes.
describe("the store in SQLite, written by the caller where batches come one by one", () => {
  const subject = sqlite("in SQLite", 0);
  journalSuite(subject);
  maintenanceSuite(subject);
});
