import { PipelineStatus } from "@baton/contract";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { submitSingle } from "../testing/tasks.ts";

describe.skipIf(browserPath === undefined)("[DIS-06] questions with one cause", () => {
  const stage = setStage([]);

  const open = async (path: string) => {
    const opened = await openPage(stage.browser);
    onTestFinished(() => opened.context.close());
    await opened.page.goto(stage.hub.http + path);
    return opened;
  };
  const waiting = async (taskType: string) => {
    const { escalations } = await stage.hub
      .clients()
      .orchestrator.listEscalations({ filter: "resolved = false" });
    return escalations.filter(({ stageId }) => stageId === taskType).map(({ pipelineId }) => pipelineId);
  };
  /** Submits runs that no agent can take, with one cause. */
  const leave = async (taskType: string, titles: readonly string[]) => {
    const ids: string[] = [];
    for (const title of titles)
      ids.push(await submitSingle(stage.hub, `${taskType} ${title}`, taskType, title));
    await expect.poll(async () => (await waiting(taskType)).toSorted()).toEqual(ids.toSorted());
    return ids;
  };
  const statusOf = async (pipelineId: string) =>
    (await stage.hub.clients().orchestrator.getPipeline({ pipelineId })).pipeline?.status;
  const rowsOf = (page: Page) => page.getByRole("list", { name: "Open questions" }).getByRole("button");

  it("are one entry with the list of runs and one answer for all", async () => {
    const ids = await leave("dancing", ["Waltz", "Tango", "Polka", "Rumba"]);
    const [other] = await leave("singing", ["Aria"]);
    const { page, complaints } = await open("/inbox");
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    await page.getByText("2 open, by risk").waitFor();
    await page.getByRole("link", { name: "Inbox 2 open" }).waitFor();
    const row = rowsOf(page).filter({ hasText: "Waltz and 3 more" });
    await row.getByText("4 runs").waitFor();
    await row.click();
    const item = page.getByRole("article");
    await item.getByRole("heading", { name: "Waltz" }).waitFor();
    expect(await item.getByRole("link", { name: /Tango/ }).isVisible()).toBe(false);
    await item.getByText("4 runs with the same cause").click();
    const runs = item.getByRole("list", { name: "Runs with the same cause" }).getByRole("link");
    expect((await runs.allInnerTexts()).map((text) => text.trim())).toEqual([
      "Waltz",
      "Tango",
      "Polka",
      "Rumba",
    ]);
    const addresses = await Promise.all((await runs.all()).map((run) => run.getAttribute("href")));
    expect(addresses).toEqual(ids.map((id) => expect.stringContaining(id)));
    await item.getByRole("radio", { name: /^Abort/ }).check();
    await item.getByLabel("Reason", { exact: true }).fill("nobody dances here");
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `inbox-same-cause-${look}`);
      expect(await findOverflow(page)).toEqual([]);
    });
    await item.getByRole("button", { name: "Decide for 4 runs", exact: true }).click();
    await page.getByText("Answered in 4 runs: abort.").waitFor();
    expect(await Promise.all(ids.map(statusOf))).toEqual(Array(4).fill(PipelineStatus.ABORTED));
    await item.getByRole("heading", { name: "Aria" }).waitFor();
    expect(await item.getByText("same cause").count()).toBe(0);
    expect(await waiting("singing")).toEqual([other]);
    expect(complaints).toEqual([]);
  });

  it("are answered one by one on request", async () => {
    const [first = "", second = "", third = ""] = await leave("drawing", ["Horse", "House", "Tree"]);
    const { page } = await open("/inbox");
    await rowsOf(page).filter({ hasText: "Horse and 2 more" }).click();
    const item = page.getByRole("article");
    // Each run in the list links to its own question.
    await item.getByText("3 runs with the same cause").click();
    await page.goto(`${stage.hub.http}/runs/${second}`);
    await page.getByRole("link", { name: "Decide now" }).click();
    await item.getByRole("heading", { name: "House" }).waitFor();
    expect(await rowsOf(page).filter({ hasText: "Horse and 2 more" }).getAttribute("aria-pressed")).toBe(
      "true",
    );
    await item.getByRole("radio", { name: /^Abort/ }).check();
    await item.getByRole("checkbox", { name: "Apply this answer to all 3 runs" }).uncheck();
    await item.getByLabel("Reason", { exact: true }).fill("no room for a house");
    await item.getByRole("button", { name: "Decide", exact: true }).click();
    await rowsOf(page).filter({ hasText: "Horse and 1 more" }).waitFor();
    expect(await Promise.all([first, second, third].map(statusOf))).toEqual([
      PipelineStatus.RUNNING,
      PipelineStatus.ABORTED,
      PipelineStatus.RUNNING,
    ]);
  });
});
