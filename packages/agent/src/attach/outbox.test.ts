import { AttachAgentRequestSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Backoff } from "../outage.ts";
import { encodeEntry, Outbox, type OutboxEntry } from "./outbox.ts";

const event = { case: "event", value: { eventId: "e", sessionId: "s" } } as const;
const turn = { case: "turn", value: { turnIndex: 0 } } as const;
const result = { case: "result", value: { taskId: "t" } } as const;

function message(sequence: number, body: typeof event | typeof turn | typeof result): OutboxEntry {
  const numbered = { sequence: BigInt(sequence), dispatchId: `d${sequence}`, message: body };
  return encodeEntry(create(AttachAgentRequestSchema, numbered));
}

const kept = (outbox: Outbox) => outbox.above(0n).map(({ message }) => Number(message.sequence));

describe("the outbox", () => {
  it("drops events first, then turns, never results", () => {
    const outbox = new Outbox({ messages: 3, bytes: 1_000_000 });
    for (const [sequence, body] of [turn, event, result].entries()) outbox.add(message(sequence + 1, body));
    expect(outbox.add(message(4, result))).toBe(1);
    expect(kept(outbox)).toEqual([1, 3, 4]);
    expect(outbox.add(message(5, result))).toBe(1);
    expect(kept(outbox)).toEqual([3, 4, 5]);
    expect(outbox.add(message(6, result))).toBe(0);
    expect(kept(outbox)).toEqual([3, 4, 5, 6]);
  });

  it("is bounded in bytes", () => {
    const outbox = new Outbox({ messages: 100, bytes: 60 });
    for (let sequence = 1; sequence <= 50; sequence++) outbox.add(message(sequence, event));
    expect(outbox.size).toBeLessThan(10);
    expect(kept(outbox).at(-1)).toBe(50);
  });

  it("forgets messages that the hub acknowledged or refused", () => {
    const outbox = new Outbox();
    for (let sequence = 1; sequence <= 4; sequence++) outbox.add(message(sequence, result));
    outbox.acknowledge(2n);
    expect(kept(outbox)).toEqual([3, 4]);
    expect(outbox.remove(3n)?.dispatchId).toBe("d3");
    expect(outbox.remove(3n)).toBeUndefined();
    expect(kept(outbox)).toEqual([4]);
  });
});

describe("the backoff", () => {
  it("has full jitter below a bound that doubles from 100 ms to 2 s", () => {
    const backoff = new Backoff(() => 1);
    const waits = Array.from({ length: 8 }, () => {
      backoff.streamEnded(undefined);
      return backoff.nextMs();
    });
    expect(waits).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
    const none = new Backoff(() => 0);
    none.streamEnded(undefined);
    expect(none.nextMs()).toBe(0);
  });

  it("is reset by a welcome, except when streams keep ending at once", () => {
    const backoff = new Backoff(() => 1);
    for (let failures = 0; failures < 5; failures++) backoff.streamEnded(undefined);
    backoff.streamEnded(60_000);
    expect(backoff.nextMs()).toBe(100);
    for (let short = 0; short < 3; short++) backoff.streamEnded(10);
    expect(backoff.nextMs()).toBe(400);
  });
});
