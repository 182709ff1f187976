import { describe, expect, it } from "vitest";
import {
  auditRow,
  batch,
  callRow,
  content,
  eventRow,
  heldRow,
  pipelineRow,
  startMs,
  timer,
  transition,
} from "./rows.ts";
import { openForTest, pagesOf, readAll, type StoreUnderTest } from "./under-test.ts";

export function recoveryCases(subject: StoreUnderTest): void {
  describe("reads for recovery", () => {
    it("returns nothing from an empty store", async () => {
      const store = await openForTest(subject);
      expect(await store.heads()).toEqual([]);
      expect(await store.newestMs()).toBe(0);
      expect(await readAll(store.openJournals())).toEqual([]);
      expect(await readAll(store.fleet())).toEqual([]);
      expect(await store.outbox()).toEqual([]);
      expect(await store.timers()).toEqual([]);
      expect(await store.pipeline("p1")).toBeUndefined();
      expect(await store.escalation("e1")).toBeUndefined();
      expect(await store.events("acme", 0n, 10)).toEqual([]);
      expect(await store.check()).toEqual([]);
    });

    it("[PIP-11] sees all of a batch or nothing of it while it is committed", async () => {
      const store = await openForTest(subject);
      const ids = Array.from({ length: 30 }, (_, index) => `p${index}`);
      let seen = 0;
      const look = async () => {
        // They fit into one page.
        const [journals = []] = await pagesOf(store.openJournals());
        const version = journals[0]?.version ?? 0;
        expect(version).toBeGreaterThanOrEqual(seen);
        for (const { texts, contents, version: other } of journals) {
          expect([other, texts.length, contents.size]).toEqual([version, version, version]);
        }
        seen = version;
      };
      for (let version = 0; version < 20; version++) {
        let isDone = false;
        const transitions = ids.map((id) =>
          transition(id, version, { contents: [content(`${id} ${version}`)] }),
        );
        const done = store.commit(batch({ transitions })).finally(() => {
          isDone = true;
        });
        while (!isDone) {
          await look();
          await new Promise((resolve) => setImmediate(resolve));
        }
        await done;
        await look();
        expect(seen).toBe(version + 1);
      }
    });

    it("[OBS-02] returns the ends of the audit record and the events of each tenant", async () => {
      const [last, other] = [auditRow("acme", 2n), auditRow("b", 1n)];
      const store = await openForTest(
        subject,
        batch({ audit: [auditRow("acme", 1n), other, last], events: [eventRow("acme", 1n, 4n)] }),
        batch({ events: [eventRow("c", 1n, 1n), eventRow("acme", 5n, 5n), eventRow("c", 2n, 9n)] }),
        batch({ transitions: [transition("p1", 0, { row: pipelineRow("p1", { tenantId: "d" }) })] }),
      );
      const heads = (await store.heads()).toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1));
      expect(heads).toEqual([
        { tenantId: "acme", auditSequence: 2n, auditHash: last.hash, eventSequence: 5n },
        { tenantId: "b", auditSequence: 1n, auditHash: other.hash, eventSequence: 0n },
        { tenantId: "c", auditSequence: 0n, auditHash: undefined, eventSequence: 9n },
      ]);
    });

    it("returns the newest time of any row, also when a later row is older", async () => {
      const moved = (version: number, updatedAtMs: number) =>
        batch({ transitions: [transition("p1", version, { row: pipelineRow("p1", { updatedAtMs }) })] });
      const store = await openForTest(subject, moved(0, startMs + 5), moved(1, startMs + 2));
      expect(await store.newestMs()).toBe(startMs + 5);
    });

    it("[PIP-11] returns the journals of all open pipelines, each once", async () => {
      const ids = Array.from({ length: 200 }, (_, index) => `p${index}`);
      const ended = pipelineRow("done", { ended: true, status: "COMPLETED", view: new Uint8Array([1]) });
      const store = await openForTest(
        subject,
        batch({
          transitions: [...ids.map((id) => transition(id, 0)), transition("done", 0, { row: ended })],
        }),
        batch({
          transitions: [transition("p7", 1, { row: { ...ended, pipelineId: "p7" } }), transition("p8", 1)],
        }),
      );
      const found = await readAll(store.openJournals());
      expect(new Set(found.map(({ pipelineId }) => pipelineId))).toEqual(
        new Set(ids.filter((id) => id !== "p7")),
      );
      expect(found).toHaveLength(199);
      expect(found.find(({ pipelineId }) => pipelineId === "p8")).toMatchObject({
        version: 2,
        texts: ["p8 from 0", "p8 from 1"],
      });
      // What has ended can still be read by its id.
      expect(await store.journal("p7")).toMatchObject({ version: 2 });
      expect(await store.pipeline("done")).toEqual(ended);
    });

    it("[PIP-11] keeps commands until they complete, in the order of their ids", async () => {
      const command = (id: number, pipelineId: string) => ({ id, pipelineId, text: `command ${id}` });
      const store = await openForTest(
        subject,
        batch({
          transitions: [
            transition("p1", 0, { commands: [command(7, "p1"), command(9, "p1")] }),
            transition("p2", 0, { commands: [command(8, "p2")] }),
          ],
        }),
        batch({
          completedCommands: [9, 12345],
          transitions: [transition("p2", 1, { commands: [command(10, "p2")] })],
        }),
      );
      expect(await store.outbox()).toEqual([command(7, "p1"), command(8, "p2"), command(10, "p2")]);
      await store.commit(batch({ completedCommands: [7, 8, 10] }));
      expect(await store.outbox()).toEqual([]);
    });

    it("[PIP-09] keeps timers until they are cleared or have fired, each with the time set last", async () => {
      const store = await openForTest(
        subject,
        batch({
          transitions: [
            transition("p1", 0, { timersSet: [timer("p1", "a", 10), timer("p1", "b", 20)] }),
            transition("p2", 0, { timersSet: [timer("p2", "a", 30), timer("p2", "b", 40)] }),
          ],
        }),
        batch({
          transitions: [
            transition("p1", 1, { timersSet: [timer("p1", "a", 11)], timersCleared: ["b", "unknown"] }),
          ],
          firedTimers: [timer("p2", "a", 30), timer("p9", "a", 1)],
        }),
      );
      const left = async () =>
        (await store.timers()).map(({ pipelineId, timerId, atMs }) => [pipelineId, timerId, atMs]);
      expect((await left()).toSorted()).toEqual([
        ["p1", "a", 11],
        ["p2", "b", 40],
      ]);
    });

    it("[PIP-09] keeps a timer that was set to another time since it fired", async () => {
      const store = await openForTest(
        subject,
        batch({ transitions: [transition("p1", 0, { timersSet: [timer("p1", "a", 10)] })] }),
        batch({ transitions: [transition("p1", 1, { timersSet: [timer("p1", "a", 20)] })] }),
        batch({ firedTimers: [timer("p1", "a", 10)] }),
      );
      expect(await store.timers()).toEqual([timer("p1", "a", 20)]);
      // Set again, even to the same time, by the transition that handled its firing.
      await store.commit(
        batch({
          firedTimers: [timer("p1", "a", 20)],
          transitions: [transition("p1", 2, { timersSet: [timer("p1", "a", 20)] })],
        }),
      );
      expect(await store.timers()).toEqual([timer("p1", "a", 20)]);
      await store.commit(batch({ firedTimers: [timer("p1", "a", 20)] }));
      expect(await store.timers()).toEqual([]);
    });

    it("returns fleet records in their order", async () => {
      const rows = Array.from({ length: 2500 }, (_, index) => ({
        tenantId: `t${index % 3}`,
        text: `${index}`,
      }));
      const store = await openForTest(
        subject,
        batch({ fleet: rows.slice(0, 1200) }),
        batch({ fleet: rows.slice(1200) }),
      );
      expect(await readAll(store.fleet())).toEqual(rows);
    });

    it("keeps texts in any script, empty ones, and large ones", async () => {
      const texts = ["", "Grüße, 世界 \u{1f642}", "zero \0 inside", "x".repeat(3_000_000)];
      const store = await openForTest(subject);
      for (const [version, text] of texts.entries()) {
        await store.commit(
          batch({ transitions: [transition("p1", version, { records: { text, count: 1 } })] }),
        );
      }
      expect((await store.journal("p1"))?.texts).toEqual(texts);
    });

    it("[TUR-05] returns the tool calls that have not ended, also after it is opened again", async () => {
      const { store: first, reopen, dispose } = await subject.open();
      try {
        const { dispatchId } = callRow("p1", "c1");
        await first.commit(
          batch({
            transitions: [transition("p1", 0)],
            callsBegun: [callRow("p1", "c1"), callRow("p1", "c2", { atMs: startMs + 1 })],
          }),
        );
        await first.commit(
          batch({
            callsBegun: [callRow("p1", "c2", { tool: "another" }), callRow("p1", "c3")],
            callsEnded: [
              { dispatchId, callId: "c1" },
              { dispatchId, callId: "c3" },
              { dispatchId, callId: "c9" },
            ],
          }),
        );
        const store = (await reopen?.()) ?? first;
        expect(await store.openCalls()).toEqual([callRow("p1", "c2", { atMs: startMs + 1 })]);
      } finally {
        await dispose();
      }
    });

    it("[TUR-06] returns the last held-back text of an attempt, also after it is opened again", async () => {
      const { store: first, reopen, dispose } = await subject.open();
      try {
        const transitions = ["p1", "p2", "p3"].map((pipelineId) => transition(pipelineId, 0));
        await first.commit(batch({ transitions, held: [heldRow("p1", "wo"), heldRow("p2", "gh")] }));
        await first.commit(batch({ held: [heldRow("p1", "wor"), heldRow("p2", ""), heldRow("p3", "")] }));
        const store = (await reopen?.()) ?? first;
        expect(await store.heldBack()).toEqual([heldRow("p1", "wor")]);
      } finally {
        await dispose();
      }
    });
  });
}
