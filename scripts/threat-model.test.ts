import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isInTree, root } from "./tree.ts";

test("the threat model names tests that are there, one or more for every threat", () => {
  const text = readFileSync(join(root, "docs/explanation/threat-model.md"), "utf8");
  const [, table = ""] = /\| threat \| mechanism \| test \|\n\|[-|]+\n((?:\|.*\n)+)/.exec(text) ?? [];
  const rows = table.trim().split("\n");
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const [, test = ""] = /\| ([^|]+) \|$/.exec(row) ?? [];
    const paths = [...test.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
    expect(paths, row).not.toEqual([]);
    for (const path of paths) expect([path, isInTree(path, root)]).toEqual([path, true]);
  }
});
