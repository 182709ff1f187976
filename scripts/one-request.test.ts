import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { inTree } from "./tree.ts";

const page = readFileSync(inTree("docs/explanation/one-request.md"), "utf8");
const hops = [...page.matchAll(/^(\d+)\. `([^`]+)` `([^`]+)`: (.+)$/gm)].map(
  ([, number, file = "", name = "", text = ""]) => ({ number: Number(number), file, name, text }),
);

describe("the walk of one request", () => {
  it("has at most 60 hops, numbered in order, each a sentence", () => {
    expect(hops.length).toBe(page.match(/^\d+\. /gm)?.length);
    expect(hops.map(({ number }) => number)).toEqual(hops.map((_, index) => index + 1));
    expect(hops.length).toBeGreaterThan(20);
    expect(hops.length).toBeLessThanOrEqual(60);
    for (const { text } of hops) expect(text).toMatch(/\.$/);
  });

  it.each(hops)("names a declaration: $file $name", ({ file, name }) => {
    expect(existsSync(inTree(file))).toBe(true);
    expect(declares(readFileSync(inTree(file), "utf8"), name)).toBe(true);
  });

  it("does not accept a call for a declaration", () => {
    expect(declares("  run(work);\nconst other = run(work);\n", "run")).toBe(false);
    expect(declares("class Loop {\n  async run(work: Work): Promise<void> {}\n}", "Loop.run")).toBe(true);
    expect(declares("class Loop {\n  run(work);\n}", "Loop.stop")).toBe(false);
  });
});

/** Whether a source declares a function, or a method as `Class.method`. */
function declares(source: string, name: string): boolean {
  const [owner = "", method] = name.split(".");
  if (method === undefined)
    return new RegExp(String.raw`^(export )?(async )?function\*? ${name}\b`, "m").test(source);
  const start = source.search(new RegExp(String.raw`^(export )?(abstract )?class ${owner}\b`, "m"));
  if (start < 0) return false;
  const end = source.indexOf("\n}", start);
  return new RegExp(String.raw`^  (async )?\*?${method}(<[^>]*>)?\(`, "m").test(source.slice(start, end));
}
