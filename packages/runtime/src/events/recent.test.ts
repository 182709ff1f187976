import { describe, expect, it } from "vitest";
import { Recent } from "./recent.ts";

describe("what was made of the newest", () => {
  const things = Array.from({ length: 5 }, (_, place) => ({ place }));
  const known = (recent: Recent<object, number>) => things.flatMap((thing) => recent.get(thing) ?? []);

  it("[TUR-04] is there while they have no more bytes than allowed, and the oldest are forgotten first", () => {
    const recent = new Recent<object, number>(30);
    for (const thing of things) recent.set(thing, thing.place, 10);
    expect(known(recent)).toEqual([2, 3, 4]);
    expect(things.map((thing) => recent.has(thing))).toEqual([false, false, true, true, true]);
  });

  it("[TUR-04] is there of the newest, however large it is, and of no other then", () => {
    const recent = new Recent<object, number>(30);
    for (const thing of things.slice(0, 3)) recent.set(thing, thing.place, thing.place === 2 ? 1_000 : 1);
    expect(known(recent)).toEqual([2]);
    recent.set(things[3] ?? {}, 3, 1);
    expect(known(recent)).toEqual([3]);
  });

  it("[TUR-04] counts a thing once that is made again", () => {
    const recent = new Recent<object, number>(30);
    for (const made of [7, 8, 9]) recent.set(things[0] ?? {}, made, 20);
    recent.set(things[1] ?? {}, 1, 10);
    expect(known(recent)).toEqual([9, 1]);
  });
});
