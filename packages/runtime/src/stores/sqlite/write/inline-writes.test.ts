import { batch, transition } from "@baton/conformance/store/rows.ts";
import { describe, expect, it } from "vitest";
import { inlineWriteLimits } from "../../limits.ts";
import { InlineWritePolicy } from "./inline-writes.ts";

const one = batch({ transitions: [transition("p1", 0)] });
const two = batch({ transitions: [transition("p1", 0), transition("p2", 0)] });
const reported = batch({ callsEnded: [{ dispatchId: "p1/one/1", callId: "c1" }] });
const many = Array.from({ length: 3 }, () => one);

/** What is said of batches, one after another, of which none is on its way when the next one comes. */
function say(policy: InlineWritePolicy, batches: readonly (typeof one)[]): boolean[] {
  return batches.map((next) => policy.isInline(next, 1000, true));
}

describe("batches that are written at once", () => {
  it("are those that come after some that came one by one", () => {
    expect(say(new InlineWritePolicy(2), [one, one, one, one])).toEqual([false, false, true, true]);
    expect(say(new InlineWritePolicy(0), [one, one])).toEqual([true, true]);
    expect(say(new InlineWritePolicy(Number.POSITIVE_INFINITY), many)).toEqual([false, false, false]);
  });

  it("are not those of several pipelines, nor those by which agents talk, nor large ones, nor any soon after", () => {
    for (const other of [two, reported])
      expect(say(new InlineWritePolicy(1), [one, one, other, one, one])).toEqual([
        false,
        true,
        false,
        false,
        true,
      ]);
    const policy = new InlineWritePolicy(0);
    expect(policy.isInline(one, inlineWriteLimits.bytes, true)).toBe(true);
    expect(policy.isInline(one, inlineWriteLimits.bytes + 1, true)).toBe(false);
  });

  it("are not those that come while another is on its way", () => {
    const policy = new InlineWritePolicy(1);
    expect(say(policy, [one, one])).toEqual([false, true]);
    expect(policy.isInline(one, 1000, false)).toBe(false);
    expect(say(policy, [one, one])).toEqual([false, true]);
  });

  it("are none for a while where the disk is slow, whatever else comes meanwhile", () => {
    const [fast, slow] = [inlineWriteLimits.slowMs, inlineWriteLimits.slowMs + 0.1];
    const isAloneAfter = (times: readonly number[]) => {
      const policy = new InlineWritePolicy(0);
      for (const ms of times) policy.took(ms);
      return say(policy, [one])[0];
    };
    const often = (times: readonly number[], count: number) =>
      Array.from({ length: count }, () => times).flat();
    expect(isAloneAfter([slow, slow])).toBe(true);
    expect(isAloneAfter([slow, slow, slow])).toBe(false);
    expect(isAloneAfter(often([slow, fast], 4))).toBe(false);
    expect(isAloneAfter(often([slow, fast, fast, fast, fast], 100))).toBe(true);
    expect(isAloneAfter([inlineWriteLimits.tooLongMs])).toBe(true);
    expect(isAloneAfter([inlineWriteLimits.tooLongMs + 0.1])).toBe(false);

    const policy = new InlineWritePolicy(0);
    for (const ms of [slow, slow, slow]) policy.took(ms);
    const waiting = Array.from({ length: inlineWriteLimits.afterSlow }, (_, place) =>
      place % 2 === 0 ? one : two,
    );
    expect(say(policy, waiting)).not.toContain(true);
    expect(say(policy, [...waiting, one])).toContain(true);
  });
});
