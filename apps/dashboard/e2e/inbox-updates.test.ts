import type { Escalation } from "@baton/contract";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { questioners, submitDance, submitDesign, submitRelease, submitSingle } from "../testing/tasks.ts";

/** The largest number of questions that the page reads. */
const most = 500;

describe.skipIf(browserPath === undefined)("the inbox, when questions change while it is open", () => {
  const stage = setStage(questioners);

  const open = async (path: string) => {
    const opened = await openPage(stage.browser);
    onTestFinished(() => opened.context.close());
    await opened.page.goto(stage.hub.http + path);
    return opened;
  };
  /** The question of a run, when it is open. */
  const questionOf = async (pipelineId: string): Promise<Escalation> => {
    const request = { filter: `pipeline_id = "${pipelineId}" AND resolved = false` };
    const list = async () => (await stage.hub.clients().orchestrator.listEscalations(request)).escalations;
    await expect.poll(async () => (await list()).length, { timeout: 60_000 }).toBe(1);
    return (await list())[0] as Escalation;
  };
  const answer = (escalationId: string, resolution: string) =>
    stage.hub.clients().orchestrator.resolveEscalation({ escalationId, resolution, reason: "it was late" });
  /** The stored drafts of the tab. */
  const kept = (page: Page): Promise<string> =>
    page.evaluate('Object.entries(sessionStorage).filter(([name]) => name !== "baton.key").join()');
  const abort = (pipelineId: string) =>
    stage.hub.clients().orchestrator.abortPipeline({ pipelineId, reason: "only looked at" });

  it("keeps the selected question, the focus and the draft when a question with higher risk arrives", async () => {
    const { escalationId } = await questionOf(await submitDesign(stage.hub, "typed"));
    const { page, complaints } = await open("/inbox");
    const field = page.getByRole("textbox", { name: "Your answer" });
    await field.click();
    await page.keyboard.type("round, with a th");
    const release = await submitRelease(stage.hub, "worse");
    const rows = page.getByRole("list", { name: "Open questions" }).getByRole("button");
    await expect.poll(async () => (await rows.allInnerTexts())[0]).toMatch(/^Release 4\.2\s+Critical risk/);
    await page.keyboard.type("in line");
    expect(await field.inputValue()).toBe("round, with a thin line");
    expect(new URL(page.url()).searchParams.get("item")).toBe(escalationId);
    // Drafts survive another selection and another page.
    await rows.first().click();
    await page.getByRole("heading", { name: /waits for a review/ }).waitFor();
    await page.getByLabel("Reason", { exact: true }).fill("I have to read");
    await page.getByRole("link", { name: "Agents", exact: true }).click();
    await page.getByRole("heading", { name: "Agents" }).waitFor();
    await page.goBack();
    expect(await page.getByLabel("Reason", { exact: true }).inputValue()).toBe("I have to read");
    await rows.last().click();
    expect(await field.inputValue()).toBe("round, with a thin line");
    // Texts survive a reload; selections do not.
    await rows.first().click();
    await page.getByRole("radio", { name: /^Approve/ }).check();
    await page.reload();
    await page.getByRole("heading", { name: /waits for a review/ }).waitFor();
    expect(await page.getByLabel("Reason", { exact: true }).inputValue()).toBe("I have to read");
    expect(await page.getByRole("radio", { checked: true }).count()).toBe(0);
    await rows.last().click();
    expect(await field.inputValue()).toBe("round, with a thin line");
    // Deciding selects the next question.
    await page.getByRole("button", { name: "Answer", exact: true }).click();
    await page.getByRole("heading", { name: /waits for a review/ }).waitFor();
    expect(await kept(page)).not.toContain("thin line");
    expect(await kept(page)).toContain("I have to read");
    await abort(release);
    await page.getByText("This question has been answered").waitFor();
    await page.getByText("I have to read").waitFor();
    expect(await kept(page)).toBe("");
    expect(complaints).toEqual([]);
  });

  it("displays who answered a question meanwhile, and selects no other in its place", async () => {
    const { escalationId, pipelineId } = await questionOf(await submitDesign(stage.hub, "answered"));
    const { page, complaints } = await open(`/inbox?item=${encodeURIComponent(escalationId)}`);
    await page.getByRole("textbox", { name: "Your answer" }).fill("round\nand red");
    const release = await submitRelease(stage.hub, "beside");
    await page.getByRole("list", { name: "Open questions" }).getByText("Critical risk").waitFor();
    const { escalation } = await answer(escalationId, "square, as ever");
    const item = page.getByRole("article");
    await item.getByText("This question has been answered").waitFor();
    await item.getByText("square, as ever").waitFor();
    await item.getByText(escalation?.snapshot?.resolvedBy ?? "nobody", { exact: true }).waitFor();
    await item.getByText("round and red").waitFor();
    expect(await page.locator("form").count()).toBe(0);
    expect(await page.evaluate("document.activeElement.textContent")).toMatch(/round or square/);
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `inbox-answered-${look}`);
      expect(await findOverflow(page)).toEqual([]);
    });
    // The link displays the same later.
    await page.reload();
    await item.getByText("square, as ever").waitFor();
    expect(await page.locator("form").count()).toBe(0);
    expect(new URL(page.url()).searchParams.get("item")).toBe(escalationId);
    expect(await item.getByRole("link", { name: /^p-/ }).getAttribute("href")).toContain(pipelineId);
    await page.getByRole("link", { name: "View open questions" }).click();
    await page.getByRole("heading", { name: /waits for a review/ }).waitFor();
    await abort(release);
    expect(complaints).toEqual([]);
  });

  it("reports an unknown question", async () => {
    const { page } = await open('/inbox?item=p-absent"/e1');
    await page.getByRole("heading", { name: "Question not found" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  it("lists the highest risks when there are too many questions, and says that there are more", async () => {
    await Promise.all(
      Array.from({ length: 10 }, async (_, lane) => {
        // Different task types, because questions with one cause are grouped.
        for (let place = 0; place <= most / 10; place++)
          await submitSingle(stage.hub, `${lane}-${place}`, `dance-${lane}-${place}`, "Dance a little");
      }),
    );
    const last = await questionOf(await submitDance(stage.hub, "last"));
    await questionOf(await submitRelease(stage.hub, "late"));
    const { page } = await open("/inbox");
    await page.getByText(`the first ${most} open questions, by risk`).waitFor();
    await page.getByRole("link", { name: `Inbox ${most}+ open` }).waitFor();
    const rows = page.getByRole("list", { name: "Open questions" }).getByRole("button");
    expect(await rows.count()).toBe(most);
    expect(await rows.first().textContent()).toMatch(/^Release 4\.2\s*Critical risk/);
    // A question beyond the list can be decided.
    await page.goto(`${stage.hub.http}/inbox?item=${encodeURIComponent(last.escalationId)}`);
    await page.getByRole("radio", { name: /^Retry/ }).waitFor();
    // Its run is waiting on its page, in the list and with the filter.
    await page.goto(`${stage.hub.http}/runs/${last.pipelineId}`);
    await page.locator(".page-head").getByText("Waiting").waitFor();
    await page.getByRole("link", { name: "Decide now" }).waitFor();
    await page.goto(`${stage.hub.http}/runs`);
    const runs = page.getByRole("list", { name: "Runs" }).getByRole("listitem");
    await expect.poll(() => runs.count()).toBe(50);
    expect(await runs.getByText("Waiting", { exact: true }).count()).toBe(50);
    await page.goto(`${stage.hub.http}/runs?status=WAITING&q=${last.pipelineId}`);
    await runs.getByText("Waiting", { exact: true }).waitFor();
    await page.goto(`${stage.hub.http}/agents`);
    const stuck = page.getByRole("region", { name: "Waiting for an agent" });
    await stuck.getByText("open questions were checked").waitFor();
    expect(await stuck.getByRole("listitem").count()).toBe(10);
    await takePicture(page, "agents-many-stuck-light");
  });
});
