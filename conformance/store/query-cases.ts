import type { AuditField, Comparable, EscalationField, PipelineField, Query, Store } from "@baton/runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { naiveSelect } from "./naive-select.ts";
import { auditRow, batch, escalationRow, pipelineRow, startMs, transition } from "./rows.ts";
import { openForTest, readAll, type StoreUnderTest } from "./under-test.ts";

/** The last three come in another order by UTF-16 units than by code points. */
const names = ["", "a", "A", "ab", "z", "é", "\u{fb01}", "\u{ffff}", "\u{1f642}"];
const queries = { numRuns: 150 };

const pipelines = Array.from({ length: 60 }, (_, index) =>
  pipelineRow(`${names[index % names.length]}-${index}`, {
    tenantId: index % 10 === 0 ? "other" : "acme",
    status: ["PENDING", "RUNNING", "COMPLETED"][index % 3] ?? "",
    ended: index % 3 === 2,
    templateId: names[index % 4] ?? "",
    pipelineName: names[index % names.length] ?? "",
    taskId: names[index % 6] ?? "",
    riskTier: ["LOW", "NORMAL", "CRITICAL"][index % 3] ?? "",
    labels: index % 2 === 0 ? `\nteam=${names[index % 3]}\n` : "",
    agents: index % 3 === 0 ? "\ndev\ndev/dev-1\n" : "",
    createdAtMs: startMs + (index % 7),
    updatedAtMs: startMs + (index % 5) * 1000,
    view: index % 3 === 2 ? new Uint8Array([index]) : undefined,
  }),
);
const escalations = pipelines.map((row, index) =>
  escalationRow(`e${names[index % names.length]}${index}`, row.pipelineId, {
    tenantId: row.tenantId,
    stageId: names[index % 5] ?? "",
    kind: index % 2 === 0 ? "REVIEW" : "CLARIFICATION",
    riskTier: ["LOW", "NORMAL", "CRITICAL"][index % 3] ?? "",
    raisedAtMs: startMs + (index % 6),
    resolvedAtMs: index % 4 === 0 ? startMs + index : undefined,
  }),
);
/** As they are listed. */
const listed = pipelines.map((row, index) => ({
  ...row,
  waitsForPerson: escalations[index]?.resolvedAtMs === undefined,
}));
const audit = Array.from({ length: 80 }, (_, index) => {
  const tenantId = index % 8 === 7 ? "other" : "acme";
  const sequence = tenantId === "other" ? (index + 1) / 8 : index + 1 - Math.floor((index + 1) / 8);
  // Those of one decision follow one another. Some concern the fleet, and some a pipeline that was never made.
  const decision = Math.floor(index / 3);
  const about = pipelines[decision % 20]?.pipelineId ?? "";
  const pipelineId = decision % 5 === 0 ? "" : decision % 5 === 1 ? "refused" : about;
  return auditRow(tenantId, BigInt(sequence), {
    pipelineId,
    // Most begin with the pipeline, and some only look like it.
    auditId: index % 7 === 6 ? `refused/${index}` : `${pipelineId}/${decision}.${index % 3}`,
    eventType: ["ROUTED", "REJECTED", "ACCEPTED"][index % 3] ?? "",
    atMs: startMs + ((index * 7) % 31),
  });
});
const filling = batch({
  transitions: pipelines.map((row, index) => {
    const escalation = escalations[index];
    return transition(row.pipelineId, 0, { row, escalations: escalation === undefined ? [] : [escalation] });
  }),
  audit,
});

