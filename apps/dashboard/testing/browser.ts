import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { operatorTokens } from "./hub.ts";

const defaultPath = "/usr/bin/chromium";

/** The installed browser. Without one, tests that need it are skipped. */
export const browserPath = process.env.BATON_CHROMIUM ?? (existsSync(defaultPath) ? defaultPath : undefined);

const flags = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

export async function openBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error("there is no browser");
  return chromium.launch({ executablePath: browserPath, args: flags, headless: true });
}

export const sizes = {
  wide: { width: 1440, height: 900 },
  narrow: { width: 400, height: 800 },
  huge: { width: 3840, height: 2160 },
} as const;

/** A page in its own context. `complaints` collects errors of its scripts and console. */
export async function openPage(
  browser: Browser,
  {
    theme = "light",
    size = "wide",
    isSignedIn = true,
  }: { theme?: "light" | "dark"; size?: keyof typeof sizes; isSignedIn?: boolean } = {},
): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(60_000);
  if (isSignedIn) await context.addInitScript(signInScript(Object.fromEntries(operatorTokens)));
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // Refused connections are part of the tests.
    if (message.type() === "error" && !/Failed to load resource|ERR_/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  return { page, context, complaints };
}

/** Signs in before the scripts of the page run, in every tab. */
function signInScript(tokens: Readonly<Record<string, string>>): string {
  return `(() => {
    const token = ${JSON.stringify(tokens)}[location.origin];
    if (token !== undefined && sessionStorage.getItem("baton.key") === null) sessionStorage.setItem("baton.key", token);
  })()`;
}

const pictures = resolve(import.meta.dirname, "../../../.cache/pictures");

/** Saves a screenshot for people to look at. */
export async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.evaluate("scrollTo(0, 0)");
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

/** Calls `look` in both themes, wide and narrow. */
export async function inEveryLook(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    for (const size of ["wide", "narrow"] as const) {
      await page.setViewportSize(sizes[size]);
      await look(`${size}-${theme}`);
    }
  }
}
