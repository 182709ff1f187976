import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

it("accepts two messages and refuses two, each with its fix", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, "tour.ts")], {
    encoding: "utf8",
    env: { NO_COLOR: "1" },
  });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout.match(/^accepted {2}/gm)).toHaveLength(2);
  expect(stdout.match(/^refused {3}/gm)).toHaveLength(2);
  expect(stdout.match(/fix: /g)).toHaveLength(2);
});
