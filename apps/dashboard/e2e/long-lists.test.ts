import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { browserPath, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { submitDance } from "../testing/tasks.ts";

/** The largest number of rows of a list. */
const most = 1_000;
const lanes = 10;

describe.skipIf(browserPath === undefined)("a long list", () => {
  const stage = setStage([]);

  const open = async (path: string) => {
    const opened = await openPage(stage.browser);
    onTestFinished(() => opened.context.close());
    await opened.page.goto(stage.hub.http + path);
    return opened;
  };
  /** Loads pages until the list is full. */
  const showAll = async (page: Page, list: string, pageSize: number) => {
    const rows = page.getByRole("list", { name: list }).getByRole("listitem");
    for (let count = pageSize; count < most; count += pageSize) {
      await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(count);
      await page.getByRole("button", { name: "Show more" }).click();
      // Rows stay while more are read.
      expect(await rows.count()).toBeGreaterThanOrEqual(count);
    }
    await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(most);
    return rows;
  };

  it("of runs continues with older ones, to the first", async () => {
    const first = await submitDance(stage.hub, "the first of all");
    await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        for (let place = 0; place <= most / lanes; place++) await submitDance(stage.hub, `${lane}-${place}`);
      }),
    );
    const { page, complaints } = await open("/runs");
    const rows = await showAll(page, "Runs", 50);
    expect(await page.locator(`a[href*="${first}"]`).count()).toBe(0);
    await page.getByRole("button", { name: "Show older runs" }).click();
    await page.locator(`a[href*="${first}"]`).waitFor();
    expect(new URL(page.url()).searchParams.get("before")).toMatch(/^\d{4}-.*Z$/);
    expect(await rows.count()).toBeLessThan(50);
    await takePicture(page, "runs-older-light");
    await page.getByRole("button", { name: /^until/ }).click();
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(50);
    expect(complaints).toEqual([]);
  });

  it("of audit entries continues with older ones", async () => {
    const { page, complaints } = await open("/audit");
    const rows = await showAll(page, "Entries", 100);
    const last = await rows.last().locator("span").first().textContent();
    await page.getByRole("button", { name: `Show entries before ${last}` }).click();
    await page.getByText(`Only entries before ${last}.`).waitFor();
    await expect
      .poll(() => rows.first().locator("span").first().textContent())
      .toBe(String(Number(last) - 1));
    expect(complaints).toEqual([]);
  });
});
