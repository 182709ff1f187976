import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { AuditEventType, PipelineStatus } from "@baton/contract";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { formatSpan } from "../src/design/format-time.ts";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, sizes, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { makeRepository, untilEnded } from "../testing/story.ts";

describe.skipIf(browserPath === undefined)("rewind on the page", () => {
  let lastRepository = "";
  const stage = setStage([
    {
      pack: "writer",
      version: "1.0.0",
      taskTypes: ["write"],
      capacity: 4,
      async run(task) {
        const [, name = "", attempt = ""] = (task.envelope.execution?.dispatchId ?? "").split("/");
        writeFileSync(join(task.workspace ?? "", `${name}.txt`), `attempt ${attempt}\n`);
        return task.success(`wrote the ${name}`);
      },
    },
  ]);
  afterEach(() => {
    lastRepository = "";
  });

  const submitBook = async (key: string): Promise<string> => {
    lastRepository = makeRepository(stage.hub);
    const config = { required: true };
    const { pipeline } = await stage.hub.clients().orchestrator.submitTask({
      idempotencyKey: key,
      plan: {
        case: "pipeline",
        value: {
          name: `Write the ${key}`,
          stages: [
            { stageId: "outline", taskType: "write", config },
            { stageId: "chapter", taskType: "write", config: { ...config, dependsOnStages: ["outline"] } },
          ],
        },
      },
      contract: { taskId: key, title: `Write the ${key}`, acceptanceCriteria: ["it reads well"] },
      workspace: { repository: lastRepository },
    });
    return (await untilEnded(stage.hub, pipeline?.pipelineId ?? "")).pipelineId;
  };
  /** Rewinds to the first transition of a stage to a status, from outside the page. */
  const rewindTo = async (pipelineId: string, stageId: string, toStatus: string) => {
    const { orchestrator, inspection } = stage.hub.clients();
    const { transitions } = await inspection.getTransitions({ pipelineId, stageId });
    const toRevision = transitions.find((one) => one.toStatus === toStatus)?.revision ?? 0n;
    await orchestrator.rewindPipeline({ pipelineId, toRevision, reason: "once more" });
  };
  const open = async (path: string) => {
    const opened = await openPage(stage.browser);
    onTestFinished(() => opened.context.close());
    await opened.page.goto(stage.hub.http + path);
    return opened;
  };
  const branches = (pipelineId: string) =>
    execFileSync("git", ["-C", lastRepository, "branch", "--list", `baton/${pipelineId}/*`], {
      encoding: "utf8",
    })
      .split("\n")
      .map((line) => line.trim().replace(`baton/${pipelineId}/`, ""))
      .filter((line) => line !== "");

  it("[TUR-08] displays the history, previews a rewind, rewinds and returns, with a reason", async () => {
    const id = await submitBook("novel");
    const { page, complaints } = await open(`/runs/${id}`);
    await page.getByText("All transitions, with rewind").click();
    await page.waitForURL(/history=open/);
    const history = page.getByRole("list", { name: "Transitions" });
    await history.getByRole("button", { name: /Rewind to here: outline completed/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("row", { name: /chapter.*Completed.*Pending/s }).waitFor();
    const branch = dialog.getByRole("region", { name: `baton/${id}/chapter/1` });
    await branch.getByText(/Write the .* \(chapter, attempt 1\)/).waitFor();
    await branch.getByText("removes chapter.txt").waitFor();
    expect(await dialog.getByRole("button", { name: "Rewind", exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel("Reason").fill("the chapter is dull");
    const { pipeline: before } = await stage.hub.clients().orchestrator.getPipeline({ pipelineId: id });
    const [asked] = await Promise.all([
      page.waitForRequest(/\/RewindPipeline$/),
      dialog.getByRole("button", { name: "Rewind", exact: true }).click(),
    ]);
    expect(asked.postDataJSON()).toMatchObject({ fromRevision: String(before?.revision) });
    await dialog.waitFor({ state: "hidden" });
    await history.getByText(/rewound to \d+ by .*: the chapter is dull/).waitFor();
    await page
      .getByRole("button", { name: /chapter.*Completed/s })
      .first()
      .waitFor();
    const again = await untilEnded(stage.hub, id);
    expect(again.stages.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2]);
    expect(branches(id)).toEqual(["chapter/2", "outline/1"]);
    // The abandoned work can be restored.
    await history.getByRole("button", { name: /Return to here: the run completed/ }).click();
    await dialog.getByLabel("Reason").fill("it was better before");
    await dialog.getByRole("button", { name: "Return", exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    await history.getByText(/it was better before/).waitFor();
    const { pipeline } = await stage.hub.clients().orchestrator.getPipeline({ pipelineId: id });
    expect(pipeline?.status).toBe(PipelineStatus.COMPLETED);
    expect(branches(id)).toEqual(["chapter/1", "outline/1"]);
    // The first chapter counts again without a dispatch.
    const feed = page.getByRole("log", { name: "Events" });
    await feed.getByText("chapter: COMPLETED again, with attempt 1, after a rewind").waitFor();
    // Returning to the end does not change the duration.
    const [given, ended] = [pipeline?.createdAt, pipeline?.summary?.timing?.finishedAt];
    const took = given && ended ? formatSpan(timestampMs(ended) - timestampMs(given)) : "";
    await page.getByText(`took ${took}`).waitFor();
    const { entries } = await stage.hub.clients().audit.listAuditEntries({ filter: `pipeline_id = "${id}"` });
    const rewinds = entries.filter(({ eventType }) => eventType === AuditEventType.PIPELINE_REWOUND);
    expect(rewinds.map(({ rationale }) => rationale).sort()).toEqual([
      "it was better before",
      "the chapter is dull",
    ]);
    expect(complaints).toEqual([]);
  });

  it("[TUR-08] marks superseded attempts wherever an attempt is displayed", async () => {
    const id = await submitBook("saga");
    await rewindTo(id, "chapter", "DISPATCHED");
    const { stages } = await untilEnded(stage.hub, id);
    const { page, complaints } = await open(`/runs/${id}?stage=chapter`);
    const chip = page.getByRole("button", { name: /Attempt 1.*Superseded/ });
    expect(await chip.getAttribute("title")).toBe("Superseded by a rewind, was accepted");
    await page.getByRole("button", { name: /Attempt 2.*Accepted/ }).waitFor();
    await chip.click();
    const overview = page.getByRole("tabpanel");
    await overview.getByText("Superseded", { exact: true }).waitFor();
    await overview.getByText("by a rewind, was accepted").waitFor();
    expect(await overview.getByText(/^Accepted/).count()).toBe(0);
    const lane = page.getByRole("region", { name: "Timeline" }).getByRole("button", { name: /^chapter/ });
    const bars = lane.locator(".bar.work");
    await bars.nth(1).waitFor();
    const [aside, counts] = await bars.evaluateAll((all) =>
      all.map((bar) => `${bar.className} | ${bar.getAttribute("title")}`),
    );
    expect(aside).toMatch(/quiet aside \| attempt 1 by writer: Superseded by a rewind, was accepted/);
    expect(counts).toMatch(/work asks unchecked \| attempt 2 by writer: Accepted, unchecked/);
    await page.getByText("superseded by a rewind", { exact: true }).waitFor();
    const box = page.getByRole("region", { name: "Stages" }).getByRole("button", { name: /^chapter/ });
    await box.getByTitle("attempt 2; 1 superseded by a rewind").waitFor();
    // The duration covers the attempts that count.
    const [, chapter] = stages;
    const [from, to] = [chapter?.startedAt, chapter?.finishedAt].map((at) => (at ? timestampMs(at) : 0));
    await box.getByText(`Unchecked · ${formatSpan((to ?? 0) - (from ?? 0))}`).waitFor();
    expect(complaints).toEqual([]);
  });

  it("[TUR-08] fits the window, however many attempts there are", async () => {
    const id = await submitBook("epic");
    for (let again = 0; again < 5; again++) {
      await rewindTo(id, "outline", "COMPLETED");
      await untilEnded(stage.hub, id);
    }
    const { page } = await open(`/runs/${id}?stage=chapter&history=open`);
    await page.getByRole("button", { name: /Attempt 6.*Accepted/ }).waitFor();
    await page.getByText("rewound to").first().waitFor();
    await inEveryLook(page, async (look) => {
      await takePicture(page, `set-aside-${look}`);
      expect(await findOverflow(page)).toEqual([]);
      expect(await findBarriers(page)).toEqual([]);
    });
    for (const path of ["/inbox", "/runs", "/runs/new", "/agents", "/policies", "/audit"]) {
      await page.goto(stage.hub.http + path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.locator("[aria-busy]").waitFor({ state: "detached" });
      expect(await findOverflow(page), path).toEqual([]);
    }
    // On the narrow page, the selected attempt is visible.
    await page.goto(`${stage.hub.http}/runs/${id}?stage=chapter`);
    const { x = 0, width = 0 } = (await page.getByRole("button", { name: /Attempt 6/ }).boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(sizes.narrow.width);
  });

  it("[TUR-08] lists what it would overwrite, and does so only after confirmation", async () => {
    const id = await submitBook("poem");
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", lastRepository, ...args], { encoding: "utf8" });
    const mine = git(
      "commit-tree",
      `baton/${id}/chapter/1^{tree}`,
      "-p",
      `baton/${id}/chapter/1`,
      "-m",
      "my own line",
    );
    git("update-ref", `refs/heads/baton/${id}/chapter/1`, mine.trim());
    const { page } = await open(`/runs/${id}?history=open`);
    await page.getByRole("button", { name: /Rewind to here: outline completed/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/has commits that the hub did not make.*my own line/).waitFor();
    await dialog.getByLabel("Reason").fill("prose, please");
    const rewind = dialog.getByRole("button", { name: "Rewind", exact: true });
    expect(await rewind.isDisabled()).toBe(true);
    await dialog.getByLabel(/Discard it/).check();
    await rewind.click();
    await dialog.waitFor({ state: "hidden" });
    await untilEnded(stage.hub, id);
    expect(git("for-each-ref", "--format=%(objectname)", "refs/baton/abandoned").trim()).toBe(mine.trim());
  });

  it("[TUR-08] starts a new run from a stage with other inputs, which names its origin", async () => {
    const id = await submitBook("ballad");
    const { page, complaints } = await open(`/runs/${id}?stage=chapter`);
    await page.getByRole("button", { name: "Run again from here" }).click();
    const dialog = page.getByRole("dialog");
    const inputs = dialog.getByLabel("Inputs (JSON)");
    await inputs.fill("{ verse");
    await dialog.getByText(/Invalid JSON/).waitFor();
    await inputs.fill('{ "verses": 7 }');
    await dialog.getByLabel("Instructions for the agent").fill("rhyme more");
    await dialog.getByLabel("Reason").fill("it has to rhyme");
    expect(await findBarriers(page)).toEqual([]);
    await takePicture(page, "rerun-wide-light");
    await dialog.getByRole("button", { name: "Start run" }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    expect(await page.locator(".announcement span").count()).toBe(0);
    await page.getByText(/starts from chapter of/).waitFor();
    const made = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");
    const pipeline = await untilEnded(stage.hub, made);
    expect(pipeline.origin).toMatchObject({ pipelineId: id, stageId: "chapter", takenStages: ["outline"] });
    await page.getByRole("tab", { name: "Context" }).click();
    await page.getByText('"verses": 7').waitFor();
    await page
      .getByRole("button", { name: /^outline/ })
      .first()
      .click();
    await page.getByRole("tab", { name: "Overview" }).click();
    await page.getByText("The result comes from run").waitFor();
    // The stage was done in the other run.
    await page.getByRole("button", { name: /^outline.*Taken over/s }).waitFor();
    await page.getByText("wrote the outline").waitFor();
    await page.getByRole("link", { name: id }).first().click();
    await page.waitForURL((url) => url.pathname.endsWith(id));
    expect(complaints).toEqual([]);
  });

  it("[TUR-08] is accessible in both themes and at any width", async () => {
    const id = await submitBook("manual");
    const { page, complaints } = await open(`/runs/${id}?history=open`);
    await page.getByRole("button", { name: /Rewind to here: outline completed/ }).waitFor();
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `history-${look}`);
      expect(await findOverflow(page)).toEqual([]);
    });
    await page.getByRole("button", { name: /Rewind to here: outline completed/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("removes chapter.txt").waitFor();
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `rewind-${look}`);
      expect(await findOverflow(page)).toEqual([]);
    });
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(complaints).toEqual([]);
  });
});
