import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { browserPath, openPage, sizes } from "../testing/browser.ts";
import { goTo, walkByKeys } from "../testing/keyboard.ts";
import { setStage } from "../testing/stage.ts";
import { StoryAgents, storyArguments, submitStory, untilEnded } from "../testing/story.ts";
import { questioners, submitDance, submitDesign, submitRelease } from "../testing/tasks.ts";

describe.skipIf(browserPath === undefined)("the keyboard alone", () => {
  const stage = setStage(questioners, storyArguments);
  let agents: StoryAgents | undefined;
  let story = "";
  let release = "";
  beforeAll(async () => {
    if (browserPath === undefined) return;
    agents = await StoryAgents.start(stage.hub);
    story = await submitStory(stage.hub, "slugs", "Turn titles into slugs");
    release = await submitRelease(stage.hub, "release");
    await submitDesign(stage.hub, "design");
    await submitDance(stage.hub, "dance");
    await untilEnded(stage.hub, story);
  });
  afterAll(() => agents?.end());

  const open = async (path: string) => {
    const { page, context, complaints } = await openPage(stage.browser);
    onTestFinished(async () => {
      await context.close();
      expect(complaints).toEqual([]);
    });
    await page.goto(stage.hub.http + path);
    await page.getByText("Live", { exact: true }).waitFor();
    return page;
  };
  const hasFocus = (place: Locator) => place.evaluate((element) => element.matches(":focus"));
  const walk = async (page: Page, atLeast: number, isBack = false) => {
    const { stops, faults } = await walkByKeys(page, { isBack });
    expect(faults).toEqual([]);
    expect(stops).toBeGreaterThanOrEqual(atLeast);
  };
  const walkThereAndBack = async (page: Page, atLeast: number) => {
    await walk(page, atLeast);
    await page.setViewportSize(sizes.narrow);
    await walk(page, atLeast, true);
  };
  const openRun = async (query = "") => {
    const page = await open(`/runs/${story}?stage=implement${query}`);
    await page
      .getByRole("region", { name: "What happened" })
      .getByText(/was disproved/)
      .waitFor();
    await page
      .getByRole("log", { name: "Events" })
      .getByText(/COMPLETED/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: /Attempt 3.*Accepted/ }).waitFor();
    return page;
  };

  const pages = [
    ["runs", "/runs", 20, (page) => page.getByRole("link", { name: /Turn titles/ })],
    ["inbox", "/inbox", 15, (page) => page.getByText("218 passed").first()],
    ["agents", "/agents", 18, (page) => page.getByText("Healthy").first()],
    ["audit", "/audit", 40, (page) => page.getByText("Verified", { exact: true })],
    ["policies", "/policies?route=code-review", 20, (page) => page.getByText(/past dispatches/)],
  ] as const satisfies [string, string, number, (page: Page) => unknown][];
  it.each(pages)(
    "reaches everything in %s, wide and narrow, forwards and backwards",
    async (_, path, atLeast, content) => {
      const page = await open(path);
      await content(page).waitFor();
      await walkThereAndBack(page, atLeast);
    },
  );

  it("reaches every field of a new run and starts it", async () => {
    const page = await open("/runs");
    await page.keyboard.press("n");
    const template = page.getByLabel("Template");
    await goTo(page, template);
    await page.keyboard.type("Single");
    await goTo(page, page.getByLabel("Task type"));
    await page.keyboard.type("design");
    for (const summary of await page.locator("details:not([open]) > summary").all()) {
      if (!(await summary.isVisible())) continue;
      await goTo(page, summary);
      await page.keyboard.press("Enter");
    }
    await walkThereAndBack(page, 30);
    await goTo(page, page.getByLabel(/^Title/));
    await page.keyboard.type("Design the footer");
    await goTo(page, page.getByLabel(/^Acceptance criteria/));
    await page.keyboard.type("it is small");
    await goTo(page, page.getByRole("button", { name: "Start" }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Design the footer" }).waitFor();
  });

  it("reaches everything on a run page with its history open", async () => {
    const page = await openRun("&history=open");
    await page
      .getByRole("button", { name: /Rewind to here: implement completed/ })
      .first()
      .waitFor();
    await walkThereAndBack(page, 45);
  });

  it("selects a stage and an attempt and reaches the content of every tab", async () => {
    const page = await openRun();
    const stages = page.getByRole("region", { name: "Stages" });
    await goTo(page, stages.getByRole("button", { name: /^review/ }));
    await page.keyboard.press("Enter");
    const panel = page.locator(".stage-panel");
    await panel.getByRole("heading", { name: "review", exact: true }).waitFor();
    await page.keyboard.press("[");
    await panel.getByRole("heading", { name: "implement", exact: true }).waitFor();
    await goTo(page, panel.getByRole("button", { name: /Attempt 2/ }));
    await page.keyboard.press("Space");
    await page.waitForURL(/attempt=2/);
    const tabs = [
      ["Overview", "Rejected in review"],
      ["Contract", "Letters with accents keep their letter"],
      ["Evidence", "Checked by the hub"],
      ["Artifacts", "Changes"],
      ["Decisions", "keep only letters and digits"],
      ["Context", /Context level LAYERED/],
      ["Compare", "Instructions"],
      ["Routing", "by routing policy"],
      ["Raw", '"acceptanceCriteria"'],
    ] as const;
    await goTo(page, panel.getByRole("tab", { name: "Overview" }));
    for (const [name, text] of tabs) {
      const tab = panel.getByRole("tab", { name, exact: true });
      expect(await tab.evaluate((one) => one.matches(":focus[aria-selected=true]")), name).toBe(true);
      await panel.getByText(text).first().waitFor();
      expect((await walkByKeys(page, { within: ".tab-panel" })).faults, name).toEqual([]);
      await goTo(page, tab, "Shift+Tab");
      await page.keyboard.press("ArrowRight");
    }
    await panel.getByRole("tab", { name: "Overview", selected: true }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await panel.getByRole("tab", { name: "Raw", selected: true }).waitFor();
  });

  it("opens and closes every dialog of a run and returns to where it was", async () => {
    const page = await openRun();
    const summary = page.locator("summary").filter({ hasText: "History" });
    await goTo(page, summary);
    await page.keyboard.press("Enter");
    await page.waitForURL(/history=open/);
    const dialog = page.getByRole("dialog");
    const openers = [
      [page.getByRole("button", { name: /Rewind to here: implement completed/ }).first(), "The run"],
      [page.getByRole("button", { name: "Run again from here" }), "Inputs (JSON)"],
      [page.getByRole("button", { name: "Keyboard shortcuts" }), "Next stage"],
    ] as const;
    for (const [opener, inIt] of openers) {
      await opener.waitFor();
      await goTo(page, opener);
      await page.keyboard.press("Enter");
      await dialog.getByText(inIt, { exact: true }).waitFor();
      await walk(page, 1);
      await walk(page, 1, true);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      expect(await hasFocus(opener), inIt).toBe(true);
    }
    const [rewind] = openers;
    await goTo(page, rewind[0]);
    await page.keyboard.press("Enter");
    await goTo(page, dialog.getByRole("button", { name: "Close" }));
    await page.keyboard.press("Space");
    await dialog.waitFor({ state: "detached" });
    expect(await hasFocus(rewind[0])).toBe(true);
    await goTo(page, summary);
    await page.keyboard.press("Space");
    await page.getByRole("list", { name: "Transitions" }).waitFor({ state: "detached" });
  });

  it("scrolls the feed of a run to its start and back", async () => {
    const page = await openRun();
    const feed = page.getByRole("log", { name: "Events" });
    await goTo(page, page.getByRole("button", { name: "Whole run" }));
    await page.keyboard.press("Space");
    await goTo(page, feed);
    await page.keyboard.press("Home");
    await feed.getByText("run: NONE → PENDING").waitFor();
    await goTo(page, page.getByRole("button", { name: "Jump to latest" }));
    await page.keyboard.press("Enter");
    await feed.getByText("run: RUNNING → COMPLETED").waitFor();
    expect(await hasFocus(feed)).toBe(true);
  });

  it("skips the navigation and opens a run", async () => {
    const page = await open("/runs");
    await page.getByRole("link", { name: /Turn titles/ }).waitFor();
    await page.keyboard.press("Tab");
    expect(await hasFocus(page.getByRole("link", { name: "Skip to content" }))).toBe(true);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await hasFocus(page.getByRole("link", { name: "New run" }))).toBe(true);
    await goTo(page, page.getByRole("button", { name: "Completed" }));
    await page.keyboard.press("Space");
    await page.waitForURL(/status=COMPLETED/);
    await goTo(page, page.getByRole("link", { name: /Turn titles/ }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Turn titles into slugs" }).waitFor();
  });

  it("selects an audit entry and proves it", async () => {
    const page = await open(`/audit?run=${story}`);
    const rows = page.getByRole("list", { name: "Entries" }).getByRole("button");
    const third = await rows.nth(2).locator("span").first().textContent();
    await goTo(page, rows.nth(2));
    await page.keyboard.press("Enter");
    const entry = page.getByRole("article", { name: "Entry" });
    await entry.getByRole("heading", { name: `Entry ${third}`, exact: true }).waitFor();
    await goTo(page, entry.getByRole("button", { name: "Prove inclusion" }));
    await page.keyboard.press("Enter");
    await entry.getByText(/hashes to the root/).waitFor();
    expect((await walkByKeys(page)).faults).toEqual([]);
    await goTo(page, page.getByLabel("Event"));
    await page.keyboard.type("dispatch decision");
    await page.waitForURL(/type=DISPATCH_DECISION/);
  });

  it("previews another route and returns to its row", async () => {
    const page = await open("/policies");
    const opener = page
      .getByRole("row")
      .filter({ hasText: "code-review" })
      .getByRole("button", { name: "What if…" });
    await opener.waitFor();
    await goTo(page, opener);
    await page.keyboard.press("Enter");
    const whatIf = page.getByRole("region", { name: /^Preview routing/ });
    await whatIf.getByText(/^0 of 2 past dispatches/).waitFor();
    await goTo(page, whatIf.getByRole("checkbox", { name: "code-reviewer" }));
    await page.keyboard.press("Space");
    await whatIf.getByText(/^2 of 2 past dispatches/).waitFor();
    await goTo(page, whatIf.getByLabel("Fallback"));
    await page.keyboard.type("code-r");
    await whatIf.getByText(/^0 of 2 past dispatches/).waitFor();
    await goTo(page, whatIf.getByRole("button", { name: "Close" }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await whatIf.waitFor({ state: "detached" });
    expect(await hasFocus(opener)).toBe(true);
  });

  it("decides open questions", async () => {
    const page = await open("/inbox");
    const waiting = page.getByRole("list", { name: "Open questions" }).getByRole("button");
    const question = waiting.filter({ hasText: "round or square" }).first();
    await question.waitFor();
    await goTo(page, question);
    await page.keyboard.press("Enter");
    const answer = page.getByRole("textbox", { name: "Your answer" });
    await answer.waitFor();
    await goTo(page, answer);
    await page.keyboard.type("round");
    await goTo(page, page.getByRole("button", { name: "Answer", exact: true }));
    await page.keyboard.press("Enter");
    await page.getByText("Answer sent to the agent.").waitFor();
    const review = waiting.filter({ hasText: "Review" });
    await goTo(page, review);
    await page.keyboard.press("Enter");
    const approve = page.getByRole("radio", { name: /^Approve/ });
    await approve.waitFor();
    await goTo(page, approve);
    await page.keyboard.press("ArrowDown");
    await page.getByRole("radio", { name: /^Send back/, checked: true }).waitFor();
    await walk(page, 18);
    await goTo(page, page.getByRole("radio", { name: /^Send back/ }));
    await page.keyboard.press("ArrowUp");
    await page.getByRole("radio", { name: /^Approve/, checked: true }).waitFor();
    await goTo(page, page.getByLabel("Reason", { exact: true }));
    await page.keyboard.type("it is Monday");
    await page.keyboard.press("Enter");
    await page.getByText(/^Approved\./).waitFor();
    await untilEnded(stage.hub, release);
  });
});
