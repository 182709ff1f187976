import { describe, expect, it } from "vitest";
import { expectOutput, Follower } from "./follow-page.ts";
import { notFollowed } from "./not-followed.ts";
import { guides } from "./pages.ts";
import { readPage } from "./read-page.ts";
import { stories } from "./stories/index.ts";

describe.concurrent("a reader who does what a page says", () => {
  it.for(guides)("gets what it promises: %s", async (name, { onTestFinished }) => {
    const page = new Follower(name, onTestFinished);
    await stories[name]?.(page);
    page.end();
  });
});

it("fails for a page with a block that nobody follows, and for a placeholder that the page does not have", ({
  onTestFinished,
}) => {
  const page = new Follower("docs/how-to/steer-a-run.md", onTestFinished);
  expect(() => page.end()).toThrow("blocks that nobody follows: expected [ …(6) ]");
  const empty = new Follower("docs/how-to/use-the-dashboard.md", onTestFinished);
  empty.end();
  empty.put({ "p-00000000": "p-1" });
  expect(() => empty.end()).toThrow("placeholders that the page does not have");
});

it("compares each line of an output, in its order, with what was printed", () => {
  const expected = "[...]\nbuild  4s\n[...]\nrun 64bd… ended";
  const compare = (printed: string) => () => expectOutput(printed, expected);
  expect(compare("begin\nbuild   17ms\nmore\nrun 64bdffee ended")).not.toThrow();
  expect(compare("run 64bd ended\nbuild 4s")).toThrow("not in this order");
  expect(compare("build 4s\nrun 64bd failed")).toThrow('"run 64bd… ended" is not printed');
});

describe("what is not followed", () => {
  it.for(notFollowed)("is on its page: $page, $beginning", ({ page, beginning, reason }) => {
    expect(readPage(page).filter(({ text }) => text.startsWith(beginning))).not.toEqual([]);
    expect(reason).not.toBe("");
  });

  it("has a story for no page that is not there", () => {
    expect(Object.keys(stories).filter((name) => !guides.includes(name))).toEqual([]);
  });
});
