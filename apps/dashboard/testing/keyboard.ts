import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";

const script = readFileSync(join(import.meta.dirname, "key-walk.js"), "utf8");

/** Far more than any page has; whoever has not come around by then never does. */
const most = 600;

interface Way {
  /** Only over this part: the walk begins before it, and ends where it is left. */
  readonly within?: string;
  readonly isBack?: boolean;
}

/**
 * Goes over a page with the Tab key, and along its tabs with the arrows, until it is where it began. Tells what is not
 * reached so, where the focus is not seen, what only a mouse can use or scroll, and whether it ever came around.
 */
export async function walkByKeys(page: Page, { within, isBack = false }: Way = {}) {
  await page.evaluate(script);
  await page.evaluate("keyWalk.begin()");
  const note = (): Promise<{ isAround: boolean; isTab: boolean }> =>
    page.evaluate(`keyWalk.note(${JSON.stringify(within)})`);
  const trap = `does not come around: it is at ${await goAround(page, note, isBack)}`;
  const { stops, faults } = await page.evaluate<{ stops: number; faults: string[] }>(
    `keyWalk.told(${JSON.stringify({ within, isBack })})`,
  );
  return { stops, faults: trap.endsWith(" at ") ? faults : [...faults, trap] };
}

/** Empty when it has come around, else where it got stuck. */
async function goAround(
  page: Page,
  note: () => Promise<{ isAround: boolean; isTab: boolean }>,
  isBack: boolean,
): Promise<string> {
  for (let step = 0; step < most; step++) {
    await page.keyboard.press(isBack ? "Shift+Tab" : "Tab");
    const { isAround, isTab } = await note();
    if (isAround) return "";
    if (!isTab || isBack) continue;
    const tabs = await page.locator(":focus").locator("..").getByRole("tab").count();
    for (let tab = 0; tab < tabs; tab++) {
      await page.keyboard.press("ArrowRight");
      await note();
    }
  }
  return page.evaluate("keyWalk.place()");
}

/** Presses a key until the focus is there. */
export async function goTo(page: Page, place: Locator, key = "Tab"): Promise<void> {
  const element = await place.elementHandle();
  for (let step = 0; step < most; step++) {
    if (await element?.evaluate((one) => one.matches(":focus"))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${place}`);
}
