import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { StoryAgents, storyArguments, submitStory, untilEnded } from "../testing/story.ts";

describe.skipIf(browserPath === undefined)("the record and the policies", () => {
  const stage = setStage(
    [
      {
        pack: "second-opinion",
        version: "1.0.0",
        taskTypes: ["code-review"],
        run: (task) => task.success("looks fine"),
      },
    ],
    storyArguments,
  );
  let agents: StoryAgents | undefined;
  let story = "";
  beforeAll(async () => {
    if (browserPath === undefined) return;
    agents = await StoryAgents.start(stage.hub);
    story = await submitStory(stage.hub, "slugs", "Turn titles into slugs");
    await untilEnded(stage.hub, story);
  });
  afterAll(() => agents?.end());

  const open = async (path: string, look: Parameters<typeof openPage>[1] = {}) => {
    const opened = await openPage(stage.browser, look);
    onTestFinished(() => opened.context.close());
    await opened.page.goto(stage.hub.http + path);
    return opened;
  };

  it("[OBS-04] says that the whole record holds, and proves an entry", async () => {
    const { page, complaints } = await open("/audit");
    await page.getByText("Verified", { exact: true }).waitFor();
    await page.getByText(/entries, signed through/).waitFor();
    await page.getByRole("button", { name: "Prove that it is in the record" }).click();
    await page.getByText(/hashes to the root/).waitFor();
    expect(complaints).toEqual([]);
  });

  it("finds entries by run and by what happened, in the address, with what was known", async () => {
    const { page } = await open("/audit");
    await page.getByLabel("Search by the id of a run").fill(story);
    await page.getByLabel("What happened").selectOption("DISPATCH_DECISION");
    await page.waitForURL(/type=DISPATCH_DECISION/);
    await expect
      .poll(async () =>
        (await page.getByRole("list", { name: "Entries" }).getByRole("button").allInnerTexts()).join(),
      )
      .not.toMatch(/Gate passed/);
    const entry = page.getByRole("article", { name: "Entry" });
    await entry.getByText('"routingPolicyVersion"').waitFor();
    await entry.getByRole("link", { name: /verify/ }).click();
    await page.getByRole("heading", { name: "Turn titles into slugs" }).waitFor();
  });

  it("gives the record away as a file", async () => {
    const { page } = await open(`/audit?run=${story}`);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export this run" }).click(),
    ]);
    const text = readFileSync((await download.path()) ?? "", "utf8");
    expect(text).toContain(story);
    expect(download.suggestedFilename()).toBe(`${story}.audit.jsonl`);
  });

  it("[DIS-09] shows the routes and the templates in force, and what another route would have changed", async () => {
    const { page } = await open("/policies");
    await page.getByText("Standard implementation").waitFor();
    const review = page.getByRole("row").filter({ hasText: "code-review" });
    await review.getByText("code-reviewer").waitFor();
    await review.getByRole("button", { name: "What if…" }).click();
    const whatIf = page.getByRole("region", { name: /What if/ });
    await whatIf.getByText(/of 2 past dispatches would have gone elsewhere/).waitFor();
    await whatIf.getByRole("checkbox", { name: "code-reviewer" }).uncheck();
    await whatIf.getByRole("checkbox", { name: "second-opinion" }).uncheck();
    await whatIf.getByText("2 of 2 past dispatches would have gone elsewhere").waitFor();
    await whatIf
      .getByText(/nobody:/)
      .first()
      .waitFor();
    await takePicture(page, "policies-what-if-light");
  });

  it("can be read by everybody, in both themes and in any width", async () => {
    for (const name of ["audit", "policies"]) {
      const { page, complaints } = await open(`/${name}`);
      await page
        .getByText(name === "audit" ? "Verified" : "Standard implementation", { exact: true })
        .waitFor();
      await inEveryLook(page, async (look) => {
        expect(await findBarriers(page)).toEqual([]);
        await takePicture(page, `${name}-${look}`);
        expect(await findOverflow(page)).toEqual([]);
      });
      expect(complaints).toEqual([]);
    }
  });
});
