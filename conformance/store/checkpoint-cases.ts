import type { CheckpointRow, KeptNode, Store } from "@baton/runtime";
import { describe, expect, it } from "vitest";
import { auditRow, batch } from "./rows.ts";
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

function node(level: number, index: bigint): KeptNode {
  return { level, index, hash: new Uint8Array(32).fill(level) };
}

async function recordOf(store: Store, after: bigint, limit: number): Promise<readonly bigint[]> {
  return (await store.auditRecord("acme", after, limit)).map(({ sequence }) => sequence);
}

export function checkpointCases(subject: StoreUnderTest): void {
  describe("[OBS-04] what vouches for the record", () => {
    it("hands over a tenant's record in its order, from any entry on, as it was stored", async () => {
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

    it("refuses a checkpoint that does not go on, and a node that is there, and keeps nothing of either", async () => {
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
