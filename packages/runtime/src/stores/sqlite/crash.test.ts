import { expect, it } from "vitest";
import { startChild } from "./testing/processes.ts";
import { openForTest, scratchForTest } from "./testing/scratch.ts";

it("[PIP-11] has everything that was acknowledged before the process was killed, again and again", async () => {
  for (const acknowledgements of [1, 20, 60]) {
    const directory = scratchForTest();
    const writer = startChild("write", directory);
    let acknowledged = 0;
    for await (const line of writer.lines) {
      acknowledged = Number(line);
      if (acknowledged === acknowledgements) writer.process.kill("SIGKILL");
    }
    await writer.kill();
    const store = await openForTest(directory);
    const journal = await store.journal("p1");
    expect(journal?.version).toBeGreaterThanOrEqual(acknowledged);
    expect(journal?.texts.map((text) => text.split(" ")[1])).toEqual(
      Array.from({ length: journal?.version ?? 0 }, (_, index) => `${index + 1}`),
    );
    expect(journal?.contents.size).toBe(journal?.version);
    expect(await store.check()).toEqual([]);
    await store.close();
  }
});
