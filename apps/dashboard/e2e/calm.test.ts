import { FailureStrategy, RiskTier } from "@baton/contract";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { browserPath, openPage, type sizes } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { makeRepository, StoryAgents, storyArguments, submitStory, untilEnded } from "../testing/story.ts";
import { juggler, questioners, submitDesign, submitFix } from "../testing/tasks.ts";

/** What everything else stands in. */
const frames =
  ".card, .page-head, .run-facts, .run-columns, .tabs, .tab, .attempt-picker, .side-foot, header, nav, h1, h2";

/** Whatever moved by itself since the page was opened. Bars move along their lane: that is time going on. */
const watchShifts = `
  window.shifts = { total: 0, frames: [] };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const elements = sources.map(({ node }) => (node?.nodeType === 3 ? node.parentElement : node));
      const moved = elements.filter((element) => element && !element.closest(".lane-time, .timeline-ticks"));
      if (hadRecentInput || moved.length === 0) continue;
      window.shifts.total += value;
      for (const element of moved)
        if (element.matches(${JSON.stringify(frames)})) window.shifts.frames.push(element.outerHTML.slice(0, 150));
    }
  }).observe({ type: "layout-shift", buffered: true });
`;

/** What people do not notice, by the measure that browsers use for it. */
const unnoticed = 0.1;

