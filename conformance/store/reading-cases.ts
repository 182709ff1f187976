import { describe, expect, it } from "vitest";
import {
  auditRow,
  batch,
  content,
  escalationRow,
  eventRow,
  pipelineRow,
  startMs,
  timer,
  transition,
} from "./rows.ts";
import { openForTest, pagesOf, readAll, type StoreUnderTest } from "./under-test.ts";

export function readingCases(subject: StoreUnderTest): void {
  describe("reads", () => {
    it("tells nothing when nothing is stored", async () => {
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
        // They are few enough to come at once.
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

    it("[OBS-02] tells where the record and the events of each tenant end", async () => {
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

    it("[OBS-02] hands over entries that came at once as they were given, many and large ones too", async () => {
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

    it("tells the newest instant of any row, also when a later row is older", async () => {
      const moved = (version: number, updatedAtMs: number) =>
        batch({ transitions: [transition("p1", version, { row: pipelineRow("p1", { updatedAtMs }) })] });
      const store = await openForTest(subject, moved(0, startMs + 5), moved(1, startMs + 2));
      expect(await store.newestMs()).toBe(startMs + 5);
    });

    it("[PIP-11] hands over the journals of all pipelines that have not ended, each once", async () => {
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

    it("shows a pipeline as its last transition left it", async () => {
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

    it("[PIP-11] keeps commands until they were carried out, in the order of their ids", async () => {
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
          carriedOut: [9, 12345],
          transitions: [transition("p2", 1, { commands: [command(10, "p2")] })],
        }),
      );
      expect(await store.outbox()).toEqual([command(7, "p1"), command(8, "p2"), command(10, "p2")]);
      await store.commit(batch({ carriedOut: [7, 8, 10] }));
      expect(await store.outbox()).toEqual([]);
    });

    it("[PIP-09] keeps timers until they are cleared or have rung, each at the time it was set to last", async () => {
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
          rung: [timer("p2", "a", 30), timer("p9", "a", 1)],
        }),
      );
      const left = async () =>
        (await store.timers()).map(({ pipelineId, timerId, atMs }) => [pipelineId, timerId, atMs]);
      expect((await left()).toSorted()).toEqual([
        ["p1", "a", 11],
        ["p2", "b", 40],
      ]);
    });

    it("[PIP-09] does not take a timer away that was set to another time since it rang", async () => {
      const store = await openForTest(
        subject,
        batch({ transitions: [transition("p1", 0, { timersSet: [timer("p1", "a", 10)] })] }),
        batch({ transitions: [transition("p1", 1, { timersSet: [timer("p1", "a", 20)] })] }),
        batch({ rung: [timer("p1", "a", 10)] }),
      );
      expect(await store.timers()).toEqual([timer("p1", "a", 20)]);
      // Set again by the very transition that dealt with its ringing, even to the same time.
      await store.commit(
        batch({
          rung: [timer("p1", "a", 20)],
          transitions: [transition("p1", 2, { timersSet: [timer("p1", "a", 20)] })],
        }),
      );
      expect(await store.timers()).toEqual([timer("p1", "a", 20)]);
      await store.commit(batch({ rung: [timer("p1", "a", 20)] }));
      expect(await store.timers()).toEqual([]);
    });

    it("hands over what was decided about the fleet in its order", async () => {
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

    it("shows an escalation as it is once answered", async () => {
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

    it("hands over events of one tenant from a sequence on, oldest first, about as many as were asked for", async () => {
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
  });
}
