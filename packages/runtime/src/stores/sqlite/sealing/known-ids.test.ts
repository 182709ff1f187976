import { randomBytes } from "node:crypto";
import { expect, it, vi } from "vitest";
import { KnownIds } from "./known-ids.ts";
import { Seal } from "./seal.ts";

it("remembers an id of the usual length, and none that is so long that many of them would fill the memory", () => {
  const seal = new Seal(randomBytes(32));
  const [sealing, opening] = [vi.spyOn(seal, "sealId"), vi.spyOn(seal, "openId")];
  const ids = new KnownIds(seal);
  for (const [id, times] of [
    ["timeout of a stage", 1],
    ["x".repeat(2_000), 3],
  ] as const) {
    sealing.mockClear();
    opening.mockClear();
    for (let time = 0; time < 3; time++) expect(ids.opened(ids.sealed(id))).toBe(id);
    expect([sealing, opening].map(({ mock }) => mock.calls.length)).toEqual([times, times]);
  }
});
