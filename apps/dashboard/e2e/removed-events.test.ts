import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PipelineStatus } from "@baton/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { findBarriers } from "../testing/axe.ts";
import { browserPath, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";

describe.skipIf(browserPath === undefined)("a run whose events were removed", () => {
  const stage = setStage([
    {
      pack: "painter",
      version: "1.0.0",
      taskTypes: ["painting"],
      async run(task) {
        task.think("Which colour will it be? ");
        task.think("Blue, as the sea.");
        task.turn({ confidence: 0.9, action: "looked at the sea" });
        return task.success("painted it blue");
      },
    },
  ]);

  const paint = async (key: string): Promise<string> => {
    const { orchestrator } = stage.hub.clients();
    const { pipeline } = await orchestrator.submitTask({
      idempotencyKey: key,
      plan: { case: "taskType", value: "painting" },
      contract: { taskId: key, title: `Paint the ${key}`, acceptanceCriteria: ["it has a colour"] },
    });
    const pipelineId = pipeline?.pipelineId ?? "";
    for (;;) {
      const { pipeline: now } = await orchestrator.getPipeline({ pipelineId });
      if (now?.status === PipelineStatus.COMPLETED) return pipelineId;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  /** Removes all events but the last, as the retention does. */
  const removeEvents = async () => {
    await stage.hub.kill();
    const store = new DatabaseSync(join(stage.hub.folder, "data", "baton.db"));
    store.exec("DELETE FROM events WHERE last_sequence < (SELECT max(last_sequence) FROM events)");
    store.close();
    await stage.hub.startAgain();
  };

  it("[TUR-02] replaces them in its feed by the turns that are kept", async () => {
    const { page, context } = await openPage(stage.browser);
    onTestFinished(() => context.close());
    const old = await paint("boat");
    await paint("house");
    const feed = page.getByRole("log", { name: "Events" });
    const note = feed.getByText(/^Earlier events were removed.* are from the turns of the run\.$/);
    await page.goto(`${stage.hub.http}/runs/${old}`);
    await feed.getByText("Which colour will it be? Blue, as the sea.").waitFor();
    await feed.getByText("→").first().waitFor();
    expect(await note.count()).toBe(0);
    await removeEvents();
    await page.goto(`${stage.hub.http}/runs/${old}`);
    await feed.getByText("Which colour will it be? Blue, as the sea.").waitFor();
    await note.waitFor();
    expect(await feed.getByText("→").count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await takePicture(page, "feed-removed-light");
  });

  it("[TUR-04] has a gap line also on a page that was open meanwhile, and keeps the remaining events", async () => {
    const { page, context } = await openPage(stage.browser);
    onTestFinished(() => context.close());
    const old = await paint("barn");
    await page.goto(`${stage.hub.http}/runs/${old}`);
    const feed = page.getByRole("log", { name: "Events" });
    await feed.getByText("→").first().waitFor();
    expect(await feed.getByText("Earlier events were removed").count()).toBe(0);
    await paint("fence");
    await removeEvents();
    // The stream starts again with the remaining events.
    await feed.getByText(/^Earlier events were removed/).waitFor();
    await feed.getByText("Which colour will it be? Blue, as the sea.").waitFor();
    expect(await feed.getByText("→").count()).toBe(0);
  });
});
