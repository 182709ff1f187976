import { FailureStrategy, RiskTier } from "@baton/contract";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { browserPath, openPage, type sizes } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { makeRepository, StoryAgents, storyArguments, submitStory, untilEnded } from "../testing/story.ts";
import { juggler, questioners, submitDesign, submitFix } from "../testing/tasks.ts";

/** The frames of the page. */
const frames =
  ".card, .page-head, .run-facts, .run-columns, .tabs, .tab, .attempt-picker, .side-foot, header, nav, h1, h2";

/** Records layout shifts since the page was opened. Bars of the timeline may move. */
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

/** Below this layout shift score, a shift is rated as good. */
const maxShift = 0.1;

describe.skipIf(browserPath === undefined)("the layout of the page", () => {
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
  ] as const)("does not move on a %s screen while a run continues, with %s", async (size, query) => {
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
    expect(total).toBeLessThan(maxShift);
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
    "had disproved claims": async (key: string) => {
      const id = await submitFix(stage.hub, key, makeRepository(stage.hub));
      await untilAsked(id);
      await stage.hub.clients().orchestrator.abortPipeline({ pipelineId: id, reason: "seen enough" });
      return id;
    },
    "was sent back": (key: string) => submitStory(stage.hub, key, "Opened later"),
  } as const;

  const failed = { what: "failed at its first attempt", rows: [/: failed: dropped all of it/] } as const;
  const asked = { what: "asked and was answered", rows: [/: asked and was answered: round/] } as const;
  const sentBack = { what: "was sent back", rows: [/was disproved/, /rejected the work/] } as const;
  const claims = {
    what: "had disproved claims",
    rows: [/attempt 1: the claim “/, /attempt 2: the claim “/],
  } as const;

  it.each([failed, asked, sentBack, claims])(
    "does not move, on a wide and a narrow screen, when a run is opened that $what",
    async ({ what, rows }) => {
      const id = await submits[what](what);
      await untilEnded(stage.hub, id);
      for (const size of ["wide", "narrow"] as const) await doesNotMove(id, rows, size);
    },
  );

  const doesNotMove = async (id: string, rows: readonly RegExp[], size: keyof typeof sizes) => {
    const { page, context } = await openPage(stage.browser, { size });
    onTestFinished(() => context.close());
    await page.addInitScript(watchShifts);
    // The run is rendered well before its attempts arrive.
    await page.route(/\/GetAttempts?$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await page.goto(`${stage.hub.http}/runs/${id}`);
    const happened = page.getByRole("region", { name: "What happened" }).getByRole("listitem");
    for (const [index, words] of rows.entries()) await happened.nth(index).getByText(words).waitFor();
    expect(await happened.count()).toBe(rows.length);
    await page.getByRole("log", { name: "Events" }).waitFor();
    // Later responses have been rendered by then.
    await page.evaluate("new Promise((done) => setTimeout(done, 700))");
    const { total, frames: moved } = await shiftsOf(page);
    expect(moved).toEqual([]);
    expect(total).toBeLessThan(maxShift);
  };

  it("does not move in the list of runs when a run continues and a new one starts", async () => {
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
    expect(total).toBeLessThan(maxShift);
  });

  it("has its first content after one response of the hub", async () => {
    const { page, context } = await openPage(stage.browser);
    onTestFinished(() => context.close());
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    // Only the list gets a response.
    await page.route(/\/v1\/events|\/vasini\./, (route) =>
      route.request().url().endsWith("/ListPipelines") ? route.continue() : undefined,
    );
    await page.goto(`${stage.hub.http}/runs`);
    await page.getByRole("link", { name: /Listed after/ }).waitFor();
    const calls = asked.filter((path) => path.startsWith("/vasini."));
    expect(calls.filter((path) => path.endsWith("/ListPipelines"))).toHaveLength(1);
    // Page, script, style, icon, stream, list and open questions.
    expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(8);
  });

  it("displays a run after one response of the hub, and the rest when it arrives", async () => {
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
