import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { buildPage } from "../build/build-page.ts";
import { browserPath, openBrowser, openPage, takePicture } from "../testing/browser.ts";
import { HubProcess } from "../testing/hub.ts";
import { type Scrolled, scrollByWheel } from "../testing/smoothness.ts";
import { untilEnded } from "../testing/story.ts";

/** With its transitions, a run of two stages with this output has three lines more than a feed keeps. */
const feedLines = 100_000;
const linesOfStage = 49_996;

/** The cost of the large run relative to the small one, on the same machine at the same time. */
const most = 3;

/** A command agent, whose output is published as it is printed. */
const talker = `
  const { inputs, execution } = JSON.parse(await new Response(process.stdin).text());
  const [, stage] = execution.dispatchId.split("/");
  const lines = Array.from({ length: inputs.lines }, (_, place) => stage + " says line " + (place + 1) + "\\n");
  process.stdout.write(lines.join("") + JSON.stringify({ status: "success", summary: "said it all" }) + "\\n");
`;

describe("the page", () => {
  it("is smaller than 500 kB, compressed", async () => {
    expect((await buildPage()).compressedBytes).toBeLessThan(500_000);
  });
});

describe.skipIf(browserPath === undefined)("a very large run", () => {
  let folder = "";
  let hub: HubProcess;
  let browser: Browser;
  const ids = { large: "", small: "", long: "", short: "" };
  beforeAll(async () => {
    if (browserPath === undefined) return;
    await buildPage();
    folder = mkdtempSync(join(tmpdir(), "baton-scale-"));
    const pack = join(folder, "packs", "talker");
    mkdirSync(pack, { recursive: true });
    writeFileSync(join(pack, "talk.mjs"), talker);
    const command = { run: [process.execPath, "{pack}/talk.mjs"], envelope: "stdin" };
    const facts = { pack_id: "talker", pack_version: "1.0.0", supported_task_types: ["talking"] };
    writeFileSync(
      join(pack, "profession-pack.yaml"),
      JSON.stringify({ profession_pack: { ...facts, command } }),
    );
    [hub, browser] = await Promise.all([HubProcess.start(["--packs", join(folder, "packs")]), openBrowser()]);
    ids.large = await submitGraph(500);
    ids.small = await submitGraph(50);
    ids.short = await submitTalk(500);
    ids.long = await submitTalk(linesOfStage);
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.end();
    if (folder !== "") rmSync(folder, { recursive: true });
  });

  const submit = async (key: string, stages: readonly Stage[], inputs = {}) => {
    const { pipeline } = await hub.clients().orchestrator.submitTask({
      idempotencyKey: key,
      plan: { case: "pipeline", value: { name: key, stages: [...stages] } },
      contract: { taskId: key.replaceAll(" ", "-"), title: key, acceptanceCriteria: ["it is large"] },
      refs: [{ uriOrLocator: "README.md" }],
      inputs,
    });
    return pipeline?.pipelineId ?? "";
  };
  const stageOf = (stageId: string, taskType: string, dependsOnStages: string[]) => ({
    ...{ stageId, taskType },
    config: { required: true, dependsOnStages },
  });
  type Stage = ReturnType<typeof stageOf>;
  const submitGraph = (count: number) =>
    submit(
      `Graph of ${count}`,
      Array.from({ length: count }, (_, place) =>
        stageOf(
          `stage-${place}`,
          "nobody-does-this",
          place < 10 ? [] : [`stage-${place - 10}`, `stage-${place - 7}`],
        ),
      ),
    );
  const submitTalk = async (lines: number) => {
    const stages = [stageOf("first", "talking", []), stageOf("second", "talking", ["first"])];
    const id = await submit(`Talk of ${lines}`, stages, { lines });
    expect((await untilEnded(hub, id)).statusReason).toBe("");
    return id;
  };
  const open = async (path: string) => {
    const { page, context, complaints } = await openPage(browser);
    onTestFinished(async () => {
      await context.close();
      expect(complaints).toEqual([]);
    });
    await page.goto(hub.http + path);
    return page;
  };
  /** Measures both alternately and takes the best of each, so that other load does not matter. */
  const compare = async (small: () => Promise<Scrolled>, large: () => Promise<Scrolled>) => {
    const [smalls, larges]: [Scrolled[], Scrolled[]] = [[], []];
    for (let round = 0; round < 3; round++) {
      smalls.push(await small());
      larges.push(await large());
    }
    const least = (all: readonly Scrolled[], what: keyof Scrolled) =>
      Math.min(...all.map((one) => one[what]));
    for (const what of ["frameMs", "busyMs"] as const)
      expect(least(larges, what), what).toBeLessThan(most * least(smalls, what));
    expect(least(larges, "longTasks")).toBeLessThanOrEqual(most * least(smalls, "longTasks") + 1);
  };

  const openGraph = async (id: string) => {
    const page = await open(`/runs/${id}`);
    await page
      .getByRole("region", { name: "Stages" })
      .getByRole("button", { name: /^stage-0\b/ })
      .waitFor();
    return page;
  };

  it("of five hundred stages renders the visible part only", async () => {
    const page = await openGraph(ids.large);
    const graph = page.getByRole("region", { name: "Stages" });
    expect(await graph.locator(".stage-box").count()).toBeLessThan(150);
    await page.evaluate(`(() => {
      const frame = document.querySelector(".graph-frame");
      frame.scrollTo(frame.scrollWidth, (frame.scrollHeight - frame.clientHeight) / 2);
    })()`);
    await graph
      .getByRole("button", { name: /^stage-49\d/ })
      .first()
      .waitFor();
    expect(await page.locator(".lane").count()).toBeLessThan(60);
    await takePicture(page, "large-wide-light");
  });

  it("of five hundred stages has every stage in the tab order", async () => {
    const page = await openGraph(ids.large);
    const boxes = page.locator(".stage-box");
    await boxes.first().focus();
    const name = () => boxes.and(page.locator(":focus")).locator("strong").textContent();
    const places = Array.from({ length: 20 }, (_, place) => `stage-${place}`);
    const [there, back]: [(string | null)[], (string | null)[]] = [[], []];
    for (const _ of places) {
      there.push(await name());
      await page.keyboard.press("Tab");
    }
    for (const _ of places) {
      await page.keyboard.press("Shift+Tab");
      back.push(await name());
    }
    expect(there).toEqual(places);
    expect(back).toEqual(places.toReversed());
    expect(await boxes.count()).toBeLessThan(150);
  });

  it("of five hundred stages is laid out in a worker and scrolls like a small one", async () => {
    const [small, large] = [await openGraph(ids.small), await openGraph(ids.large)];
    expect(large.workers().map((worker) => new URL(worker.url()).pathname)).toEqual([
      expect.stringMatching(/layout-worker/),
    ]);
    const scroll = (page: Page) => async () => {
      await page.bringToFront();
      const frame = page.locator(".graph-frame");
      await frame.evaluate((one) => one.scrollTo({ left: 0, top: 0 }));
      const scrolled = await scrollByWheel(page, frame, { steps: 8, x: 120 });
      expect(await frame.evaluate((one) => one.scrollLeft)).toBeGreaterThan(500);
      return scrolled;
    };
    await compare(scroll(small), scroll(large));
    // Without the worker there is no layout.
    await small.route(/layout-worker/, (route) => route.abort());
    await small.reload();
    await small.locator(".lane").first().waitFor();
    expect(await small.locator(".stage-box").count()).toBe(0);
  });

  const openFeed = async (id: string) => {
    const page = await open(`/runs/${id}`);
    await page.getByRole("button", { name: "Whole run" }).click();
    const feed = page.getByRole("log", { name: "Events" });
    await feed.getByText("run: RUNNING → COMPLETED").waitFor();
    return { page, feed };
  };
  interface Row {
    readonly index: number;
    readonly text: string;
    readonly isSeen: boolean;
  }
  const drawn = (page: Page): Promise<readonly Row[]> =>
    page.evaluate(`(() => {
      const { top, bottom } = document.querySelector(".feed-lines").getBoundingClientRect();
      return [...document.querySelectorAll(".feed-row")].map((row) => {
        const box = row.getBoundingClientRect();
        const isSeen = box.bottom > top && box.top < bottom;
        return { index: Number(row.dataset.index), text: row.querySelector(".feed-text").textContent, isSeen };
      });
    })()`);
  const seenOf = async (page: Page) => (await drawn(page)).filter(({ isSeen }) => isSeen).length;
  /** The first stage follows one transition; the second follows its result and three more. */
  const lineAt = (index: number) =>
    index <= linesOfStage ? `first says line ${index}` : `second says line ${index - linesOfStage - 4}`;

  it("[TUR-04] with a feed of a hundred thousand events renders the visible ones and scrolls like a short one", async () => {
    const [short, long] = [await openFeed(ids.short), await openFeed(ids.long)];
    const { page, feed } = long;
    expect((await drawn(page)).at(-1)?.index).toBe(feedLines - 1);
    await feed.getByText(new RegExp(`second says line ${linesOfStage}$`)).waitFor();
    await page.getByText("3 lines dropped: the feed keeps the last 100,000.").waitFor();
    await takePicture(page, "feed-100000-wide-light");
    await feed.focus();
    await page.keyboard.press("Home");
    await feed.getByText(/first says line 1$/).waitFor();
    // Every scroll position has lines, and not more than needed.
    for (const part of [0.1, 0.35, 0.75, 0.9]) {
      await feed.evaluate((lines, to) => lines.scrollTo({ top: lines.scrollHeight * to }), part);
      await expect.poll(() => seenOf(page)).toBeGreaterThan(10);
      const rows = await drawn(page);
      expect(rows.length).toBeLessThan(120);
      expect(rows.filter(({ index, text }) => !text.endsWith(lineAt(index)))).toEqual([]);
      expect(Math.abs((rows[0]?.index ?? 0) - part * feedLines)).toBeLessThan(feedLines / 20);
    }
    await page.getByRole("button", { name: "Jump to latest" }).click();
    await feed.getByText(new RegExp(`second says line ${linesOfStage}$`)).waitFor();
    const scroll = (one: typeof long) => async () => {
      await one.page.bringToFront();
      await one.feed.evaluate((lines) => lines.scrollTo({ top: lines.scrollHeight / 2 }));
      const scrolled = await scrollByWheel(one.page, one.feed, { steps: 10, y: -200 });
      await expect.poll(() => seenOf(one.page)).toBeGreaterThan(10);
      return scrolled;
    };
    await compare(scroll(short), scroll(long));
  });

  it("[TUR-04] has a feed that starts with the remaining events when some were removed meanwhile", async () => {
    const { page, context, complaints } = await openPage(browser);
    onTestFinished(() => context.close());
    const asked: string[] = [];
    await page.route(/\/v1\/events.*after=/, (route) => {
      const after = new URL(route.request().url()).searchParams.get("after") ?? "";
      asked.push(after);
      // The hub finds the gap after the stream has started.
      const gone = 'event: error\ndata: {"code": "BATON-QUERY-003", "message": "they are gone"}\n\n';
      const left = pastOf(ids.large, asked.length === 1 ? [1, 2] : [40, 41]);
      const body = { "0": left, "2": gone }[after] ?? ": alive\n\n";
      return route.fulfill({ contentType: "text/event-stream", body });
    });
    await page.goto(`${hub.http}/runs/${ids.large}?stage=stage-0`);
    const feed = page.getByRole("log", { name: "Events" });
    await feed.getByText("line 41 of many").waitFor();
    expect(asked.slice(0, 3)).toEqual(["0", "2", "0"]);
    expect(await feed.getByText("line 1 of many", { exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

function pastOf(pipelineId: string, [first, last]: readonly [number, number]): string {
  const eventId = "6f1c9a52-3f43-4e0c-9f0a-3a5d2f0f6a11";
  const at = "2026-03-14T09:00:00Z";
  const records = Array.from({ length: last - first + 1 }, (_, place) => {
    const sequence = first + place;
    const sandboxPulse = { line: `line ${sequence} of many`, timestamp: at };
    const event = { eventId, sessionId: pipelineId, sandboxPulse };
    const record = { sequence: String(sequence), recordedAt: at, pipelineId, stageId: "stage-0", event };
    return `id: ${sequence}\nevent: record\ndata: ${JSON.stringify(record)}\n\n`;
  });
  return `${records.join("")}id: ${last}\nevent: caught_up\ndata: {"sequence":"${last}"}\n\n`;
}
