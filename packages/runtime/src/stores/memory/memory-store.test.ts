import { storeSuite } from "@baton/conformance/store/store-suite.ts";
import { expect, it } from "vitest";
import { openMemoryStore } from "./memory-store.ts";

storeSuite({
  name: "in memory",
  async open() {
    const store = openMemoryStore();
    return { store, dispose: () => store.close() };
  },
});

it("says that a store in memory has no backup", async () => {
  const refused = openMemoryStore().backup("copy.db");
  await expect(refused).rejects.toMatchObject({
    code: "BATON-STORE-007",
    message: expect.stringContaining("a store in memory has no backup"),
  });
});
