import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { buildPage } from "../build/build-page.ts";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openBrowser, openPage, takePicture } from "../testing/browser.ts";
import { HubProcess } from "../testing/hub.ts";

describe.skipIf(browserPath === undefined)("the page of a hub without keys", () => {
  let hub: HubProcess;
  let browser: Browser;
  let pipelineId = "";
  beforeAll(async () => {
    if (browserPath === undefined) return;
    await buildPage();
    [hub, browser] = await Promise.all([HubProcess.start(), openBrowser()]);
    const { pipeline } = await hub.clients().orchestrator.submitTask({
      idempotencyKey: "one",
      plan: { case: "taskType", value: "implement" },
      contract: { taskId: "T-1", title: "Nobody does this", acceptanceCriteria: ["it is done"] },
    });
    pipelineId = pipeline?.pipelineId ?? "";
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.end();
  });

  async function newCode(): Promise<string> {
    const answer = await fetch(`${hub.http}/v1/sign-in/codes`, {
      method: "POST",
      headers: { authorization: `Bearer ${hub.operatorToken}` },
    });
    return ((await answer.json()) as { code: string }).code;
  }

  const readOnly = /You can watch and start runs/;

  it("is read-only without a code: decisions are disabled, with the sign-in command beside them", async () => {
    const { page, context, complaints } = await openPage(browser, { isSignedIn: false });
    onTestFinished(() => context.close());
    await page.goto(`${hub.http}/runs/${pipelineId}`);
    await page.getByText(readOnly).waitFor();
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `read-only-${look}`);
      expect(await findOverflow(page)).toEqual([]);
    });
    await page.getByRole("button", { name: "Pause" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`open the address that “npx baton open --hub ${hub.grpc}” prints`).waitFor();
    expect(await dialog.getByRole("textbox").isDisabled()).toBe(true);
    expect(await dialog.getByRole("button", { name: "Pause" }).isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "Close" }).click();
    // The command names a hub that is not at the default address.
    await page
      .locator(".read-only code")
      .getByText(`npx baton open --hub ${hub.grpc}`, { exact: true })
      .waitFor();
    expect(complaints).toEqual([]);
  });

  it("is signed in by a code that works once and stays neither in the address bar nor in a cookie", async () => {
    const { page, context } = await openPage(browser, { isSignedIn: false });
    onTestFinished(() => context.close());
    const code = await newCode();
    await page.goto("about:blank");
    await page.goto(`${hub.http}/#code=${code}`);
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    expect(page.url()).toBe(`${hub.http}/`);
    expect(await page.getByText(readOnly).count()).toBe(0);
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate("JSON.stringify([localStorage.length, history.length])")).toBe("[0,2]");
    expect(await page.evaluate("JSON.stringify(sessionStorage)")).not.toContain(code);
    await page.goBack();
    await page.goForward();
    expect(page.url()).toBe(`${hub.http}/`);

    // A second tab shares the session; another browser profile cannot use the code again.
    const second = await context.newPage();
    await second.goto(`${hub.http}/inbox`);
    await second.getByRole("button", { name: "Sign out" }).waitFor();
    const { page: other, context: elsewhere } = await openPage(browser, { isSignedIn: false });
    onTestFinished(() => elsewhere.close());
    await other.goto(`${hub.http}/#code=${code}`);
    await other.getByText(/Sign-in failed: the sign-in code is unknown, expired or already used/).waitFor();
    expect(other.url()).toBe(`${hub.http}/`);

    await page.goto(`${hub.http}/runs/${pipelineId}`);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("textbox").first().fill("to look at it");
    await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
  });

  it("displays that the tenant is stopped, by whom and why, also while it is open", async () => {
    const { page, context } = await openPage(browser);
    onTestFinished(() => context.close());
    await page.goto(`${hub.http}/runs`);
    await page.getByText("Live", { exact: true }).waitFor();
    const { orchestrator } = hub.clients();
    await orchestrator.stopTenant({ reason: "an agent deletes things" });
    await page.getByText("All work is stopped by operator: an agent deletes things").waitFor();
    expect(await (await fetch(`${hub.http}/readyz`)).text()).toContain("1 tenant is stopped");
    await page.reload();
    await page.getByText("All work is stopped by operator: an agent deletes things").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePicture(page, "stopped");
    await orchestrator.startTenant({ reason: "it is gone" });
    await page.getByText("All work is stopped").waitFor({ state: "detached" });
  });

  it("becomes read-only when its session ends", async () => {
    const { page, context } = await openPage(browser, { isSignedIn: false });
    onTestFinished(() => context.close());
    await page.goto(`${hub.http}/#code=${await newCode()}`);
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    await hub.kill();
    await hub.startAgain();
    await page.getByText(readOnly).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
  });
});
