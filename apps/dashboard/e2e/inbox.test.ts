import { type Pipeline, PipelineStatus, StageStatus } from "@baton/contract";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { makeRepository, untilEnded } from "../testing/story.ts";
import { questioners, submitDance, submitDesign, submitFix, submitRelease } from "../testing/tasks.ts";

describe.skipIf(browserPath === undefined)("the inbox", () => {
  const stage = setStage(questioners);

  const open = async (path: string, look: Parameters<typeof openPage>[1] = {}) => {
    const opened = await openPage(stage.browser, look);
    onTestFinished(() => opened.context.close());
    await opened.page.goto(stage.hub.http + path);
    return opened;
  };
  const read = async (pipelineId: string): Promise<Pipeline | undefined> =>
    (await stage.hub.clients().orchestrator.getPipeline({ pipelineId })).pipeline;
  const choose = (page: Page, text: RegExp) => page.getByRole("button", { name: text }).first().click();
  const pick = (page: Page, name: RegExp) => page.getByRole("radio", { name }).check();
  const decide = (page: Page, name = "Decide") => page.getByRole("button", { name, exact: true }).click();

  it("has a text when it is empty", async () => {
    const { page } = await open("/inbox");
    await page.getByText("Nothing needs your input").waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  it("[SAC-07] displays an agent's question and sends the answer back", async () => {
    const id = await submitDesign(stage.hub, "design-1");
    const { page } = await open("/runs");
    await page
      .getByRole("link", { name: /Design the sign-up page/ })
      .getByText("Waiting")
      .waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByRole("heading", { name: /round or square/ }).waitFor();
    await page.getByRole("textbox", { name: "Your answer" }).fill("round");
    await decide(page, "Answer");
    const notice = page.getByText("Answer sent to the agent.");
    await notice.waitFor();
    // The message does not follow to another page.
    await page.getByRole("link", { name: "Agents", exact: true }).click();
    await page.getByRole("heading", { name: "Agents" }).waitFor();
    expect(await notice.count()).toBe(0);
    await page.goBack();
    const { stages, status } = await untilEnded(stage.hub, id);
    expect(status).toBe(PipelineStatus.COMPLETED);
    expect(stages[0]?.result?.status?.summary).toBe("a round button");
    await page.getByText("Nothing needs your input").waitFor();
    // The feed lists the answer and no retry.
    await page.goto(`${stage.hub.http}/runs/${id}`);
    const feed = page.getByRole("log", { name: "Events" });
    await feed.getByText("design: question answered").waitFor();
    await feed.getByText("design: attempt 2 dispatched with the answer").waitFor();
    expect(await feed.getByText("retry").count()).toBe(0);
  });

  it("[PIP-06] displays the review of critical work with the evidence and the effect of each decision", async () => {
    const id = await submitRelease(stage.hub, "release-1");
    const { page } = await open("/inbox");
    const item = page.getByRole("article").first();
    await item.getByText("version 4.2 is ready to go out").waitFor();
    await item.getByText("the migration cannot be undone after an hour").waitFor();
    await item.getByText("Critical risk", { exact: true }).waitFor();
    await item.getByText("Why you are asked").waitFor();
    await pick(page, /^Send back/);
    await page.getByLabel("Back to").selectOption("prepare");
    await page
      .getByText("prepare is tried again, with what failed and your instructions. ship starts over.")
      .waitFor();
    await page.getByLabel(/Instructions for the next attempt/).fill("wait for the weekend");
    await page.getByLabel("Reason", { exact: true }).fill("it is Friday");
    await decide(page);
    await page.getByText("Sent back with your instructions.").waitFor();
    await expect.poll(async () => (await read(id))?.stages[1]?.attemptNumber).toBe(2);
    expect((await read(id))?.stages[0]?.result?.status?.summary).toContain("wait for the weekend");
    // The earlier review may still be displayed for a moment.
    const asked = async () => {
      const request = { filter: "resolved = false" };
      const { escalations } = await stage.hub.clients().orchestrator.listEscalations(request);
      return escalations.map(({ dispatchId }) => dispatchId);
    };
    await expect.poll(asked).toEqual([`${id}/ship/2`]);
    await page.reload();
    await page.getByRole("heading", { name: /waits for a review/ }).waitFor();
    await pick(page, /^Approve/);
    await page.getByText("nothing else waits for it").waitFor();
    await page.getByLabel("Reason", { exact: true }).fill("it is Monday");
    await decide(page);
    expect((await untilEnded(stage.hub, id)).status).toBe(PipelineStatus.COMPLETED);
  });

  it("[PIP-06] displays the work under review, names missing input, and fails the stage", async () => {
    const id = await submitRelease(stage.hub, "release-diff", makeRepository(stage.hub));
    const { page } = await open("/inbox");
    const item = page.getByRole("article").first();
    const change = item.getByRole("region", { name: "Change under review" });
    await change.getByText("prepare.txt", { exact: true }).waitFor();
    await change.getByRole("listitem").filter({ hasText: "ship.txt" }).getByText("4.2").waitFor();
    await page.getByRole("button", { name: "Decide", description: "Select a decision first." }).waitFor();
    await pick(page, /^Fail the stage.*ship fails for good, and the run waits for a person/s);
    const button = page.getByRole("button", { name: "Decide", description: "Enter a reason first." });
    expect(await button.isDisabled()).toBe(true);
    expect(await button.getAttribute("title")).toBe("Enter a reason first.");
    await page.getByText("Enter a reason first.").waitFor();
    await page.getByLabel("Reason", { exact: true }).fill("nobody wants it");
    await decide(page);
    await page.getByText("Stage failed.").waitFor();
    // The announced effect has occurred.
    await expect.poll(async () => (await read(id))?.status).toBe(PipelineStatus.PAUSED);
    expect((await read(id))?.stages.map(({ status }) => status)).toEqual([
      StageStatus.COMPLETED,
      StageStatus.FAILED,
    ]);
    const { entries } = await stage.hub.clients().audit.listAuditEntries({ filter: `pipeline_id = "${id}"` });
    expect(entries.map(({ rationale }) => rationale)).toContain("nobody wants it");
    await stage.hub.clients().orchestrator.abortPipeline({ pipelineId: id, reason: "it has failed" });
  });

  it("links to the attempt under review", async () => {
    const id = await submitRelease(stage.hub, "release-link");
    const { page } = await open("/inbox");
    await page.getByRole("link", { name: "View attempt 1" }).click();
    await page.waitForURL((url) => url.pathname.endsWith(id) && url.searchParams.get("attempt") === "1");
    await page.getByRole("region", { name: "ship" }).getByText("218 passed").waitFor();
    await stage.hub.clients().orchestrator.abortPipeline({ pipelineId: id, reason: "only looked at" });
    await untilEnded(stage.hub, id);
  });

  it("displays a disproved claim beside the result of the check", async () => {
    const path = makeRepository(stage.hub);
    const id = await submitFix(stage.hub, "fix-1", path);
    const { page } = await open("/inbox");
    const item = page.getByRole("article").first();
    await item.getByText("Claim disproved").waitFor();
    await item.getByText("all 2 tests pass").waitFor();
    for (const theme of ["light", "dark"] as const) {
      const themed = await open("/inbox", { theme });
      await themed.page.getByText("Claim disproved").waitFor();
      await takePicture(themed.page, `inbox-lie-${theme}`);
    }
    await pick(page, /^Abort/);
    await page.getByText("Only a rewind brings it back.").first().waitFor();
    await page.getByLabel("Reason", { exact: true }).fill("its claims are false");
    await decide(page);
    expect((await untilEnded(stage.hub, id)).status).toBe(PipelineStatus.ABORTED);
  });

  it("[PIP-10] displays a task that no agent can take, with the reason", async () => {
    await submitDance(stage.hub, "dance-1");
    await submitRelease(stage.hub, "release-2");
    await submitDesign(stage.hub, "design-2");
    const { page } = await open("/inbox");
    await expect
      .poll(() => page.getByRole("list", { name: "Open questions" }).getByRole("button").count())
      .toBe(3);
    const kinds = await page
      .getByRole("list", { name: "Open questions" })
      .getByRole("button")
      .allInnerTexts();
    expect(kinds[0]).toMatch(/^Release 4\.2\s+Critical risk\s+Review/);
    await choose(page, /No agent/);
    await page.getByRole("heading", { name: /dancing/ }).waitFor();
    await page.getByText("Recommended").waitFor();
    await page.getByRole("radio", { name: /^Retry/ }).waitFor();
    // Stage and run are waiting.
    await page.getByRole("article").getByRole("link", { name: "Dance a little" }).click();
    await page.locator(".page-head").getByText("Waiting", { exact: true }).waitFor();
    await page.getByRole("region", { name: "dancing" }).getByText("Waiting", { exact: true }).waitFor();
    await page
      .getByRole("button", { name: /^dancing.*Waiting/s })
      .first()
      .waitFor();
  });

  it("is accessible in both themes and at any width", async () => {
    const { page, complaints } = await open("/inbox");
    await page.getByText("218 passed").first().waitFor();
    await pick(page, /^Send back/);
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `inbox-${look}`);
      expect(await findOverflow(page)).toEqual([]);
    });
    expect(complaints).toEqual([]);
  });
});
