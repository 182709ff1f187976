import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { buildPage } from "../build/build-page.ts";
import { browserPath, openBrowser, openPage, takePicture } from "../testing/browser.ts";
import { HubProcess } from "../testing/hub.ts";

const stages = 500;
const lines = 100_000;

describe("the page", () => {
  it("weighs less than 500 kB, compressed", async () => {
    expect((await buildPage()).compressedBytes).toBeLessThan(500_000);
  });
});

describe.skipIf(browserPath === undefined)("a run of five hundred stages", () => {
  let hub: HubProcess;
  let browser: Browser;
  let pipelineId = "";
  beforeAll(async () => {
    if (browserPath === undefined) return;
    await buildPage();
    [hub, browser] = await Promise.all([HubProcess.start(), openBrowser()]);
    const { pipeline } = await hub.clients().orchestrator.submitTask({
      idempotencyKey: "large",
      plan: {
        case: "pipeline",
        value: {
          name: "Large",
          stages: Array.from({ length: stages }, (_, place) => ({
            stageId: `stage-${place}`,
            taskType: "nobody-does-this",
            config: {
              required: true,
              dependsOnStages: place < 10 ? [] : [`stage-${place - 10}`, `stage-${place - 7}`],
            },
          })),
        },
      },
      contract: { taskId: "large", title: "Large", acceptanceCriteria: ["it is large"] },
      refs: [{ uriOrLocator: "README.md" }],
    });
    pipelineId = pipeline?.pipelineId ?? "";
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.end();
  });

  it("is drawn where somebody looks, and nowhere else", async () => {
    const { page, context, complaints } = await openPage(browser);
    onTestFinished(() => context.close());
    await page.goto(`${hub.http}/runs/${pipelineId}`);
    const graph = page.getByRole("region", { name: "Stages" });
    await graph.getByRole("button", { name: /^stage-0\b/ }).waitFor();
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
    expect(complaints).toEqual([]);
  });

  it("has a feed that takes a hundred thousand events, of which it draws those in sight", async () => {
    const { page, context, complaints } = await openPage(browser);
    onTestFinished(() => context.close());
    // The page is what is tried here: the past of the run is told by the test, in the words of the hub.
    await page.route(/\/v1\/events.*after=0/, (route) =>
      route.fulfill({ contentType: "text/event-stream", body: pastOf(pipelineId) }),
    );
    await page.goto(`${hub.http}/runs/${pipelineId}?stage=stage-0`);
    const feed = page.getByRole("log", { name: "Events" });
    await feed.getByText(`line ${lines} of many`).waitFor();
    expect(await feed.locator(".feed-row").count()).toBeLessThan(120);
    const first = feed.getByText("line 1 of many", { exact: true });
    await expect
      .poll(async () => {
        await page.evaluate('document.querySelector(".feed-lines").scrollTo(0, 0)');
        return first.count();
      })
      .toBe(1);
    // Wherever somebody scrolls to there are lines, and never more of them than that takes.
    for (const part of [0.1, 0.35, 0.5, 0.75, 0.9]) {
      await page.evaluate(`(() => {
        const lines = document.querySelector(".feed-lines");
        lines.scrollTo(0, lines.scrollHeight * ${part});
      })()`);
      const seen = `(() => {
        const { top, bottom } = document.querySelector(".feed-lines").getBoundingClientRect();
        const boxes = [...document.querySelectorAll(".feed-row")].map((row) => row.getBoundingClientRect());
        return boxes.filter((box) => box.bottom > top && box.top < bottom).length;
      })()`;
      await expect.poll(() => page.evaluate(seen)).toBeGreaterThan(10);
      expect(await feed.locator(".feed-row").count()).toBeLessThan(120);
    }
    await page.getByRole("button", { name: "Go to the newest" }).click();
    await feed.getByText(`line ${lines} of many`).waitFor();
    expect(complaints).toEqual([]);
  });

  it("[TUR-04] has a feed that begins with what is left when events were removed while nobody looked", async () => {
    const { page, context, complaints } = await openPage(browser);
    onTestFinished(() => context.close());
    const asked: string[] = [];
    await page.route(/\/v1\/events.*after=/, (route) => {
      const after = new URL(route.request().url()).searchParams.get("after") ?? "";
      asked.push(after);
      // The hub had to look for a while: the stream has begun when it finds that there is a gap.
      const gone = 'event: error\ndata: {"code": "BATON-QUERY-003", "message": "they are gone"}\n\n';
      const left = pastOf(pipelineId, asked.length === 1 ? [1, 2] : [40, 41]);
      const body = { "0": left, "2": gone }[after] ?? ": alive\n\n";
      return route.fulfill({ contentType: "text/event-stream", body });
    });
    await page.goto(`${hub.http}/runs/${pipelineId}?stage=stage-0`);
    const feed = page.getByRole("log", { name: "Events" });
    await feed.getByText("line 41 of many").waitFor();
    expect(asked.slice(0, 3)).toEqual(["0", "2", "0"]);
    expect(await feed.getByText("line 1 of many", { exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

function pastOf(pipelineId: string, [first, last]: readonly [number, number] = [1, lines]): string {
  const eventId = "6f1c9a52-3f43-4e0c-9f0a-3a5d2f0f6a11";
  const at = "2026-03-14T09:00:00Z";
  const told = Array.from({ length: last - first + 1 }, (_, place) => {
    const sequence = first + place;
    const sandboxPulse = { line: `line ${sequence} of many`, timestamp: at };
    const event = { eventId, sessionId: pipelineId, sandboxPulse };
    const record = { sequence: String(sequence), recordedAt: at, pipelineId, stageId: "stage-0", event };
    return `id: ${sequence}\nevent: record\ndata: ${JSON.stringify(record)}\n\n`;
  });
  return `${told.join("")}id: ${last}\nevent: caught_up\ndata: {"sequence":"${last}"}\n\n`;
}
