import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";

const script = readFileSync(join(import.meta.dirname, "key-walk.js"), "utf8");

/** Far more than any page has. */
const maxStops = 600;

interface Walk {
  /** Limits the walk to this part of the page. */
  readonly within?: string;
  readonly isBack?: boolean;
}

/**
 * Walks a page with the Tab key, and its tabs with the arrow keys, until it is back at the start. Reports elements that
 * are not reached, stops without a visible focus, what only a mouse can use or scroll, and focus traps.
 */
export async function walkByKeys(page: Page, { within, isBack = false }: Walk = {}) {
  await page.evaluate(script);
  await page.evaluate("keyWalk.begin()");
  const note = (): Promise<{ isAround: boolean; isTab: boolean }> =>
    page.evaluate(`keyWalk.note(${JSON.stringify(within)})`);
  const trap = `does not return to the start: stuck at ${await goAround(page, note, isBack)}`;
  const { stops, faults } = await page.evaluate<{ stops: number; faults: string[] }>(
    `keyWalk.findings(${JSON.stringify({ within, isBack })})`,
  );
  return { stops, faults: trap.endsWith(" at ") ? faults : [...faults, trap] };
}

/** Returns where the focus got stuck, or an empty text. */
async function goAround(
  page: Page,
  note: () => Promise<{ isAround: boolean; isTab: boolean }>,
  isBack: boolean,
): Promise<string> {
  for (let step = 0; step < maxStops; step++) {
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

/** Presses a key until the element has the focus. */
export async function goTo(page: Page, place: Locator, key = "Tab"): Promise<void> {
  const element = await place.elementHandle();
  for (let step = 0; step < maxStops; step++) {
    if (await element?.evaluate((one) => one.matches(":focus"))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${place}`);
}
