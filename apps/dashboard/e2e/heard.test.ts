import { describe, it, onTestFinished } from "vitest";
import { browserPath, openPage } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { questioners, submitDesign, submitRelease } from "../testing/tasks.ts";

/** Whoever looks every second or less often does not look at all: what is shown then was told by the hub. */
const withoutLooking = `
  const begin = window.setInterval.bind(window);
  window.setInterval = (run, ms) => (ms >= 1_000 ? 0 : begin(run, ms));
`;

describe.skipIf(browserPath === undefined)("the page", () => {
  const stage = setStage(questioners);
  const open = async (path: string) => {
    const { page, context } = await openPage(stage.browser);
    onTestFinished(() => context.close());
    await page.addInitScript(withoutLooking);
    await page.goto(stage.hub.http + path);
    await page.getByText("Live", { exact: true }).waitFor();
    return page;
  };

  it("[TUR-04] hears of a question and of its answer through its stream, without asking again and again", async () => {
    const page = await open("/inbox");
    await page.getByText("Nothing waits for you").waitFor();
    await submitDesign(stage.hub, "heard");
    await page.getByRole("heading", { name: /round or square/ }).waitFor();
    const { orchestrator } = stage.hub.clients();
    const { escalations } = await orchestrator.listEscalations({ filter: "resolved = false" });
    const [{ escalationId } = { escalationId: "" }] = escalations;
    await orchestrator.resolveEscalation({ escalationId, resolution: "round", reason: "it is friendlier" });
    await page.getByText("This was answered meanwhile").waitFor();
    await page.getByRole("link", { name: "See what else waits" }).click();
    await page.getByText("Nothing waits for you").waitFor();
  });

  it("[TUR-04] hears that a stage is under review while no stage moves", async () => {
    const id = await submitRelease(stage.hub, "heard-review");
    const page = await open(`/runs/${id}?stage=ship`);
    await page.getByRole("region", { name: "ship" }).getByText("Waiting", { exact: true }).waitFor();
    await page.getByText("Under review", { exact: true }).waitFor();
    await page.getByRole("button", { name: /^ship.*Waiting/s }).waitFor();
  });
});
