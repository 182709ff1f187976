import type { CheckpointRow, Store, StoredNode } from "@baton/runtime";
import { describe, expect, it } from "vitest";
import { auditRow, batch, startMs } from "./rows.ts";
import { openForTest, type StoreUnderTest } from "./under-test.ts";

const audit = Array.from({ length: 300 }, (_, index) => {
  const pipelineId = `p-${Math.floor(index / 3)}`;
  return auditRow("acme", BigInt(index + 1), { pipelineId, auditId: `${pipelineId}/${index}` });
});
const filling = batch({ audit: [...audit, auditRow("other", 1n)] });

function row(sequence: bigint, tenantId = "acme"): CheckpointRow {
  const bytes = (length: number) => new Uint8Array(length).fill(Number(sequence % 251n));
  return { tenantId, sequence, checkpoint: bytes(90), publicKey: bytes(32), peaks: bytes(64) };
}

function node(level: number, index: bigint): StoredNode {
  return { level, index, hash: new Uint8Array(32).fill(level) };
}

async function recordOf(store: Store, after: bigint, limit: number): Promise<readonly bigint[]> {
  return (await store.auditRecord("acme", after, limit)).map(({ sequence }) => sequence);
}

export function auditCases(subject: StoreUnderTest): void {
  describe("[OBS-04] the audit record and its checkpoints", () => {
    it("[OBS-02] returns entries of one batch unchanged, many and large ones too", async () => {
      const rows = Array.from({ length: 300 }, (_, index) =>
        auditRow("acme", BigInt(index + 1), {
          pipelineId: index < 200 ? "p1" : "",
          auditId: index === 7 ? "" : `p1/${index} "\u{1f642}"`,
          atMs: startMs - index,
          hash: new Uint8Array(index % 2 === 0 ? 32 : 0).fill(index),
          // Never the bytes of the hash: an entry that ends with its hash says that it is chained.
          entry: new Uint8Array(index % 90 === 0 ? 200_000 : index).fill(index + 1),
        }),
      );
      const store = await openForTest(
        subject,
        batch({ audit: rows.slice(0, 100) }),
        batch({ audit: rows.slice(100) }),
      );
      const ask = (after: readonly bigint[] | undefined, limit: number) =>
        store.auditEntries({
          tenantId: "acme",
          where: [],
          orderBy: [{ field: "sequence", descending: false }],
          after,
          limit,
        });
      expect(await ask(undefined, 1000)).toEqual(rows);
      expect(await ask([150n], 7)).toEqual(rows.slice(150, 157));
      expect(await store.heads()).toMatchObject([{ auditSequence: 300n, auditHash: rows.at(-1)?.hash }]);
      expect(await store.check()).toEqual([]);
    });

    it("returns the record of a tenant in order, after any entry, as it was stored", async () => {
      const store = await openForTest(subject, filling);
      const all: bigint[] = [];
      for (let after = 0n; ; ) {
        const page = await store.auditRecord("acme", after, 7);
        const last = page.at(-1);
        if (last === undefined) break;
        for (const { sequence, hash, entry } of page) {
          const { hash: own, entry: bytes } = audit[Number(sequence) - 1] ?? auditRow("acme", 0n);
          expect([...hash, ...entry]).toEqual([...own, ...bytes]);
          all.push(sequence);
        }
        after = last.sequence;
      }
      expect(all).toEqual(audit.map(({ sequence }) => sequence));
      expect((await recordOf(store, 4n, 1))[0]).toBe(5n);
      expect(await recordOf(store, 300n, 5)).toEqual([]);
      expect(await store.auditRecord("nobody", 0n, 5)).toEqual([]);
    });

    it("keeps checkpoints of each tenant in their order, and nodes of the tree beside them", async () => {
      const store = await openForTest(subject, filling);
      expect(await store.lastCheckpoint("acme")).toBeUndefined();
      await store.keepCheckpoint(row(3n), []);
      await store.keepCheckpoint(row(1n, "other"), [node(10, 0n)]);
      await store.keepCheckpoint(row(300n), [node(10, 0n), node(10, 1n), node(11, 0n)]);
      expect(await store.lastCheckpoint("acme")).toEqual(row(300n));
      expect(await store.checkpoints("acme", 0n, 10)).toEqual([row(3n), row(300n)]);
      expect(await store.checkpoints("acme", 0n, 1)).toEqual([row(3n)]);
      expect(await store.checkpoints("acme", 3n, 10)).toEqual([row(300n)]);
      const places = [node(11, 0n), node(10, 1n), node(12, 0n)];
      expect(await store.treeNodes("acme", places)).toEqual([
        node(11, 0n).hash,
        node(10, 1n).hash,
        undefined,
      ]);
      expect(await store.treeNodes("nobody", places)).toEqual([undefined, undefined, undefined]);
    });

    it("refuses a checkpoint that is not newer, and a node that exists, and keeps nothing of either", async () => {
      const store = await openForTest(subject, filling);
      await store.keepCheckpoint(row(30n), [node(10, 0n)]);
      for (const [late, nodes] of [
        [row(30n), []],
        [row(29n), []],
        [row(40n), [node(10, 1n), node(10, 0n)]],
        [{ ...row(40n), publicKey: new Uint8Array(31) }, []],
      ] as const) {
        await expect(store.keepCheckpoint(late, nodes)).rejects.toMatchObject({ code: "BATON-STORE-008" });
      }
      expect(await store.checkpoints("acme", 0n, 10)).toEqual([row(30n)]);
      expect(await store.treeNodes("acme", [node(10, 1n)])).toEqual([undefined]);
      await store.keepCheckpoint(row(40n), [node(10, 1n)]);
    });
  });
}
