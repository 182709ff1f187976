import { setTimeout } from "node:timers/promises";
import { ContextPropagationMode } from "@baton/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, sizes, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { untilEnded } from "../testing/story.ts";
import { questioners, submitDesign, submitRelease } from "../testing/tasks.ts";

const nothingChecked = "nothing was checked: the contract names no command and limits no files";

describe.skipIf(browserPath === undefined)("the page explains", () => {
  const stage = setStage([
    ...questioners,
    {
      ...{ pack: "poet", version: "1.0.0", taskTypes: ["rhyme"], capacity: 4 },
      run: async (task) => task.success("it rhymes"),
    },
    {
      ...{ pack: "planner", version: "1.0.0", taskTypes: ["planning"], capacity: 4 },
      run: async (task) => {
        // More than the 200 decisions that are passed on.
        for (let n = 1; n <= 203; n++) task.decision(`plan number ${n}`);
        return task.success("planned everything");
      },
    },
    {
      ...{ pack: "reader", version: "1.0.0", taskTypes: ["read aloud"], capacity: 4 },
      run: async (task) => {
        await setTimeout(3_000);
        return task.success("it sounds well");
      },
    },
  ]);
  const open = async (path: string, look: Parameters<typeof openPage>[1] = {}) => {
    const opened = await openPage(stage.browser, look);
    onTestFinished(() => opened.context.close());
    await opened.page.goto(stage.hub.http + path);
    return opened;
  };
  const submitRhyme = async (key: string) => {
    const { pipeline } = await stage.hub.clients().orchestrator.submitTask({
      idempotencyKey: key,
      plan: { case: "taskType", value: "rhyme" },
      contract: { taskId: key, title: `Rhyme on ${key}`, acceptanceCriteria: ["it rhymes"] },
    });
    return (await untilEnded(stage.hub, pipeline?.pipelineId ?? "")).pipelineId;
  };

  it("[PIP-06] that a result was accepted without checks", async () => {
    const id = await submitRhyme("June");
    const { page, complaints } = await open(`/runs/${id}`);
    const overview = page.getByRole("tabpanel");
    await overview.getByText(nothingChecked).waitFor();
    await overview.locator(".badge.asks").getByText("Accepted, unchecked").waitFor();
    // The same mark everywhere.
    await page.getByRole("button", { name: "Attempt 1 , Accepted, unchecked" }).waitFor();
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByText("attempt 1: Accepted, unchecked").waitFor({ state: "attached" });
    await timeline.getByText("accepted, unchecked", { exact: true }).waitFor();
    expect(await timeline.locator(".bar.unchecked").count()).toBeGreaterThan(0);
    await page.locator(".stage-panel > header .badge.asks").getByText("Completed, unchecked").waitFor();
    const box = page.getByRole("region", { name: "Stages" }).getByRole("button", { name: /rhyme/ });
    expect(await box.textContent()).toContain("Completed, unchecked");
    expect(await box.getAttribute("class")).toBe("stage-box asks");
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `unchecked-${look}`);
    });
    expect(complaints).toEqual([]);
  });

  it("[PIP-06] that short attempts were accepted without checks, at every stage and bar", async () => {
    const { pipeline } = await stage.hub.clients().orchestrator.submitTask({
      idempotencyKey: "long",
      plan: {
        case: "pipeline",
        value: {
          name: "Rhyme and read",
          stages: [
            { stageId: "rhyme", taskType: "rhyme", config: { required: true } },
            {
              stageId: "read",
              taskType: "read aloud",
              config: { required: true, dependsOnStages: ["rhyme"] },
            },
          ],
        },
      },
      contract: { taskId: "long", title: "Rhyme and read", acceptanceCriteria: ["it rhymes"] },
    });
    const { pipelineId } = await untilEnded(stage.hub, pipeline?.pipelineId ?? "");
    const { page, complaints } = await open(`/runs/${pipelineId}`);
    const stages = page.getByRole("region", { name: "Stages" });
    await stages.locator(".stage-box.asks").nth(1).waitFor();
    expect(await stages.locator(".stage-box.good").count()).toBe(0);
    const bar = page.locator(".bar.work.unchecked").first();
    const ring = 1.5;
    const width = await bar.evaluate((one) => one.getBoundingClientRect().width);
    expect(width).toBeGreaterThan(4 * ring);
    for (const word of await stages.locator(".stage-word").all())
      expect(await word.evaluate((one) => one.getBoundingClientRect().height)).toBeLessThan(20);
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      expect(await findOverflow(page)).toEqual([]);
      await takePicture(page, `unchecked-bars-${look}`);
    });
    expect(complaints).toEqual([]);
  });

  it("[DIS-10] which context was sent, what was omitted, and why", async () => {
    const { pipeline } = await stage.hub.clients().orchestrator.submitTask({
      idempotencyKey: "many plans",
      plan: {
        case: "pipeline",
        value: {
          name: "Plan twice",
          stages: [
            { stageId: "plan", taskType: "planning" },
            {
              stageId: "again",
              taskType: "planning",
              config: {
                dependsOnStages: ["plan"],
                contextPropagation: { mode: ContextPropagationMode.PREVIOUS, carryDecisions: true },
              },
            },
          ],
        },
      },
      contract: { taskId: "plans", title: "Plan twice", acceptanceCriteria: ["all is planned"] },
    });
    const id = pipeline?.pipelineId ?? "";
    await untilEnded(stage.hub, id);
    const { page, complaints } = await open(`/runs/${id}?stage=again&tab=context`);
    const part = (title: string) =>
      page
        .getByRole("tabpanel")
        .locator("section")
        .filter({ has: page.getByRole("heading", { name: title }) });
    const leftOut = part("Omitted context").getByRole("listitem");
    await leftOut.nth(3).waitFor();
    // The oldest decisions are omitted first.
    expect(await leftOut.allInnerTexts()).toEqual([
      "shared_context (1 item): not part of the context level LAYERED",
      ...[3, 2, 1].map((n) => `decision ${id}/plan/1#${n}: more than 200`),
    ]);
    const travelled = part("Decisions of earlier stages").getByRole("listitem");
    expect(await travelled.count()).toBe(200);
    expect(await travelled.first().innerText()).toBe("plan number 4");
    expect(await travelled.last().innerText()).toBe("plan number 203");
    expect(await findBarriers(page)).toEqual([]);
    // The first stage has nothing to omit.
    await page.goto(`${stage.hub.http}/runs/${id}?stage=plan&tab=context`);
    await page.getByText(/level of context|Context level/).waitFor();
    expect(await page.getByText("Omitted").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("[CON-05] invalid JSON inputs at the field, with position and fix", async () => {
    const { page, complaints } = await open("/runs/new?template=-");
    await page.getByLabel("Task type").fill("rhyme");
    await page.getByLabel(/^Title/).fill("Rhyme for Bob");
    await page.getByLabel(/^Acceptance criteria/).fill("it rhymes");
    const inputs = page.getByLabel("Inputs (JSON)");
    expect(await inputs.getAttribute("aria-invalid")).toBeNull();
    await inputs.fill("name: Bob");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByText(/Invalid JSON at line 1, column 1\. Put names and texts in double/).waitFor();
    expect(await inputs.getAttribute("aria-invalid")).toBe("true");
    const help = await inputs.getAttribute("aria-describedby");
    expect(await page.locator(`[id="${help}"]`).textContent()).toContain("Invalid JSON");
    expect(await inputs.inputValue()).toBe("name: Bob");
    expect(await inputs.evaluate((field) => field.matches(":focus"))).toBe(true);
    expect(await page.getByRole("alert").count()).toBe(0);
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      expect(await findOverflow(page)).toEqual([]);
      await takePicture(page, `new-run-json-${look}`);
    });
    await inputs.fill('{ "name": "Bob" }');
    await page.getByText("Invalid JSON").waitFor({ state: "detached" });
    expect(await inputs.getAttribute("aria-invalid")).toBeNull();
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByRole("heading", { name: "Rhyme for Bob" }).waitFor();
    await page.getByRole("tab", { name: "Context" }).click();
    await page.getByText('"name": "Bob"').waitFor();
    expect(complaints).toEqual([]);
  });

  it("[PIP-10] which runs are waiting, and links from an answer to its run", async () => {
    const [done, waits] = [await submitRhyme("moon"), await submitDesign(stage.hub, "waits")];
    await submitRelease(stage.hub, "release");
    const { page, complaints } = await open("/runs");
    const row = (id: string) => page.getByRole("list", { name: "Runs" }).getByRole("link", { name: id });
    await row(waits).getByText("Waiting").waitFor();
    await row(done).waitFor();
    await page.getByRole("button", { name: "Waiting" }).click();
    await page.waitForURL(/status=WAITING/);
    await row(done).waitFor({ state: "detached" });
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      expect(await findOverflow(page)).toEqual([]);
      await takePicture(page, `runs-waiting-${look}`);
    });
    await row(waits).click();
    await page.getByRole("link", { name: "Decide now" }).click();
    await page.getByRole("textbox", { name: "Your answer" }).fill("round");
    await page.getByRole("button", { name: "Answer", exact: true }).click();
    const toast = page.getByRole("status").filter({ hasText: "Answer sent to the agent." });
    await toast.getByRole("link", { name: "View run" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePicture(page, "answered-narrow-dark");
    await toast.getByRole("link", { name: "View run" }).click();
    await page.waitForURL((url) => url.pathname === `/runs/${waits}`);
    await page.getByText("a round button").waitFor();
    // An answered question disappears without a reload.
    await page.goto(`${stage.hub.http}/runs?status=WAITING`);
    await page.getByRole("link", { name: /Release 4\.2/ }).waitFor();
    expect(await row(waits).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("[DIS-09] the values of an agent where there is no room for a table", async () => {
    const { page } = await open("/agents", { size: "narrow" });
    const pack = page.getByRole("region", { name: "poet" });
    for (const text of ["0/4", "all held", "Healthy"]) {
      const { x = 0, width = 1e9 } = (await pack.getByText(text).boundingBox()) ?? {};
      expect(x + width, text).toBeLessThanOrEqual(sizes.narrow.width);
    }
    const frame = pack.getByRole("group", { name: "Instances of poet" });
    expect(await frame.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    const labels = await page.evaluate(`[...document.querySelectorAll('[aria-label="poet"] td[data-label]')]
      .map((cell) => getComputedStyle(cell, "::before").content.replaceAll('"', ""))`);
    expect(labels).toEqual(["Health", "Success", "Load", "Latency", "Claims", "Tools"]);
    expect(await findBarriers(page)).toEqual([]);
    await takePicture(page, "agents-stacked-narrow-light");
  });
});
