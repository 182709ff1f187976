import { expect, it } from "vitest";
import { sizeOf, storeFiles } from "../files.ts";
import { startChild } from "../testing/processes.ts";
import { openForTest, scratchForTest } from "../testing/scratch.ts";

it("moves a log that grows into the database while it goes on, and leaves none when it is closed", async () => {
  const directory = scratchForTest();
  const checkpoints: string[] = [];
  for await (const line of startChild("much", directory).lines) checkpoints.push(line);
  expect(checkpoints).toHaveLength(1);
  const { longest } = JSON.parse(checkpoints[0] ?? "{}");
  // Of the 120 MB that were written.
  expect(longest).toBeLessThan(100_000_000);
  expect(sizeOf(storeFiles(directory).log)).toBe(0);
  const store = await openForTest(directory);
  expect(await store.journal("p1")).toMatchObject({ version: 120 });
  expect(await store.check()).toEqual([]);
});
