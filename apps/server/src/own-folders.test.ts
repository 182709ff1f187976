import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder, startReady } from "../testing/program.ts";
import { makeTemporaryFolder } from "./own-folders.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;

it("[TRN-03] what a killed hub left of its attempts is gone when the next one is ready", async () => {
  const folder = newFolder();
  const first = await startReady(folder);
  const scratch = join(folder, ".baton/scratch");
  expect(modeOf(scratch)).toBe(0o700);
  first.child.kill("SIGKILL");
  await first.ended;
  mkdirSync(join(scratch, "baton-run-1"), { recursive: true });
  writeFileSync(join(scratch, "baton-run-1/envelope.json"), "{}");
  const second = await startReady(folder);
  expect(existsSync(join(scratch, "baton-run-1"))).toBe(false);
  expect(modeOf(scratch)).toBe(0o700);
  second.child.kill("SIGTERM");
  await second.ended;
});

it("[TRN-03] a hub in memory makes a folder that nobody could foresee, and nobody else looks into", () => {
  const [one, other] = [makeTemporaryFolder(), makeTemporaryFolder()];
  expect(one).not.toBe(other);
  expect(one).not.toContain(String(process.pid));
  expect(modeOf(one)).toBe(0o700);
});

it.each([
  [0o755, 1],
  [0o710, 1],
  [0o700, 0],
])(
  "[TRN-03] of an existing data folder with mode %o it warns %i times, with the fix",
  async (mode, times) => {
    const folder = newFolder();
    const data = join(folder, ".baton");
    mkdirSync(data);
    chmodSync(data, mode);
    const { child, output, ended } = await startReady(folder);
    child.kill("SIGTERM");
    await ended;
    const warnings = output.stderr.split("\n").filter((line) => line.includes("BATON-SERVER-015"));
    expect(warnings).toHaveLength(times);
    for (const line of warnings)
      expect(JSON.parse(line)).toMatchObject({
        level: 40,
        at: data,
        fix: `restrict it: chmod 700 ${data}`,
      });
    expect(modeOf(data)).toBe(mode);
  },
);
