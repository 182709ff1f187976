import { describe, it, onTestFinished } from "vitest";
import { browserPath, openPage } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { questioners, submitDesign, submitRelease } from "../testing/tasks.ts";

/** Disables polling: the page updates by change hints only. */
const withoutPolling = `
  const begin = window.setInterval.bind(window);
  window.setInterval = (run, ms) => (ms >= 1_000 ? 0 : begin(run, ms));
`;

describe.skipIf(browserPath === undefined)("the page", () => {
  const stage = setStage(questioners);
  const open = async (path: string) => {
    const { page, context } = await openPage(stage.browser);
    onTestFinished(() => context.close());
    await page.addInitScript(withoutPolling);
    await page.goto(stage.hub.http + path);
    await page.getByText("Live", { exact: true }).waitFor();
    return page;
  };

  it("[TUR-04] receives a question and its answer by change hints, without polling", async () => {
    const page = await open("/inbox");
    await page.getByText("Nothing needs your input").waitFor();
    await submitDesign(stage.hub, "question");
    await page.getByRole("heading", { name: /round or square/ }).waitFor();
    const { orchestrator } = stage.hub.clients();
    const { escalations } = await orchestrator.listEscalations({ filter: "resolved = false" });
    const [{ escalationId } = { escalationId: "" }] = escalations;
    await orchestrator.resolveEscalation({ escalationId, resolution: "round", reason: "it is friendlier" });
    await page.getByText("This question has been answered").waitFor();
    await page.getByRole("link", { name: "View open questions" }).click();
    await page.getByText("Nothing needs your input").waitFor();
  });

  it("[TUR-04] receives that a stage is under review without a transition", async () => {
    const id = await submitRelease(stage.hub, "review");
    const page = await open(`/runs/${id}?stage=ship`);
    await page.getByRole("region", { name: "ship" }).getByText("Waiting", { exact: true }).waitFor();
    await page.getByText("Under review", { exact: true }).waitFor();
    await page.getByRole("button", { name: /^ship.*Waiting/s }).waitFor();
  });
});
