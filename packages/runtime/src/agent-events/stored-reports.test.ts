import { AgentRole, EventSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { writeEvents } from "../events/stored-events.ts";
import type { EventRow } from "../ports/store.ts";
import { StoredReportsReader } from "./stored-reports.ts";

const idOf = (number: number) => `5b8f3c9e-7f0a-4a52-8a51-${String(number).padStart(12, "0")}`;

/** One thought a row, of three attempts in turn. */
function rowOf(place: number): EventRow {
  const value = { agentId: AgentRole.DEVELOPER, turnIndex: 0, chunk: `${place} `, isFinal: false };
  const payload = { case: "thoughtStream", value } as const;
  const event = create(EventSchema, { eventId: idOf(place), sessionId: "s", payload });
  const about = { pipelineId: "p", stageId: "task", dispatchId: `p/task/${place % 3}` };
  const sequence = BigInt(place + 1);
  const events = Uint8Array.from(writeEvents([{ ...about, event, joined: [idOf(place + 5_000)] }]));
  return { tenantId: "t", firstSequence: sequence, lastSequence: sequence, atMs: place, events };
}

it("[TUR-04] stored reports are read once for all look-ups, and other work goes on in between", async () => {
  const rows = Array.from({ length: 1_000 }, (_, place) => rowOf(place));
  let read = 0;
  let turns = 0;
  const reader = new StoredReportsReader({
    store: {
      events: async (_tenantId, after, limit) => {
        const some = rows.slice(Number(after), Number(after) + limit);
        read += some.length;
        return some;
      },
    },
    lastEvent: () => 1_000n,
    startedMs: 1_000,
    soon: (callback) => setImmediate(callback),
  });
  const timer = setInterval(() => turns++, 0);
  const wanted = [0, 1].map((attempt) => ({ tenantId: "t", dispatchId: `p/task/${attempt}`, sinceMs: 400 }));
  const [first, second] = await Promise.all(wanted.map((one) => reader.find(one)));
  clearInterval(timer);
  // 600 rows since then, and the few by which they were found.
  expect(read).toBeLessThan(620);
  expect(turns).toBeGreaterThan(0);
  // Of the first: every third, also by the id of what became a part of it; nothing of another attempt or from before.
  expect([402, 5_402, 401, 399].map((place) => first?.has(idOf(place)))).toEqual([true, true, false, false]);
  expect(first?.receive(idOf(402))).toBe("stored");
  expect(first?.receive(idOf(402))).toBe("received");
  expect(second?.has(idOf(403))).toBe(true);
  const text = Array.from({ length: 200 }, (_, index) => `${400 + 3 * index} `).join("");
  expect(second?.turns.get(0)?.published?.restOf(`${text}and on`)).toBe("and on");
});
