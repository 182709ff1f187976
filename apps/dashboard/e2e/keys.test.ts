import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { buildPage } from "../build/build-page.ts";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openBrowser, openPage, takePicture } from "../testing/browser.ts";
import { HubProcess } from "../testing/hub.ts";

/** As in the how-to guide. */
const makeKey = `
  import { generateKey } from "@baton/server";
  console.log(JSON.stringify(generateKey({ id: "ada", tenant: "acme", roles: ["submit", "operate"] })));`;

describe.skipIf(browserPath === undefined)("a hub with keys", () => {
  let key = "";
  let folder = "";
  let hub: HubProcess;
  let browser: Browser;
  beforeAll(async () => {
    if (browserPath === undefined) return;
    await buildPage();
    folder = mkdtempSync(join(tmpdir(), "baton-keys-"));
    const made = JSON.parse(
      execFileSync(process.execPath, ["--input-type=module", "-e", makeKey], {
        cwd: import.meta.dirname,
      }).toString(),
    );
    key = made.key;
    writeFileSync(join(folder, "keys.yaml"), JSON.stringify({ keys: [made.entry] }));
    [hub, browser] = await Promise.all([
      HubProcess.start(["--keys", join(folder, "keys.yaml")]),
      openBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.end();
    if (folder !== "") rmSync(folder, { recursive: true });
  });

  it("asks for one, keeps it in the tab only, and reports missing roles", async () => {
    const { page, context } = await openPage(browser);
    onTestFinished(() => context.close());
    await page.goto(hub.http);
    await page.getByText("Enter a key to open this hub").waitFor();
    await page.getByLabel("Key").fill("baton_ada_wrong");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("Invalid key.").waitFor();
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `key-${look}`);
      expect(await findOverflow(page)).toEqual([]);
    });
    await page.getByLabel("Key").fill(key);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("No runs yet").waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    expect(
      await page.evaluate(
        "JSON.stringify([localStorage.length, document.cookie, location.href.includes('baton_')])",
      ),
    ).toBe('[0,"",false]');
    await page.getByRole("link", { name: "Audit" }).click();
    await page
      .getByRole("alert")
      .getByText(/has no role that may call/)
      .waitFor();
    await page.getByRole("button", { name: "Remove key" }).click();
    await page.getByText("Enter a key to open this hub").waitFor();
    const other = await context.newPage();
    await other.goto(hub.http);
    await other.getByText("Enter a key to open this hub").waitFor();
  });
});
