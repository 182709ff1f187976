import { expect, it } from "vitest";
import { SharedMemory } from "./shared-memory.ts";

it("returns disjoint regions, whatever maximum was requested", () => {
  const memory = new SharedMemory(64);
  const kept = Array.from({ length: 50 }, (_, number) => {
    const bytes = (number % 5) + 1;
    const room = memory.room(16)?.subarray(0, bytes).fill(number);
    memory.keep(bytes);
    return room;
  });
  for (const [number, room] of kept.entries())
    expect([...(room ?? [])]).toEqual(Array(room?.length).fill(number));
  expect(new Set(kept.map((room) => room?.buffer)).size).toBeLessThan(kept.length / 2);
  expect(memory.room(17)).toBeUndefined();
});
