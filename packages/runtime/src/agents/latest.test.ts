import { expect, test } from "vitest";
import { Latest } from "./latest.ts";

test.each([2, 3, 5, 10])("of %i, the latest half is always there, and never more than so many", (most) => {
  const latest = new Latest<number, string>(most);
  for (let key = 0; key < 200; key++) {
    latest.set(key, `value ${key}`);
    const kept = Array.from({ length: key + 1 }, (_, place) => place).filter((place) => latest.has(place));
    expect(kept.length).toBeLessThanOrEqual(most);
    for (let place = Math.max(0, key + 1 - Math.floor(most / 2)); place <= key; place++)
      expect(latest.get(place)).toBe(`value ${place}`);
  }
});

test("what is set again is the latest again, with its new value", () => {
  const latest = new Latest<string, number>(4);
  latest.set("kept", 1);
  for (let other = 0; other < 100; other++) {
    latest.set(`other ${other}`, other);
    latest.set("kept", other);
    expect(latest.get("kept")).toBe(other);
  }
});

test("what is deleted is gone, and a value may be undefined", () => {
  const latest = new Latest<string, number | undefined>(2);
  latest.set("one", 1);
  latest.set("two", undefined);
  latest.set("three", undefined);
  expect([latest.has("two"), latest.get("two")]).toEqual([true, undefined]);
  latest.delete("two");
  latest.delete("three");
  expect([latest.has("two"), latest.has("three")]).toEqual([false, false]);
});
