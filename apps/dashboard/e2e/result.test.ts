import { ArtifactAction, ArtifactSchema, FailureStrategy, RiskTier } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { StoryAgents, storyArguments, submitStory, untilEnded } from "../testing/story.ts";

describe.skipIf(browserPath === undefined)("[PIP-12] the result of a run", () => {
  const stage = setStage(
    [
      {
        pack: "surveyor",
        version: "1.0.0",
        taskTypes: ["survey", "dig"],
        capacity: 4,
        async run(task) {
          if (task.envelope.execution?.dispatchId.includes("/dig/")) {
            if (task.inputs.wait) await new Promise((done) => task.signal.addEventListener("abort", done));
            return task.failure("the ground is too hard");
          }
          task.spend({ inputTokens: 12_000, outputTokens: 345, costMicroUsd: 12_300 });
          task.decision("Dig in the north", "the ground is soft there");
          task.risk("the map is old");
          const done = task.success("surveyed the ground", { data: { depth: 3, spots: ["north", "east"] } });
          if (done.response) done.response.message = "Start in the north.";
          const path = "maps/north.svg";
          done.artifacts.push(create(ArtifactSchema, { path, action: ArtifactAction.CREATED }));
          return done;
        },
      },
    ],
    storyArguments,
  );
  let agents: StoryAgents | undefined;
  beforeAll(async () => {
    if (browserPath !== undefined) agents = await StoryAgents.start(stage.hub);
  });
  afterAll(() => agents?.end());

  const open = async (path: string) => {
    const opened = await openPage(stage.browser);
    onTestFinished(() => opened.context.close());
    await opened.page.goto(stage.hub.http + path);
    return opened;
  };

  const submitDig = async (key: string, wait: boolean) => {
    const { pipeline } = await stage.hub.clients().orchestrator.submitTask({
      idempotencyKey: key,
      plan: {
        case: "pipeline",
        value: {
          name: "Dig a well",
          stages: [
            { stageId: "survey", taskType: "survey", config: { required: true } },
            { stageId: "dig", taskType: "dig", config: { required: true, dependsOnStages: ["survey"] } },
          ],
          policy: { failureStrategy: FailureStrategy.FAIL_FAST },
        },
      },
      riskTier: RiskTier.LOW,
      contract: { taskId: key, title: "Dig a well", acceptanceCriteria: ["there is water"] },
      inputs: { wait },
      refs: [{ uriOrLocator: "README.md" }],
    });
    return pipeline?.pipelineId ?? "";
  };

  it("comes first on the page of a completed run, with files, cost and the merge command", async () => {
    const id = await submitStory(stage.hub, "result", "Turn titles into slugs");
    const { stages } = await untilEnded(stage.hub, id);
    const { page, complaints } = await open(`/runs/${id}`);
    const result = page.getByRole("region", { name: "Result" });
    await result.getByRole("listitem").filter({ hasText: "slug.js" }).getByText("changed").waitFor();
    const commit = stages.find(({ stageId }) => stageId === "verify")?.commit.slice(0, 12) ?? "";
    await result.getByText(`merge ${commit}`).waitFor();
    await result.getByText("3 of 3 completed").waitFor();
    const [top, graph] = [result, page.getByRole("region", { name: "Stages" })].map((part) =>
      part.boundingBox(),
    );
    expect((await top)?.y).toBeLessThan((await graph)?.y ?? 0);
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      expect(await findOverflow(page)).toEqual([]);
      await takePicture(page, `result-${look}`);
    });
    expect(complaints).toEqual([]);
  });

  it("has data, artifacts, decisions, tokens and cost", async () => {
    const { pipeline } = await stage.hub.clients().orchestrator.submitTask({
      idempotencyKey: "surveyed",
      plan: { case: "taskType", value: "survey" },
      riskTier: RiskTier.LOW,
      contract: { taskId: "surveyed", title: "Survey the ground", acceptanceCriteria: ["there is a map"] },
      refs: [{ uriOrLocator: "README.md" }],
    });
    const id = pipeline?.pipelineId ?? "";
    await untilEnded(stage.hub, id);
    const { page } = await open(`/runs/${id}`);
    const result = page.getByRole("region", { name: "Result" });
    for (const text of [
      "surveyed the ground",
      "Start in the north.",
      '"depth": 3',
      "maps/north.svg",
      "$0.0123",
    ])
      await result.getByText(text).waitFor();
    await result.getByText("Dig in the north — the ground is soft there").waitFor();
    await result.getByText("12,345 (12,000 read, 345 written)").waitFor();
    await page.getByText("12,000 tokens read, 345 written · $0.0123").waitFor();
  });

  it("of a failed run has the reason and the accepted work", async () => {
    const id = await submitDig("fails", false);
    await untilEnded(stage.hub, id);
    const { page, complaints } = await open(`/runs/${id}`);
    const result = page.getByRole("region", { name: "Result" });
    await result.getByText(/^Failed: .*the ground is too hard/).waitFor();
    for (const text of ["Start in the north.", '"depth": 3', "maps/north.svg", "the map is old"])
      await result.getByText(text).waitFor();
    await result.getByText("Dig in the north — the ground is soft there").waitFor();
    await result.getByText("12,345 (12,000 read, 345 written)").waitFor();
    await result.getByText("$0.0123").waitFor();
    await result.getByText("1 of 2 completed").waitFor();
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      expect(await findOverflow(page)).toEqual([]);
      await takePicture(page, `result-failed-${look}`);
    });
    expect(complaints).toEqual([]);
  });

  it("appears on request when a watched run ends, here by an abort", async () => {
    const id = await submitDig("aborted", true);
    const { page } = await open(`/runs/${id}`);
    await page
      .getByRole("region", { name: "Stages" })
      .getByRole("button", { name: /^dig.*At work/s })
      .waitFor();
    expect(await page.getByRole("region", { name: "Result" }).count()).toBe(0);
    await stage.hub.clients().orchestrator.abortPipeline({ pipelineId: id, reason: "it rains" });
    await page.getByRole("button", { name: "View result" }).click();
    const result = page.getByRole("region", { name: "Result" });
    await result.getByText("Aborted: it rains").waitFor();
    await result.getByText('"depth": 3').waitFor();
    await result.getByText("$0.0123").waitFor();
  });
});
