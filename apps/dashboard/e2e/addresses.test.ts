import { describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { storyArguments } from "../testing/story.ts";
import { questioners, submitDance, submitDesign, submitRelease } from "../testing/tasks.ts";

describe.skipIf(browserPath === undefined)("an address", () => {
  const stage = setStage(questioners, storyArguments);

  const open = async (path: string, look: Parameters<typeof openPage>[1] = {}) => {
    const opened = await openPage(stage.browser, look);
    onTestFinished(() => opened.context.close());
    await opened.page.goto(stage.hub.http + path);
    return opened;
  };

  it.each([
    ["nowhere", "/nowhere", "Page not found"],
    ["absent-run", "/runs/p-absent", "Run p-absent not found"],
  ])("that does not exist has a page of its own: %s", async (name, path, title) => {
    const { page, complaints } = await open(path);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    expect(await page.title()).toBe("Not found · Baton");
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `${name}-${look}`);
      expect(await findOverflow(page)).toEqual([]);
    });
    expect(complaints).toEqual([]);
  });

  it("leads from a run to its pack and its audit entries, and from an entry to the pack", async () => {
    const id = await submitDesign(stage.hub, "linked");
    const { page, complaints } = await open(`/runs/${id}?stage=design&tab=why`);
    const why = page.getByRole("tabpanel", { name: "Routing" });
    await why.getByRole("link", { name: "designer" }).first().click();
    await page.waitForURL(/\/agents\?pack=designer$/);
    const pack = page.getByRole("region", { name: "designer" });
    await pack.getByText("Healthy").waitFor();
    expect(await pack.getAttribute("aria-current")).toBe("true");
    expect(await page.locator("[aria-current=true]").count()).toBe(1);
    await page.goBack();
    await page.getByRole("link", { name: "Audit record" }).click();
    await page.waitForURL((url) => url.pathname === "/audit" && url.searchParams.get("run") === id);
    const chosen = page.getByRole("list", { name: "Entries" }).getByText("Dispatch decision");
    await chosen.click();
    await page.getByRole("article", { name: "Entry" }).getByRole("link", { name: "designer" }).click();
    await page.waitForURL(/\/agents\?pack=designer$/);
    await page.goto(`${stage.hub.http}/agents?pack=somebody`);
    await page.getByText("No agent of pack somebody is connected.").waitFor();
    expect(await page.locator("[aria-current=true]").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("opens the preview of a route", async () => {
    const { page } = await open("/policies?route=design");
    const whatIf = page.getByRole("region", { name: /^Preview routing/ });
    await whatIf.getByText(/past dispatch(es)? in the last/).waitFor();
    await whatIf.getByRole("button", { name: "Close" }).click();
    expect(new URL(page.url()).search).toBe("");
    expect(await whatIf.count()).toBe(0);
  });

  it("of the form for a new run is accessible in both themes and at any width", async () => {
    const { page, complaints } = await open("/runs/new?template=implement-and-review");
    await page.getByRole("list", { name: "Stages of the template" }).getByText("review").first().waitFor();
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `new-run-${look}`);
      expect(await findOverflow(page)).toEqual([]);
    });
    expect(complaints).toEqual([]);
  });

  it("has the same content on a very large screen", async () => {
    await submitDance(stage.hub, "large");
    await submitRelease(stage.hub, "large release");
    for (const [path, text] of [
      ["agents", "Waiting for an agent"],
      ["inbox", "218 passed"],
      ["audit", "Verified"],
    ] as const) {
      const { page, complaints } = await open(`/${path}`, { size: "huge" });
      await page.getByText(text).first().waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `${path}-huge-light`);
      expect(await findOverflow(page)).toEqual([]);
      expect(complaints).toEqual([]);
    }
  });
});
