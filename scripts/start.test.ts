import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { inTree } from "./tree.ts";

function start(...args: readonly string[]) {
  return spawnSync(process.execPath, [inTree("scripts/start.ts"), ...args], { encoding: "utf8" });
}

test("`npm start -- --help` describes what it does, and does nothing", () => {
  const { status, stdout, stderr } = start("--help");
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("npm start  shows what Baton does");
  expect(stdout).toContain("--once");
});

test.each(["--nonsense", "nonsense"])("`npm start -- %s` is refused in one line", (word) => {
  const { status, stdout, stderr } = start(word);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^unknown .*nonsense.*; npm start knows --story NAME, --once, --help\n$/);
});
