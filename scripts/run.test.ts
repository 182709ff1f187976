import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { inTree, isInTree, readJson } from "./tree.ts";

const { scripts } = readJson<{ scripts: Record<string, string> }>("package.json");

describe("run.mjs", () => {
  const run = spawnSync(process.execPath, [inTree("scripts/run.mjs"), "no-such-task"], { encoding: "utf8" });

  test("names the tasks it knows when it is given another", () => {
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('unknown task "no-such-task"; the tasks are:');
  });

  test.each(Object.entries(scripts))(
    "knows the task of `npm run %s`, and its file is there",
    (name, command) => {
      expect(command).toBe(`node scripts/run.mjs ${name}`);
      expect(run.stderr).toMatch(new RegExp(`^  ${name} `, "m"));
      expect(isInTree(`scripts/${name}.ts`)).toBe(true);
    },
  );
});