export function queryCases(subject: StoreUnderTest): void {
  describe("queries", () => {
    it("finds pipelines by every field, in every order, page by page", async () => {
      await holds<PipelineField, (typeof listed)[number]>(subject, {
        fields: [
          ...(["pipelineId", "status", "ended", "templateId", "pipelineName"] as const),
          ...(["createdAtMs", "updatedAtMs", "waitsForPerson"] as const),
          ...(["taskId", "riskTier", "labels", "agents"] as const),
        ],
        unique: ["pipelineId"],
        rows: listed,
        read: (row, field) => row[field],
        ask: (store, query) => store.pipelines(query),
      });
    });

    it("finds escalations by every field, in every order, page by page", async () => {
      await holds<EscalationField, (typeof escalations)[number]>(subject, {
        fields: ["escalationId", "pipelineId", "stageId", "kind", "riskTier", "raisedAtMs", "resolved"],
        unique: ["escalationId"],
        rows: escalations,
        read: (row, field) => (field === "resolved" ? row.resolvedAtMs !== undefined : row[field]),
        ask: (store, query) => store.escalations(query),
      });
    });

    it("[OBS-02] finds audit entries by every field, in every order, page by page", async () => {
      await holds<AuditField, (typeof audit)[number]>(subject, {
        fields: ["sequence", "auditId", "pipelineId", "eventType", "atMs"],
        unique: ["sequence", "auditId"],
        rows: audit,
        read: (row, field) => row[field],
        ask: (store, query) => store.auditEntries(query),
      });
    });

    it("does not show a pipeline that only the audit record names, until it is made", async () => {
      const store = await openForTest(
        subject,
        batch({ audit: [auditRow("acme", 1n, { pipelineId: "p1" })] }),
      );
      const all = { tenantId: "acme", where: [], after: undefined, limit: 10 };
      const list = () => store.pipelines({ ...all, orderBy: [{ field: "pipelineId", descending: false }] });
      expect(await list()).toEqual([]);
      expect(await store.pipeline("p1")).toBeUndefined();
      expect(await store.journal("p1")).toBeUndefined();
      expect(await readAll(store.openJournals())).toEqual([]);
      await store.commit(batch({ transitions: [transition("p1", 0)] }));
      expect(await list()).toEqual([{ ...pipelineRow("p1"), waitsForPerson: false }]);
      expect(await readAll(store.openJournals())).toHaveLength(1);
      const where = [{ field: "pipelineId", operator: "=", value: "p1" }] as const;
      expect(
        await store.auditEntries({ ...all, where, orderBy: [{ field: "sequence", descending: false }] }),
      ).toHaveLength(1);
    });

    it.each<{ name: string; parts: Partial<Query<PipelineField>> }>([
      { name: "no order", parts: { orderBy: [] } },
      { name: "an order that is not total", parts: { orderBy: [{ field: "status", descending: false }] } },
      { name: "too many rows", parts: { limit: 1_000_000 } },
      { name: "a negative limit", parts: { limit: -1 } },
      { name: "a beginning that does not fit the order", parts: { after: ["a", "b"] } },
      { name: "a number where a text is", parts: { where: [{ field: "status", operator: "=", value: 1 }] } },
      {
        name: "a look into what is no text",
        parts: { where: [{ field: "createdAtMs", operator: "~", value: 1 }] },
      },
      {
        name: "an integer of more than 64 bits",
        parts: { where: [{ field: "createdAtMs", operator: "<", value: 2n ** 70n }] },
      },
    ])("refuses a query with $name", async ({ parts }) => {
      const store = await openForTest(subject);
      const query: Query<PipelineField> = {
        tenantId: "acme",
        where: [],
        orderBy: [{ field: "pipelineId", descending: false }],
        after: undefined,
        limit: 10,
        ...parts,
      };
      await expect(store.pipelines(query)).rejects.toMatchObject({ code: "BATON-STORE-008" });
    });

    it("takes quotes and semicolons in values for what they are", async () => {
      const id = `'; DROP TABLE pipelines; --"`;
      const store = await openForTest(subject, batch({ transitions: [transition(id, 0)] }));
      const found = await store.pipelines({
        tenantId: "acme",
        where: [{ field: "pipelineId", operator: "=", value: id }],
        orderBy: [{ field: "pipelineId", descending: true }],
        after: undefined,
        limit: 10,
      });
      expect(found).toEqual([{ ...pipelineRow(id), waitsForPerson: false }]);
    });
  });
}

interface Table<Field extends string, Row> {
  readonly fields: readonly Field[];
  readonly unique: readonly Field[];
  readonly rows: readonly Row[];
  readonly read: (row: Row, field: Field) => Comparable;
  readonly ask: (store: Store, query: Query<Field>) => Promise<readonly Row[]>;
}

/** Random queries are answered as a plain filter and sort would, also when they are read in pages. */
async function holds<Field extends string, Row extends { readonly tenantId: string }>(
  subject: StoreUnderTest,
  { fields, unique, rows, read, ask }: Table<Field, Row>,
): Promise<void> {
  const store = await openForTest(subject, filling);
  const field = fc.constantFrom(...fields);
  const comparison = fc
    .tuple(field, fc.constantFrom("=", "!=", "<", "<=", ">", ">=", "~"), fc.constantFrom(...rows), fc.nat(3))
    .map(([name, operator, row, from]) => {
      const value = read(row, name);
      if (operator !== "~") return { field: name, operator, value };
      // Only texts are looked into; of one, a part is looked for.
      return typeof value === "string"
        ? {
            field: name,
            operator,
            value: [...value]
              .slice(from, from + 3)
              .join("")
              .toUpperCase(),
          }
        : { field: name, operator: "=" as const, value };
    });
  const order = fc.record({ field, descending: fc.boolean() });
  const last = fc.record({ field: fc.constantFrom(...unique), descending: fc.boolean() });
  const anyQuery = fc.record({
    tenantId: fc.constantFrom("acme", "acme", "acme", "other", "unknown"),
    where: fc.array(comparison, { maxLength: 3 }),
    orderBy: fc.tuple(fc.array(order, { maxLength: 2 }), last).map(([first, end]) => [...first, end]),
    limit: fc.integer({ min: 1, max: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(anyQuery, async (query) => {
      const expected = naiveSelect(rows, query, read);
      let after: Comparable[] | undefined;
      const found: Row[] = [];
      for (;;) {
        const page = await ask(store, { ...query, after });
        found.push(...page);
        const end = page.at(-1);
        if (end === undefined || page.length < query.limit) break;
        after = query.orderBy.map(({ field: name }) => read(end, name));
      }
      expect(found).toEqual(expected);
    }),
    queries,
  );
}
