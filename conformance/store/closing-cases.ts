import { type Store, StoreUnavailable } from "@baton/runtime";
import { describe, expect, it, onTestFinished } from "vitest";
import { auditRow, batch, transition } from "./rows.ts";
import { openForTest, readAll, type StoreUnderTest } from "./under-test.ts";

const uses: Record<string, (store: Store) => Promise<unknown>> = {
  commit: (store) => store.commit(batch({})),
  lastBatch: (store) => store.lastBatch("a"),
  heads: (store) => store.heads(),
  newestMs: (store) => store.newestMs(),
  openJournals: (store) => readAll(store.openJournals()),
  outbox: (store) => store.outbox(),
  timers: (store) => store.timers(),
  fleet: (store) => readAll(store.fleet()),
  journal: (store) => store.journal("p1"),
  pipeline: (store) => store.pipeline("p1"),
  pipelines: (store) => store.pipelines({ ...all, orderBy: [{ field: "pipelineId", descending: false }] }),
  escalation: (store) => store.escalation("e1"),
  escalations: (store) =>
    store.escalations({ ...all, orderBy: [{ field: "escalationId", descending: false }] }),
  auditEntries: (store) =>
    store.auditEntries({ ...all, orderBy: [{ field: "sequence", descending: false }] }),
  events: (store) => store.events("acme", 0n, 1),
  backup: (store) => store.backup("nowhere"),
  check: (store) => store.check(),
};
const all = { tenantId: "acme", where: [], after: undefined, limit: 1 };

export function closingCases(subject: StoreUnderTest): void {
  describe("close", () => {
    it.each(Object.entries(uses))("ends %s with a clear error", async (_, use) => {
      const store = await openForTest(subject);
      await store.close();
      await store.close();
      const error = await use(store).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(error).toMatchObject({ code: "BATON-STORE-006", mayPass: false });
    });

    it("[PIP-11] finishes pending commits first", async ({ skip }) => {
      const { store, reopen, dispose } = await subject.open();
      onTestFinished(dispose);
      const given = Array.from({ length: 10 }, (_, version) =>
        store.commit(batch({ transitions: [transition("p1", version)] })),
      );
      await store.close();
      await Promise.all(given);
      if (reopen === undefined) return skip("this store keeps nothing");
      expect(await (await reopen()).journal("p1")).toMatchObject({ version: 10 });
    });

    it("[PIP-11] continues after it is opened again", async ({ skip }) => {
      const { store, reopen, dispose } = await subject.open();
      onTestFinished(dispose);
      if (reopen === undefined) return skip("this store keeps nothing");
      await store.commit(batch({ transitions: [transition("p1", 0)], audit: [auditRow("acme", 1n)] }));
      const again = await reopen();
      await again.commit(batch({ transitions: [transition("p1", 1)], audit: [auditRow("acme", 2n)] }));
      expect(await again.journal("p1")).toMatchObject({ version: 2, texts: ["p1 from 0", "p1 from 1"] });
      expect(await again.heads()).toMatchObject([{ auditSequence: 2n }]);
    });
  });
}
