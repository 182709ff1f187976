import { describe, expect, it } from "vitest";
import { type Draft, maxKept, maxLength, readDrafts, storeDrafts } from "./kept-drafts.ts";

/** A tab that keeps texts by name. */
function tab(text?: string) {
  const texts = new Map<string, string>(text === undefined ? [] : [["baton.drafts", text]]);
  return {
    texts,
    getItem: (name: string) => texts.get(name) ?? null,
    setItem: (name: string, value: string) => void texts.set(name, value),
    removeItem: (name: string) => void texts.delete(name),
  };
}

describe("what is being written in the inbox", () => {
  it("[SAC-07] is there again after a reload, in its own words and without what was only chosen", () => {
    const storage = tab();
    const draft = { verdict: "approve", target: "build", reason: "it is Monday", instructions: "" };
    storeDrafts(storage, new Map<string, Draft>([["p/e1", draft]]));
    expect([...readDrafts(storage)]).toEqual([["p/e1", { reason: "it is Monday" }]]);
  });

  it("[SAC-07] leaves nothing behind when it is answered", () => {
    const storage = tab();
    storeDrafts(storage, new Map([["p/e1", { answer: "round" }]]));
    storeDrafts(storage, new Map());
    expect(storage.texts.size).toBe(0);
  });

  it("is limited in number and size: the newest are kept, and none that is too long", () => {
    const storage = tab();
    const many = Array.from({ length: maxKept + 10 }, (_, place) => [`e${place}`, { answer: "x" }] as const);
    storeDrafts(storage, new Map([...many, ["long", { answer: "x".repeat(maxLength + 1) }]]));
    const kept = [...readDrafts(storage).keys()];
    expect(kept).toEqual(many.slice(-maxKept).map(([id]) => id));
  });

  it.each([
    "{",
    "null",
    "3",
    '["e1"]',
    '[["e1"]]',
    "[[1,{}]]",
    '[["e1",null]]',
    '[["e1",{"answer":3,"verdict":"abort"}]]',
  ])("takes %s for nothing", (text) => {
    expect(readDrafts(tab(text)).size).toBe(0);
  });

  it("does without a browser that keeps nothing", () => {
    const refuse = () => {
      throw new DOMException("no", "QuotaExceededError");
    };
    const storage = { getItem: refuse, setItem: refuse, removeItem: refuse };
    storeDrafts(storage, new Map([["e1", { answer: "round" }]]));
    expect(readDrafts(storage).size).toBe(0);
  });
});
