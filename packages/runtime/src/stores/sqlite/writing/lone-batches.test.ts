import { batch, transition } from "@baton/conformance/store/rows.ts";
import { describe, expect, it } from "vitest";
import { loneLimits } from "../../limits.ts";
import { LoneBatches } from "./lone-batches.ts";

const one = batch({ transitions: [transition("p1", 0)] });
const two = batch({ transitions: [transition("p1", 0), transition("p2", 0)] });
const told = batch({ callsEnded: [{ dispatchId: "p1/one/1", callId: "c1" }] });
const many = Array.from({ length: 3 }, () => one);

/** What is said of batches, one after another, of which none is on its way when the next one comes. */
function say(lone: LoneBatches, batches: readonly (typeof one)[]): boolean[] {
  return batches.map((next) => lone.isAlone(next, 1000, true));
}

describe("batches that are written at once", () => {
  it("are those that come after some that came one by one", () => {
    expect(say(new LoneBatches(2), [one, one, one, one])).toEqual([false, false, true, true]);
    expect(say(new LoneBatches(0), [one, one])).toEqual([true, true]);
    expect(say(new LoneBatches(Number.POSITIVE_INFINITY), many)).toEqual([false, false, false]);
  });

  it("are not those of several pipelines, nor those by which agents talk, nor large ones, nor any soon after", () => {
    for (const other of [two, told])
      expect(say(new LoneBatches(1), [one, one, other, one, one])).toEqual([false, true, false, false, true]);
    const lone = new LoneBatches(0);
    expect(lone.isAlone(one, loneLimits.bytes, true)).toBe(true);
    expect(lone.isAlone(one, loneLimits.bytes + 1, true)).toBe(false);
  });

  it("are not those that come while another is on its way", () => {
    const lone = new LoneBatches(1);
    expect(say(lone, [one, one])).toEqual([false, true]);
    expect(lone.isAlone(one, 1000, false)).toBe(false);
    expect(say(lone, [one, one])).toEqual([false, true]);
  });

  it("are none for a while where the disk is slow, whatever else comes meanwhile", () => {
    const [fast, slow] = [loneLimits.slowMs, loneLimits.slowMs + 0.1];
    const isAloneAfter = (times: readonly number[]) => {
      const lone = new LoneBatches(0);
      for (const ms of times) lone.took(ms);
      return say(lone, [one])[0];
    };
    const often = (times: readonly number[], count: number) =>
      Array.from({ length: count }, () => times).flat();
    expect(isAloneAfter([slow, slow])).toBe(true);
    expect(isAloneAfter([slow, slow, slow])).toBe(false);
    expect(isAloneAfter(often([slow, fast], 4))).toBe(false);
    expect(isAloneAfter(often([slow, fast, fast, fast, fast], 100))).toBe(true);
    expect(isAloneAfter([loneLimits.tooLongMs])).toBe(true);
    expect(isAloneAfter([loneLimits.tooLongMs + 0.1])).toBe(false);

    const lone = new LoneBatches(0);
    for (const ms of [slow, slow, slow]) lone.took(ms);
    const waiting = Array.from({ length: loneLimits.afterSlow }, (_, place) => (place % 2 === 0 ? one : two));
    expect(say(lone, waiting)).not.toContain(true);
    expect(say(lone, [...waiting, one])).toContain(true);
  });
});
