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

  /** All but the last, as age does. */
  const removeEvents = async () => {
    await stage.hub.kill();
    const store = new DatabaseSync(join(stage.hub.folder, "data", "baton.db"));
    store.exec("DELETE FROM events WHERE last_sequence < (SELECT max(last_sequence) FROM events)");
    store.close();
    await stage.hub.startAgain();
  };

  it("[TUR-02] shows in its feed what the agent said, from the turns that are kept", async () => {
    const { page, context } = await openPage(stage.browser);
    onTestFinished(() => context.close());
    const old = await paint("boat");
    await paint("house");
    const feed = page.getByRole("log", { name: "Events" });
    const note = feed.getByText(
      /^Events before this are not shown: they were removed.* is told from the turns\.$/,
    );
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

  it("[TUR-04] says so also on a page that was open while they were removed, and loses nothing that is left", async () => {
    const { page, context } = await openPage(stage.browser);
    onTestFinished(() => context.close());
    const old = await paint("barn");
    await page.goto(`${stage.hub.http}/runs/${old}`);
    const feed = page.getByRole("log", { name: "Events" });
    await feed.getByText("→").first().waitFor();
    expect(await feed.getByText("are not shown").count()).toBe(0);
    await paint("fence");
    await removeEvents();
    // The hub tells it that what follows is gone: it begins anew with what there is.
    await feed.getByText(/^Events before this are not shown: they were removed/).waitFor();
    await feed.getByText("Which colour will it be? Blue, as the sea.").waitFor();
    expect(await feed.getByText("→").count()).toBe(0);
  });
});