describe.skipIf(browserPath === undefined)("the page while things happen", () => {
  const stage = setStage([juggler, ...questioners], storyArguments);
  let agents: StoryAgents | undefined;
  beforeAll(async () => {
    if (browserPath !== undefined) agents = await StoryAgents.start(stage.hub);
  });
  afterAll(() => agents?.end());

  const open = async (path: string, size: keyof typeof sizes = "wide") => {
    const { page, context } = await openPage(stage.browser, { size });
    onTestFinished(() => context.close());
    await page.addInitScript(watchShifts);
    await page.goto(stage.hub.http + path);
    return page;
  };
  const shiftsOf = (page: Page): Promise<{ total: number; frames: readonly string[] }> =>
    page.evaluate("window.shifts");

  it.each([
    ["wide", "stage=implement"],
    ["wide", "stage=review&tab=evidence"],
    ["narrow", "stage=implement"],
  ] as const)("stands still on a %s screen while a run goes on, with %s", async (size, query) => {
    const id = await submitStory(stage.hub, `calm ${size} ${query}`, "Turn titles into slugs");
    const page = await open(`/runs/${id}?${query}`, size);
    await page.getByRole("log", { name: "Events" }).waitFor();
    await untilEnded(stage.hub, id);
    await page
      .getByRole("region", { name: "Stages" })
      .getByRole("button", { name: /^verify.*Completed/s })
      .waitFor();
    await page.getByRole("button", { name: /Attempt 2/ }).waitFor();
    const { total, frames: moved } = await shiftsOf(page);
    expect(moved).toEqual([]);
    expect(total).toBeLessThan(unnoticed);
  });

  const untilAsked = async (pipelineId: string) => {
    const { orchestrator } = stage.hub.clients();
    for (;;) {
      const { escalations } = await orchestrator.listEscalations({ filter: `pipeline_id = "${pipelineId}"` });
      if (escalations[0]) return escalations[0].escalationId;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const submits = {
    "failed at its first attempt": async (key: string) => {
      const { pipeline } = await stage.hub.clients().orchestrator.submitTask({
        idempotencyKey: key,
        plan: {
          case: "pipeline",
          value: {
            name: "Juggle five balls",
            stages: [{ stageId: "juggle", taskType: "juggling", config: { required: true } }],
            policy: { failureStrategy: FailureStrategy.FAIL_FAST },
          },
        },
        riskTier: RiskTier.LOW,
        contract: { taskId: key, title: "Juggle five balls", acceptanceCriteria: ["none is dropped"] },
        refs: [{ uriOrLocator: "README.md" }],
      });
      return pipeline?.pipelineId ?? "";
    },
    "asked and was answered": async (key: string) => {
      const id = await submitDesign(stage.hub, key);
      const escalationId = await untilAsked(id);
      const { orchestrator } = stage.hub.clients();
      await orchestrator.resolveEscalation({ escalationId, resolution: "round", reason: "it is friendlier" });
      return id;
    },
    "made claims that did not hold": async (key: string) => {
      const id = await submitFix(stage.hub, key, makeRepository(stage.hub));
      await untilAsked(id);
      await stage.hub.clients().orchestrator.abortPipeline({ pipelineId: id, reason: "seen enough" });
      return id;
    },
    "was sent back": (key: string) => submitStory(stage.hub, key, "Opened later"),
  } as const;

  const failed = { what: "failed at its first attempt", rows: [/: failed: dropped all of it/] } as const;
  const asked = { what: "asked and was answered", rows: [/: asked, and was answered: round/] } as const;
  const sentBack = { what: "was sent back", rows: [/did not hold/, /rejected the work/] } as const;
  const claims = {
    what: "made claims that did not hold",
    rows: [/attempt 1: the claim “/, /attempt 2: the claim “/],
  } as const;

  it.each([failed, asked, sentBack, claims])(
    "stands still, on a wide and on a narrow screen, when a run is opened that $what",
    async ({ what, rows }) => {
      const id = await submits[what](what);
      await untilEnded(stage.hub, id);
      for (const size of ["wide", "narrow"] as const) await standsStill(id, rows, size);
    },
  );

  const standsStill = async (id: string, rows: readonly RegExp[], size: keyof typeof sizes) => {
    const { page, context } = await openPage(stage.browser, { size });
    onTestFinished(() => context.close());
    await page.addInitScript(watchShifts);
    // The run is drawn well before the hub tells more of it.
    await page.route(/\/GetAttempts?$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await page.goto(`${stage.hub.http}/runs/${id}`);
    const happened = page.getByRole("region", { name: "What happened" }).getByRole("listitem");
    for (const [index, words] of rows.entries()) await happened.nth(index).getByText(words).waitFor();
    expect(await happened.count()).toBe(rows.length);
    await page.getByRole("log", { name: "Events" }).waitFor();
    // Whatever is read after that is shown by then.
    await page.evaluate("new Promise((done) => setTimeout(done, 700))");
    const { total, frames: moved } = await shiftsOf(page);
    expect(moved).toEqual([]);
    expect(total).toBeLessThan(unnoticed);
  };

  it("stands still in the list of runs while one goes on and a new one comes in", async () => {
    await submitStory(stage.hub, "listed before", "Listed before");
    const page = await open("/runs");
    await page.getByRole("link", { name: /Listed before/ }).waitFor();
    const id = await submitStory(stage.hub, "listed after", "Listed after");
    await untilEnded(stage.hub, id);
    await page
      .getByRole("link", { name: /Listed after/ })
      .getByText("Completed", { exact: true })
      .waitFor();
    const { total, frames: moved } = await shiftsOf(page);
    expect(moved).toEqual([]);
    expect(total).toBeLessThan(unnoticed);
  });

  it("has its first content with one answer of the hub, and waits for no other", async () => {
    const { page, context } = await openPage(stage.browser);
    onTestFinished(() => context.close());
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    // The list is answered, and nothing else is.
    await page.route(/\/v1\/events|\/vasini\./, (route) =>
      route.request().url().endsWith("/ListPipelines") ? route.continue() : undefined,
    );
    await page.goto(`${stage.hub.http}/runs`);
    await page.getByRole("link", { name: /Listed after/ }).waitFor();
    const calls = asked.filter((path) => path.startsWith("/vasini."));
    expect(calls.filter((path) => path.endsWith("/ListPipelines"))).toHaveLength(1);
    // The page, its script and its style, its sign; the stream, the list and what waits for a person.
    expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(8);
  });

  it("shows a run with one answer of the hub, and the rest as it comes", async () => {
    const { page, context } = await openPage(stage.browser);
    onTestFinished(() => context.close());
    const id = await submitStory(stage.hub, "at once", "Shown at once");
    await page.route(/\/v1\/events|\/vasini\./, (route) =>
      route.request().url().endsWith("/GetPipeline") ? route.continue() : undefined,
    );
    await page.goto(`${stage.hub.http}/runs/${id}`);
    await page.getByRole("heading", { name: "Shown at once" }).waitFor();
    await page
      .getByRole("region", { name: "Stages" })
      .getByRole("button", { name: /^verify/ })
      .waitFor();
    await stage.hub.clients().orchestrator.abortPipeline({ pipelineId: id, reason: "it was shown" });
    await untilEnded(stage.hub, id);
  });
});
