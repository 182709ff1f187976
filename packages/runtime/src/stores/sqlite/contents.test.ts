import { DatabaseSync } from "node:sqlite";
import { batch, content, transition } from "@baton/conformance/store/rows.ts";
import { expect, it } from "vitest";
import { storeFiles } from "./files.ts";
import { openForTest, scratchForTest } from "./testing/scratch.ts";

it("writes a content of a pipeline once, also when it comes again after a restart", async () => {
  const directory = scratchForTest();
  const [long, other] = [content("a".repeat(1000)), content("b".repeat(10))];
  const first = await openForTest(directory);
  await first.commit(batch({ transitions: [transition("p1", 0, { contents: [long, long] })] }));
  await first.commit(batch({ transitions: [transition("p1", 1, { contents: [long] })] }));
  await first.close();
  const again = await openForTest(directory);
  await again.commit(batch({ transitions: [transition("p1", 2, { contents: [other, long] })] }));
  const journal = await again.journal("p1");
  expect(journal?.contents).toEqual(new Map([long, other].map(({ digest, bytes }) => [digest, bytes])));
  await again.close();

  const raw = new DatabaseSync(storeFiles(directory).database, { readOnly: true });
  const sizes = raw.prepare("SELECT length(sealed) AS size FROM journal ORDER BY n").all();
  raw.close();
  expect(sizes.map(({ size }) => size)).toEqual(
    [1000, 0, 10].map((bytes, version) => 16 + `p1 from ${version}`.length + bytes),
  );
});
