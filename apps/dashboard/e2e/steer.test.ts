import { FailureStrategy, PipelineStatus, StageStatus } from "@baton/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { findBarriers } from "../testing/axe.ts";
import { browserPath, openPage } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";

describe.skipIf(browserPath === undefined)("a running run", () => {
  const stage = setStage([
    {
      pack: "worker",
      version: "1.0.0",
      taskTypes: ["failing", "waiting", "working"],
      capacity: 8,
      async run(task) {
        const type = task.envelope.routing?.taskType;
        if (type === "failing") return task.failure("it cannot be done");
        if (type === "waiting")
          await new Promise<void>((resolve) => task.signal.addEventListener("abort", () => resolve()));
        return task.success("done");
      },
    },
  ]);

  const submit = async (key: string, types: readonly (readonly [taskType: string, required: boolean])[]) => {
    const { orchestrator } = stage.hub.clients();
    const { pipeline } = await orchestrator.submitTask({
      idempotencyKey: key,
      plan: {
        case: "pipeline",
        value: {
          name: key,
          stages: types.map(([taskType, required]) => ({
            stageId: taskType,
            taskType,
            config: { required },
          })),
          policy: { failureStrategy: FailureStrategy.PAUSE },
        },
      },
      contract: { taskId: key, title: key, acceptanceCriteria: ["it is done"] },
      labels: [{ name: "team", value: key }],
    });
    return pipeline?.pipelineId ?? "";
  };
  const read = async (pipelineId: string) => {
    const { pipeline } = await stage.hub.clients().orchestrator.getPipeline({ pipelineId });
    return pipeline;
  };
  const open = async (path: string) => {
    const opened = await openPage(stage.browser, {});
    onTestFinished(() => opened.context.close());
    await opened.page.goto(stage.hub.http + path);
    return opened;
  };

  it("[PIP-10] lets a person override a failed stage, with a reason", async () => {
    const id = await submit("override", [["failing", true]]);
    await expect.poll(async () => (await read(id))?.status).toBe(PipelineStatus.PAUSED);
    const { page } = await open(`/runs/${id}?stage=failing`);
    await page.getByRole("button", { name: "Override" }).click();
    const sheet = page.getByRole("dialog", { name: "Override stage failing" });
    await sheet.getByLabel("Provide your own result").check();
    await sheet.getByLabel("What you did").fill("did it by hand");
    expect(await findBarriers(page)).toEqual([]);
    await sheet.getByLabel("Reason").fill("urgent");
    await sheet.getByRole("button", { name: "Override" }).click();
    await expect.poll(async () => (await read(id))?.status).toBe(PipelineStatus.COMPLETED);
    expect((await read(id))?.stages[0]?.result?.status?.summary).toBe("did it by hand");
  });

  it("[PIP-10] lets a person skip a failed optional stage, and no other", async () => {
    const id = await submit("skip", [
      ["failing", false],
      ["working", true],
    ]);
    await expect.poll(async () => (await read(id))?.status).toBe(PipelineStatus.PAUSED);
    const { page } = await open(`/runs/${id}?stage=failing`);
    await page.getByRole("button", { name: "Skip" }).click();
    const sheet = page.getByRole("dialog", { name: "Skip stage failing" });
    await sheet.getByLabel("Reason").fill("known to fail");
    await sheet.getByRole("button", { name: "Skip stage" }).click();
    await expect.poll(async () => (await read(id))?.stages[0]?.status).toBe(StageStatus.SKIPPED);
  });

  it("[PIP-09] [PIP-10] lets a person change limits and cancel a stage", async () => {
    const id = await submit("limits", [["waiting", true]]);
    await expect.poll(async () => (await read(id))?.stages[0]?.status).toBe(StageStatus.DISPATCHED);
    const { page } = await open(`/runs/${id}?stage=waiting`);
    expect(await page.getByRole("button", { name: "Skip" }).count()).toBe(0);
    await page.getByRole("button", { name: "Limits" }).click();
    const limits = page.getByRole("dialog", { name: "Change the limits of this run" });
    await limits.getByLabel("US dollars").fill("5");
    await limits.getByLabel("Reason").fill("worth it");
    await limits.getByRole("button", { name: "Change limits" }).click();
    await expect.poll(async () => (await read(id))?.policy?.budget?.maxCostMicroUsd).toBe(5_000_000n);
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    const sheet = page.getByRole("dialog", { name: "Cancel stage waiting" });
    await sheet.getByLabel("Reason").fill("it goes in circles");
    await sheet.getByRole("button", { name: "Cancel stage" }).click();
    await expect.poll(async () => (await read(id))?.stages[0]?.status).toBe(StageStatus.FAILED);
  });

  it("[PIP-01] has labels that link to the runs with the same label", async () => {
    const id = await submit("labelled", [["working", true]]);
    const { page } = await open(`/runs/${id}`);
    await page.getByRole("link", { name: "team=labelled" }).click();
    await page.getByRole("link", { name: /labelled/ }).waitFor();
    expect(await page.getByRole("link", { name: /override/ }).count()).toBe(0);
    expect(await page.getByRole("searchbox").inputValue()).toBe("label:team=labelled");
  });
});
