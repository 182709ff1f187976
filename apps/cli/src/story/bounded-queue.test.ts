import { describe, expect, it } from "vitest";
import { BoundedQueue } from "./bounded-queue.ts";

describe("a mailbox", () => {
  it("makes the writer wait while it is full", async () => {
    const box = new BoundedQueue<number>(2);
    await box.put(1);
    await box.put(2);
    let isIn = false;
    const third = box.put(3).then(() => {
      isIn = true;
    });
    await Promise.resolve();
    expect(isIn).toBe(false);
    expect(await box.takeAll()).toEqual([1, 2, 3]);
    await third;
    expect(isIn).toBe(true);
  });

  it("gives what it has, wakes at the bell, and says when nothing comes in time or any more", async () => {
    const box = new BoundedQueue<string>(10);
    const first = box.takeAll();
    await box.put("a");
    expect(await first).toEqual(["a"]);
    const rung = box.takeAll();
    box.wakeUp();
    expect(await rung).toEqual([]);
    expect(await box.takeAll(1)).toBe("late");
    await box.put("b");
    box.close();
    expect([await box.takeAll(), await box.takeAll()]).toEqual([["b"], "closed"]);
  });

  it("gives out of turn what fits", async () => {
    const box = new BoundedQueue<number>(10);
    for (const item of [1, 2, 3]) await box.put(item);
    expect(box.takeWhere((item) => item === 2)).toEqual([2]);
    expect(await box.takeAll()).toEqual([1, 3]);
  });
});
