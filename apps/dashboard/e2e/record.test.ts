import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { StoryAgents, storyArguments, submitStory, untilEnded } from "../testing/story.ts";

describe.skipIf(browserPath === undefined)("audit and policies", () => {
  const stage = setStage(
    [
      {
        pack: "second-opinion",
        version: "1.0.0",
        taskTypes: ["code-review", "proof-reading"],
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

  it("[OBS-04] verifies the record and proves an entry", async () => {
    const { page, complaints } = await open("/audit");
    await page.getByText("Verified", { exact: true }).waitFor();
    await page.getByText(/entries, signed through/).waitFor();
    await page.getByRole("button", { name: "Prove inclusion" }).click();
    await page.getByText(/hashes to the root/).waitFor();
    expect(complaints).toEqual([]);
  });

  it("use the term run for a pipeline, in entries and filters", async () => {
    const { page } = await open(`/audit?run=${story}`);
    const rows = page.getByRole("list", { name: "Entries" }).getByRole("button");
    await rows.getByText("Run created", { exact: true }).waitFor();
    await rows.getByText("Run completed", { exact: true }).waitFor();
    expect((await rows.allInnerTexts()).join()).not.toMatch(/pipeline/i);
    expect((await page.getByLabel("Event").locator("option").allInnerTexts()).join()).not.toMatch(
      /pipeline/i,
    );
  });

  it("filter entries by run and event in the address, and display the snapshot", async () => {
    const { page } = await open("/audit");
    await page.getByLabel("Search by run id").fill(story);
    await page.getByLabel("Event").selectOption("DISPATCH_DECISION");
    await page.waitForURL((url) => url.searchParams.get("run") === story && url.searchParams.has("type"));
    await expect
      .poll(async () =>
        (await page.getByRole("list", { name: "Entries" }).getByRole("button").allInnerTexts()).join(),
      )
      .not.toMatch(/Gate passed/);
    const entry = page.getByRole("article", { name: "Entry" });
    await entry.getByText('"routingPolicyVersion"').waitFor();
    // Until the search has a result, the entry may be of another run.
    const ofThis = page.locator(`[href*="${story}"]`);
    await entry
      .getByRole("link", { name: /verify/ })
      .and(ofThis)
      .click();
    await page.getByRole("heading", { name: "Turn titles into slugs" }).waitFor();
  });

  it("select the entry that the address names, however old, and keep it selected", async () => {
    const { audit, orchestrator } = stage.hub.clients();
    const record = async () =>
      (await audit.listAuditEntries({ pageSize: 1_000, orderBy: "sequence desc" })).entries;
    const ask = async (name: string) => {
      for (let place = 0; place < 30; place++) {
        const { pipeline } = await orchestrator.submitTask({
          idempotencyKey: `${name} ${place}`,
          plan: { case: "taskType", value: "dancing" },
          contract: { taskId: "dance", title: "Dance", acceptanceCriteria: ["it is danced"] },
          refs: [{ uriOrLocator: "README.md" }],
        });
        await orchestrator.abortPipeline({ pipelineId: pipeline?.pipelineId ?? "", reason: "enough" });
      }
    };
    await ask("before");
    const before = await record();
    expect(before.length).toBeGreaterThan(102);
    const { page, complaints } = await open("/audit");
    const entry = page.getByRole("article", { name: "Entry" });
    const title = (sequence: bigint | undefined) =>
      entry.getByRole("heading", { name: `Entry ${sequence}`, exact: true });
    const newest = page.getByRole("list", { name: "Entries" }).getByRole("button").first();
    await title(before[0]?.sequence).waitFor();
    await ask("while it is read");
    const after = await record();
    await expect.poll(() => newest.locator("span").first().textContent()).toBe(String(after[0]?.sequence));
    // More new entries than the list has rows.
    expect(Number(after[0]?.sequence)).toBeGreaterThan(Number(before[0]?.sequence) + 100);
    expect(await title(before[0]?.sequence).count()).toBe(1);
    const second = before.find(({ sequence }) => sequence === 2n);
    await page.goto(`${stage.hub.http}/audit?entry=${second?.auditId}`);
    await title(2n).waitFor();
    await entry
      .getByText(second?.action ?? "nothing")
      .first()
      .waitFor();
    expect(await page.title()).toBe("Entry 2 · Audit · Baton");
    await entry.getByRole("button", { name: "Show in list" }).click();
    await page.getByText("Only entries before 13.").waitFor();
    await page.getByRole("list", { name: "Entries" }).getByRole("button", { pressed: true }).waitFor();
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `audit-entry-${look}`);
      expect(await findOverflow(page)).toEqual([]);
    });
    await page.goto(`${stage.hub.http}/audit?entry=3`);
    await title(3n).waitFor();
    await page.goto(`${stage.hub.http}/audit?entry=nothing`);
    await page.getByRole("heading", { name: "Entry not found" }).waitFor();
    expect(await entry.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("continue with older entries, to the first", async () => {
    const { page, complaints } = await open("/audit");
    const rows = page.getByRole("list", { name: "Entries" }).getByRole("button");
    await expect.poll(() => rows.count()).toBe(100);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => rows.count()).toBeGreaterThan(100);
    // Older entries have their own address.
    await page.goto(`${stage.hub.http}/audit?before=50`);
    await expect.poll(() => rows.count()).toBe(49);
    expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
    await page.getByRole("button", { name: "Show newest" }).click();
    await expect.poll(() => rows.count()).toBe(100);
    expect(complaints).toEqual([]);
  });

  it("export the record as a file", async () => {
    const { page } = await open(`/audit?run=${story}`);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export this run" }).click(),
    ]);
    const text = readFileSync((await download.path()) ?? "", "utf8");
    expect(text).toContain(story);
    expect(download.suggestedFilename()).toBe(`${story}.audit.jsonl`);
  });

  it("[DIS-09] display routes and templates in force and preview a change of a route", async () => {
    const { page } = await open("/policies");
    await page.getByText("Standard implementation").waitFor();
    const review = page.getByRole("row").filter({ hasText: "code-review" });
    await review.getByText("code-reviewer").waitFor();
    await review.getByRole("button", { name: "What if…" }).click();
    const whatIf = page.getByRole("region", { name: /^Preview routing/ });
    await whatIf
      .getByText(/of 2 past dispatches in the last \d+ runs? would have been dispatched differently/)
      .waitFor();
    await whatIf.getByRole("checkbox", { name: "code-reviewer" }).uncheck();
    await whatIf.getByRole("checkbox", { name: "second-opinion" }).uncheck();
    await whatIf.getByText(/^2 of 2 past dispatches in the last/).waitFor();
    await whatIf
      .getByText(/no agent:/)
      .first()
      .waitFor();
    await takePicture(page, "policies-what-if-light");
    const proof = page.getByRole("row").filter({ hasText: "proof-reading" });
    await proof.getByRole("button", { name: "What if…" }).click();
    await whatIf.getByText(/^No task of this type was dispatched in the last \d+ runs/).waitFor();
  });

  it("are accessible in both themes and at any width", async () => {
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
