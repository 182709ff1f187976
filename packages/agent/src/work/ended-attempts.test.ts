import { describe, expect, it } from "vitest";
import { EndedAttempts } from "./ended-attempts.ts";

describe("ended attempts", () => {
  it("are remembered up to the limit", () => {
    const ended = new EndedAttempts(3);
    for (let id = 0; id < 20; id++) {
      ended.add(`d-${id}`);
      const newest = [id, id - 1, id - 2].filter((one) => one >= 0);
      expect(newest.every((one) => ended.has(`d-${one}`))).toBe(true);
    }
  });

  it("are forgotten beyond twice the limit", () => {
    const ended = new EndedAttempts(3);
    for (let id = 0; id < 20; id++) ended.add(`d-${id}`);
    const known = Array.from({ length: 20 }, (_, id) => id).filter((id) => ended.has(`d-${id}`));
    expect(known.length).toBeLessThanOrEqual(6);
  });
});
