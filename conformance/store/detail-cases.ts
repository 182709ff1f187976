import { describe, expect, it } from "vitest";
import {
  batch,
  escalationRow,
  eventRow,
  knowledgeRow,
  pipelineRow,
  startMs,
  stepRow,
  transition,
  turnRow,
} from "./rows.ts";
import { openForTest, type StoreUnderTest } from "./under-test.ts";

export function detailCases(subject: StoreUnderTest): void {
  describe("details", () => {
    it("returns a pipeline as its last transition left it", async () => {
      const late = pipelineRow("p1", {
        ended: true,
        status: "FAILED",
        view: new Uint8Array([2]),
        updatedAtMs: startMs + 9,
      });
      const store = await openForTest(
        subject,
        batch({ transitions: [transition("p1", 0)] }),
        batch({ transitions: [transition("p1", 1, { row: { ...late, view: new Uint8Array([1]) } })] }),
        batch({ transitions: [transition("p1", 2, { row: late })] }),
      );
      expect(await store.pipeline("p1")).toEqual(late);
    });

    it("returns an escalation with its answer", async () => {
      const raised = escalationRow("e1", "p1");
      const answered = { ...raised, resolvedAtMs: startMs + 1, escalation: new Uint8Array([1, 2]) };
      const store = await openForTest(
        subject,
        batch({ transitions: [transition("p1", 0, { escalations: [raised] })] }),
      );
      expect(await store.escalation("e1")).toEqual(raised);
      await store.commit(batch({ transitions: [transition("p1", 1, { escalations: [answered] })] }));
      expect(await store.escalation("e1")).toEqual(answered);
    });

    it("returns events of a tenant after a sequence, oldest first, about as many as the limit", async () => {
      const rows = [eventRow("acme", 1n, 3n), eventRow("acme", 4n, 4n), eventRow("acme", 5n, 9n)];
      const store = await openForTest(subject, batch({ events: [...rows, eventRow("b", 1n, 2n)] }));
      expect(await store.events("acme", 0n, 100)).toEqual(rows);
      expect(await store.events("acme", 2n, 100)).toEqual(rows);
      expect(await store.events("acme", 3n, 100)).toEqual(rows.slice(1));
      expect(await store.events("acme", 4n, 100)).toEqual(rows.slice(2));
      expect(await store.events("acme", 9n, 100)).toEqual([]);
      expect(await store.events("acme", 2n ** 63n, 100)).toEqual([]);
      expect(await store.events("acme", 0n, 1)).toEqual(rows.slice(0, 1));
      expect(await store.events("acme", 2n, 2)).toEqual(rows.slice(0, 2));
      expect(await store.events("unknown", 0n, 1)).toEqual([]);
    });

    it("[TUR-02] returns turns by index, in whatever order they were stored, each once", async () => {
      const store = await openForTest(
        subject,
        batch({ transitions: [transition("p1", 0)], turns: [turnRow("p1", 2), turnRow("p1", 0)] }),
        batch({ turns: [turnRow("p1", 2, { envelope: "another" }), turnRow("p1", 7), turnRow("p1", 1)] }),
        batch({ turns: [turnRow("p1", 0, { dispatchId: "p1/implement/2" })] }),
      );
      const attempt = "p1/implement/1";
      expect(await store.turns(attempt, -1, 10)).toEqual([0, 1, 2, 7].map((index) => turnRow("p1", index)));
      expect(await store.turns(attempt, 1, 1)).toEqual([turnRow("p1", 2)]);
      expect(await store.turns("p1/implement/3", -1, 10)).toEqual([]);
      expect(await store.hasTurn(attempt, 7)).toBe(true);
      expect(await store.hasTurn(attempt, 3)).toBe(false);
    });

    it("[TUR-03] returns a turn unchanged, however long", async () => {
      const envelope = JSON.stringify({ thought: "as it was \u{1f642}\u0000 ".repeat(100_000) });
      const store = await openForTest(
        subject,
        batch({ transitions: [transition("p1", 0)], turns: [turnRow("p1", 0, { envelope })] }),
      );
      const [kept] = await store.turns("p1/implement/1", -1, 1);
      expect(kept?.envelope === envelope).toBe(true);
    });

    it("[PIP-11] returns steps by ordinal, each as it was last reported, as many as fit", async () => {
      const started = stepRow("p1", 2, { value: new Uint8Array() });
      const store = await openForTest(
        subject,
        batch({ transitions: [transition("p1", 0)], steps: [stepRow("p1", 1), started] }),
        batch({ steps: [stepRow("p1", 3), stepRow("p1", 1, { dispatchId: "p1/implement/2" })] }),
      );
      const attempt = "p1/implement/1";
      expect(await store.steps(attempt, 0, 10, 1_000)).toEqual([stepRow("p1", 1), started, stepRow("p1", 3)]);
      await store.commit(batch({ steps: [stepRow("p1", 2, { atMs: startMs + 9 })] }));
      const ended = stepRow("p1", 2, { atMs: startMs + 9 });
      const all = [stepRow("p1", 1), ended, stepRow("p1", 3)];
      expect(await store.steps(attempt, 0, 10, 1_000)).toEqual(all);
      expect(await store.steps(attempt, 1, 1, 1_000)).toEqual([ended]);
      expect(await store.steps(attempt, 0, 10, ended.valueBytes * 2)).toEqual(all.slice(0, 2));
      expect(await store.steps(attempt, 0, 10, 1)).toEqual(all.slice(0, 1));
      const bare = all.map((row) => ({ ...row, value: new Uint8Array() }));
      expect(await store.steps(attempt, 0, 10, 0)).toEqual(bare);
      expect(await store.steps("p1/implement/3", 0, 10, 1_000)).toEqual([]);
    });

    it("[SAP-05] returns knowledge of a tenant and topic, the newest first, of one key or of all", async () => {
      const other = knowledgeRow("a", { tenantId: "zenith" });
      const store = await openForTest(
        subject,
        batch({ knowledge: [knowledgeRow("a"), knowledgeRow("b"), other] }),
        batch({
          knowledge: [knowledgeRow("a", { atMs: startMs + 1 }), knowledgeRow("a", { topic: "signal" })],
        }),
      );
      const cache = { tenantId: "acme", topic: "cache", limit: 10 };
      const all = await store.knowledge(cache);
      expect(all.map(({ sequence: _, ...row }) => row)).toEqual([
        knowledgeRow("a", { atMs: startMs + 1 }),
        knowledgeRow("b"),
        knowledgeRow("a"),
      ]);
      expect(all.map(({ sequence }) => sequence)).toEqual(
        all.map(({ sequence }) => sequence).toSorted((a, b) => b - a),
      );
      expect(await store.knowledge({ ...cache, key: "a" })).toEqual([all[0], all[2]]);
      expect(await store.knowledge({ ...cache, limit: 1 })).toEqual([all[0]]);
      expect(await store.knowledge({ ...cache, before: all[0]?.sequence ?? 0 })).toEqual(all.slice(1));
      expect(await store.knowledge({ ...cache, tenantId: "nobody" })).toEqual([]);
      expect(await store.knowledge({ ...cache, key: "c" })).toEqual([]);
    });

    it("[TUR-02] returns the state of every stage that moved, and its last commit", async () => {
      const moved = (stageId: string, state: string, headHash?: string) => ({ stageId, state, headHash });
      const store = await openForTest(
        subject,
        batch({ transitions: [transition("p1", 0, { tasks: [moved("b", "READY"), moved("a", "READY")] })] }),
        batch({ transitions: [transition("p1", 1, { tasks: [moved("a", "COMPLETED", "c0ffee")] })] }),
        batch({ transitions: [transition("p1", 2, { tasks: [moved("a", "READY")] })] }),
      );
      expect(await store.tasks("p1")).toEqual([moved("a", "READY", "c0ffee"), moved("b", "READY")]);
      expect(await store.tasks("p2")).toEqual([]);
    });
  });
}
