import { maxAmount, type SpendQuery } from "@baton/runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batch, spendRow } from "./rows.ts";
import { openForTest, type StoreUnderTest } from "./under-test.ts";

const day = 20_833;
const asked = (parts: Partial<SpendQuery> = {}): SpendQuery => ({
  ...{ tenantId: "acme", fromDay: 0, toDay: 40_000, groupBy: [], limit: 100 },
  ...parts,
});

export function spendCases(subject: StoreUnderTest): void {
  describe("spending", () => {
    it("[SAC-12] adds what batches bring to what the day has already", async () => {
      const call = spendRow({
        provider: "anthropic",
        model: "claude",
        calls: 1,
        inputTokens: 10,
        outputTokens: 4,
      });
      const store = await openForTest(
        subject,
        batch({ spend: [call, { ...call, cacheReadTokens: 6, cacheWriteTokens: 2, reasoningTokens: 3 }] }),
        batch({ spend: [{ ...call, costMicroUsd: 7 }, { ...call, costUnknown: true }, call] }),
      );
      const sum = {
        ...call,
        calls: 5,
        inputTokens: 50,
        outputTokens: 20,
        costMicroUsd: 7,
        costUnknown: true,
      };
      expect(await store.spend(asked({ groupBy: ["day", "pack", "model", "template"] }))).toEqual([
        { ...sum, cacheReadTokens: 6, cacheWriteTokens: 2, reasoningTokens: 3 },
      ]);
    });

    it("[SAC-12] adds up by day, model, agent and template, the most expensive first", async () => {
      const spend = [
        spendRow({ day, packId: "dev", templateId: "ship", provider: "p", model: "a", costMicroUsd: 5 }),
        spendRow({ day, packId: "qa", provider: "p", model: "b", costMicroUsd: 7, inputTokens: 1 }),
        spendRow({ day: day + 1, packId: "dev", provider: "q", model: "a", outputTokens: 9 }),
        spendRow({ day: day + 1, packId: "qa", templateId: "ship", costMicroUsd: 1 }),
      ];
      const store = await openForTest(subject, batch({ spend }));
      const by = async (...groupBy: SpendQuery["groupBy"]) => {
        const rows = await store.spend(asked({ groupBy }));
        return rows.map((row) => [
          row.day,
          row.provider,
          row.model,
          row.packId,
          row.templateId,
          row.costMicroUsd,
        ]);
      };
      expect(await by()).toEqual([[0, "", "", "", "", 13]]);
      expect(await by("day")).toEqual([
        [day, "", "", "", "", 12],
        [day + 1, "", "", "", "", 1],
      ]);
      expect(await by("model")).toEqual([
        [0, "p", "b", "", "", 7],
        [0, "p", "a", "", "", 5],
        [0, "", "", "", "", 1],
        [0, "q", "a", "", "", 0],
      ]);
      expect(await by("pack")).toEqual([
        [0, "", "", "qa", "", 8],
        [0, "", "", "dev", "", 5],
      ]);
      expect(await by("template", "day")).toEqual([
        [day, "", "", "", "", 7],
        [day, "", "", "", "ship", 5],
        [day + 1, "", "", "", "ship", 1],
        [day + 1, "", "", "", "", 0],
      ]);
    });

    it("[SAC-12] returns the days that are asked for, of one tenant, and as many rows as the limit", async () => {
      const spend = [0, 1, 2, 3].map((later) => spendRow({ day: day + later, calls: 1 }));
      const store = await openForTest(
        subject,
        batch({ spend: [...spend, spendRow({ tenantId: "b", calls: 9 })] }),
      );
      const days = async (parts: Partial<SpendQuery>) =>
        (await store.spend(asked({ groupBy: ["day"], ...parts }))).map((row) => row.day - day);
      expect(await days({ fromDay: day + 1, toDay: day + 2 })).toEqual([1, 2]);
      expect(await days({ limit: 3 })).toEqual([0, 1, 2]);
      expect(await days({ limit: 0 })).toEqual([]);
      expect(await days({ fromDay: day + 9 })).toEqual([]);
      expect(await store.spend(asked({ fromDay: day + 9 }))).toEqual([]);
      expect(await store.spend(asked({ tenantId: "unknown" }))).toEqual([]);
      expect(await store.spend(asked({ tenantId: "b" }))).toMatchObject([{ tenantId: "b", calls: 9 }]);
    });

    it("[SAC-12] returns the totals of all tenants from a day on", async () => {
      const some = { inputTokens: 2, outputTokens: 3, costMicroUsd: 4 };
      const spend = [
        spendRow({ ...some, day: day - 1 }),
        spendRow({ ...some, day }),
        spendRow({ ...some, day, model: "m" }),
        spendRow({ ...some, day: day + 1, tenantId: "b" }),
      ];
      const store = await openForTest(subject, batch({ spend }));
      const rows = await store.spentSince(day);
      expect(rows.toSorted((a, b) => a.day - b.day)).toEqual([
        { tenantId: "acme", day, tokens: 10, costMicroUsd: 8 },
        { tenantId: "b", day: day + 1, tokens: 5, costMicroUsd: 4 },
      ]);
      expect(await store.spentSince(day + 2)).toEqual([]);
    });

    it("[SAC-12] ends at the greatest amount instead of failing", async () => {
      const most = { inputTokens: maxAmount, outputTokens: maxAmount, costMicroUsd: maxAmount };
      const store = await openForTest(subject);
      for (let times = 0; times < 3; times++) await store.commit(batch({ spend: [spendRow(most)] }));
      for (let one = 0; one < 3; one++)
        await store.commit(batch({ spend: [spendRow({ ...most, model: `m${one}` })] }));
      expect(await store.spend(asked())).toMatchObject([most]);
      expect(await store.spentSince(0)).toMatchObject([{ tokens: maxAmount, costMicroUsd: maxAmount }]);
    });

    it("[SAC-12] refuses amounts that are none, and stores nothing of their batch", async () => {
      const store = await openForTest(subject);
      for (const inputTokens of [-1, 0.5, Number.NaN, 2 ** 53]) {
        const spend = [spendRow({ calls: 1 }), spendRow({ inputTokens })];
        await expect(store.commit(batch({ spend }))).rejects.toMatchObject({ code: "BATON-STORE-008" });
      }
      expect(await store.spend(asked())).toEqual([]);
    });

    it("[SAC-12] sums up any rows as a plain sum does, also when it is opened again", async () => {
      const anyRow = fc.record({
        day: fc.integer({ min: day, max: day + 2 }),
        packId: fc.constantFrom("dev", "qa"),
        templateId: fc.constantFrom("", "ship"),
        model: fc.constantFrom("", "m", "\u{1f642}"),
        inputTokens: fc.nat(1_000),
        costMicroUsd: fc.nat(1_000),
      });
      const anyBatches = fc.array(fc.array(anyRow, { maxLength: 5 }), { minLength: 1, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(anyBatches, async (batches) => {
          const { store: first, reopen, dispose } = await subject.open();
          try {
            for (const rows of batches)
              await first.commit(batch({ spend: rows.map((row) => spendRow(row)) }));
            const all = batches.flat();
            const sum = (name: "inputTokens" | "costMicroUsd", of: typeof all) =>
              of.reduce((total, row) => total + row[name], 0);
            for (const open of [() => first, reopen]) {
              const store = await open?.();
              if (!store) continue;
              const rows = await store.spend(asked({ groupBy: ["day", "model"] }));
              const keys = new Set(all.map((row) => `${row.day} ${row.model}`));
              expect(rows).toHaveLength(keys.size);
              for (const row of rows) {
                const same = all.filter((one) => one.day === row.day && one.model === row.model);
                expect([row.inputTokens, row.costMicroUsd]).toEqual([
                  sum("inputTokens", same),
                  sum("costMicroUsd", same),
                ]);
              }
            }
          } finally {
            await dispose();
          }
        }),
        { numRuns: 10 },
      );
    });
  });
}
