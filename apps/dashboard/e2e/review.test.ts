import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FailureStrategy, type Pipeline, PipelineStatus, RiskTier } from "@baton/contract";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { makeRepository, untilEnded } from "../testing/story.ts";

/** Each stage writes the files of its name; a stage called review changes nothing. */
const worker: Parameters<typeof setStage>[0][number] = {
  pack: "worker",
  version: "1.0.0",
  description: "Does all kinds of work",
  taskTypes: ["work"],
  safetyTier: "critical",
  capacity: 8,
  async run(task) {
    const [, stage = "", attempt = ""] = (task.envelope.execution?.dispatchId ?? "").split("/");
    const write = (path: string, text: string) => {
      if (!task.workspace) return;
      mkdirSync(join(task.workspace, path, ".."), { recursive: true });
      writeFileSync(join(task.workspace, path), text);
    };
    if (stage === "code") {
      write(
        "slug.js",
        "export const slug = 'user\u202e \u2066// admin\u2069';\n<img src=x onerror=alert(1)>\n",
      );
      write("slug.test.js", `// attempt ${attempt}\n`);
      write("pay\u202elaod.js", "x\n");
      write("<b>bold<b>.js", "x\n");
      write("logo.png", "\u0000\u0001");
    } else if (stage === "large") {
      write("a-large.txt", `${"x".repeat(99)}\n`.repeat(9_000));
      write("small.txt", "small\n");
    } else if (stage !== "review") write(`${stage}.txt`, `${stage}\n`.repeat(stage.length));
    return task.success(`${stage} is done`);
  },
};

const low = { required: true, riskTier: RiskTier.LOW };
const critical = { required: true, riskTier: RiskTier.CRITICAL };

describe.skipIf(browserPath === undefined)("the review of a change", () => {
  const stage = setStage([worker]);

  const open = async (path: string, look: Parameters<typeof openPage>[1] = {}) => {
    const opened = await openPage(stage.browser, look);
    onTestFinished(() => opened.context.close());
    await opened.page.goto(stage.hub.http + path);
    return opened;
  };
  const submit = async (
    title: string,
    stages: readonly { id: string; after?: readonly string[]; config: typeof low }[],
    workspace: { repository: string; path?: string } | undefined,
    maxRejections = 3,
  ): Promise<string> => {
    const { pipeline } = await stage.hub.clients().orchestrator.submitTask({
      idempotencyKey: title,
      plan: {
        case: "pipeline",
        value: {
          name: title,
          stages: stages.map(({ id, after = [], config }) => ({
            stageId: id,
            taskType: "work",
            config: { ...config, dependsOnStages: [...after] },
          })),
          policy: { maxRejections, failureStrategy: FailureStrategy.FAIL_FAST },
        },
      },
      contract: { taskId: title, title, acceptanceCriteria: ["it is done"] },
      refs: [{ uriOrLocator: "slug.js" }],
      ...(workspace && { workspace }),
    });
    return pipeline?.pipelineId ?? "";
  };
  const chain = [
    { id: "code", config: low },
    { id: "review", after: ["code"], config: critical },
  ];
  const read = async (pipelineId: string): Promise<Pipeline | undefined> =>
    (await stage.hub.clients().orchestrator.getPipeline({ pipelineId })).pipeline;
  /** The address of the open question of a run. */
  const questionOf = async (pipelineId: string): Promise<string> => {
    let id = "";
    await expect
      .poll(async () => {
        const filter = `resolved = false AND pipeline_id = "${pipelineId}"`;
        const { escalations } = await stage.hub.clients().orchestrator.listEscalations({ filter });
        id = escalations[0]?.escalationId ?? "";
        return id;
      })
      .not.toBe("");
    return `/inbox?item=${encodeURIComponent(id)}`;
  };
  const abort = async (pipelineId: string) => {
    await stage.hub.clients().orchestrator.abortPipeline({ pipelineId, reason: "seen enough" });
    await untilEnded(stage.hub, pipelineId);
  };
  const changeOn = (page: Page) => page.getByRole("region", { name: "Change under review" });
  const inShell = (command: string) =>
    execFileSync("sh", ["-c", command], {
      encoding: "utf8",
      env: {
        ...process.env,
        GIT_AUTHOR_NAME: "t",
        GIT_AUTHOR_EMAIL: "t@t",
        GIT_COMMITTER_NAME: "t",
        GIT_COMMITTER_EMAIL: "t@t",
      },
    });
  const reject = async (page: Page, why: string) => {
    await page.getByLabel("Reason", { exact: true }).fill(why);
    await page.getByRole("button", { name: "Decide", exact: true }).click();
  };

  it("[PIP-06] [PIP-08] [PIP-09] displays the whole change, hides no character, sends the right stage back, and explains the last rejection", async () => {
    const repository = makeRepository(stage.hub);
    const base = execFileSync("git", ["-C", repository, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
    const id = await submit("Shorten the slugs", chain, { repository }, 1);
    const { page, complaints } = await open(await questionOf(id));
    await page.getByRole("heading", { name: "Shorten the slugs" }).waitFor();
    const change = changeOn(page);
    await change.getByText("// attempt 1").waitFor();
    const file = (name: string) => change.getByRole("listitem").filter({ hasText: name });
    expect(await file("slug.test.js").getByText("test", { exact: true }).count()).toBe(1);
    expect(await file("logo.png").getByText("binary", { exact: true }).count()).toBe(1);
    // Agent text is neither interpreted nor hidden.
    expect(await file("slug.js").first().getByText("<img src=x onerror=alert(1)>").count()).toBe(1);
    expect(await change.locator("img, b").count()).toBe(0);
    expect(await file("<b>bold<b>.js").count()).toBe(1);
    expect(await file("payU+202Elaod.js").getByTitle("right-to-left override").count()).toBe(1);
    const text = await page.locator("body").innerText();
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(text).toContain("4 characters cannot be seen or change the direction of text");
    expect(text).toContain("1 test file that existed before was changed or removed.");
    await inEveryLook(page, async (look) => {
      await takePicture(page, `review-${look}`);
      expect(await findBarriers(page)).toEqual([]);
      expect(await findOverflow(page)).toEqual([]);
    });
    // The suggested commands show and merge the same change.
    const [diff = "", merge = ""] = await change.locator(".command code").allInnerTexts();
    const printed = inShell(diff);
    expect(printed).toContain("// attempt 1");
    const counted = await change.locator("p").first().innerText();
    const numbers = inShell(`${diff} --shortstat`).match(/\d+/g) ?? [];
    expect(counted.match(/\d+/g)?.slice(0, 3)).toEqual(numbers);
    inShell(merge);
    expect(inShell(`git -C '${repository}' diff ${base} HEAD`)).toBe(printed);
    // By default the stage that made the change goes back.
    await page.getByRole("radio", { name: /^Send back/ }).check();
    expect(await page.getByLabel("Back to").inputValue()).toBe("code");
    await page.getByText("code is tried again").waitFor();
    await page.getByText("It is the last rejection that this run allows.").waitFor();
    await reject(page, "once more");
    await page.getByText("Sent back with your instructions.").waitFor();
    await expect.poll(async () => (await read(id))?.stages[1]?.waitingFor).toBe("a review by a person");
    expect((await read(id))?.stages.map(({ attemptNumber }) => attemptNumber)).toEqual([2, 2]);
    // Without rejections left, the effect is announced, confirmed and real.
    await page.goto(stage.hub.http + (await questionOf(id)));
    await changeOn(page).getByText("// attempt 2").waitFor();
    // The second review has the first and the changes since.
    const before = page.getByRole("region", { name: "Attempt 1 of code" });
    await before.getByText("once more").waitFor();
    const since = await before.locator(".command code").innerText();
    expect(inShell(since)).toContain("-// attempt 1\n+// attempt 2");
    const last = page.getByRole("radio", { name: /^Reject/ });
    await last.check();
    await page
      .getByText("No rejection is left, so nothing goes back: review fails for good, and the run with it.")
      .waitFor();
    expect(await page.getByLabel("Back to").count()).toBe(0);
    await reject(page, "still not");
    await page.getByText("Stage failed: no rejections left.").waitFor();
    expect((await untilEnded(stage.hub, id)).status).toBe(PipelineStatus.FAILED);
    expect(complaints).toEqual([]);
  });

  it("[PIP-06] [PIP-08] displays the merge of a diamond and asks which side goes back", async () => {
    const stages = [
      { id: "left", config: low },
      { id: "right", config: low },
      { id: "review", after: ["left", "right"], config: critical },
    ];
    const id = await submit("Both sides", stages, { repository: makeRepository(stage.hub) });
    const { page } = await open(await questionOf(id));
    await changeOn(page).getByText("left.txt").waitFor();
    await changeOn(page).getByText("right.txt").waitFor();
    await page.getByText("Reviews the work of left and right.").waitFor();
    await page.getByRole("radio", { name: /^Send back/ }).check();
    await page.getByLabel("Reason", { exact: true }).fill("the right one");
    await page
      .getByRole("button", { name: "Decide", description: "Select the stage to send the work back to." })
      .waitFor();
    await page.getByLabel("Back to").selectOption("right");
    await page.getByRole("button", { name: "Decide", exact: true }).click();
    await expect.poll(async () => (await read(id))?.stages[2]?.attemptNumber).toBe(2);
    expect((await read(id))?.stages.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2, 2]);
    await abort(id);
  });

  it("[PIP-06] displays changes of a shared folder, and the reason when there is no folder", async () => {
    const path = makeRepository(stage.hub);
    const shared = await submit("In my folder", [{ id: "notes", config: critical }], {
      repository: path,
      path,
    });
    const { page } = await open(await questionOf(shared));
    await changeOn(page).getByText("notes.txt").waitFor();
    await changeOn(page).getByText("the current folder").waitFor();
    const [, others = ""] = await changeOn(page).locator(".command code").allInnerTexts();
    expect(inShell(others)).toContain("notes.txt");
    await abort(shared);
    const nowhere = await submit("Just words", [{ id: "talk", config: critical }], undefined);
    await page.goto(stage.hub.http + (await questionOf(nowhere)));
    await page.getByText("The change cannot be displayed: the run has no repository.").waitFor();
    await abort(nowhere);
  });

  it("[PIP-06] truncates a very large change, says by how much, and opens collapsed files", async () => {
    const repository = makeRepository(stage.hub);
    const id = await submit("A large change", [{ id: "large", config: critical }], { repository });
    const { page } = await open(await questionOf(id));
    const change = changeOn(page);
    await change.getByText("2 files").waitFor();
    const missing = /([\d]+) changed lines are not shown\./.exec(await change.innerText());
    const left = Number(missing?.[1]);
    expect(left).toBeGreaterThan(1_000);
    expect(left).toBeLessThan(9_000);
    const large = change.getByRole("listitem").filter({ hasText: "a-large.txt" });
    await large.getByText(`${left} changed lines not shown`).waitFor();
    expect(await large.locator(".add").count()).toBe(0);
    await large.locator("summary").click();
    await expect.poll(() => large.locator(".add").count()).toBe(9_000 - left);
    await change.getByRole("listitem").filter({ hasText: "small.txt" }).locator(".add").waitFor();
    const [diff = ""] = await change.locator(".command code").allInnerTexts();
    expect(inShell(`${diff} --shortstat`)).toContain("9001 insertions");
    await abort(id);
  });

  it("[PIP-10] lists seven distinguishable reviews on a narrow page, in both themes", async () => {
    const repository = makeRepository(stage.hub);
    const titles = [
      ...["Add a login page", "Rename the totals", "Upgrade the parser", "Fix the slugs of long titles"],
      ...["Drop the old export", "Cache the price list", "Rename the totals"],
    ];
    const names = ["login", "totals", "parse", "slug", "drop", "caching", "totals"];
    const ids: string[] = [];
    for (const [at, title] of titles.entries()) {
      const stages = [{ id: names[at] ?? "", config: critical }];
      const { pipeline } = await stage.hub.clients().orchestrator.submitTask({
        idempotencyKey: `seven ${at}`,
        plan: {
          case: "pipeline",
          value: {
            name: title,
            stages: stages.map(({ id, config }) => ({ stageId: id, taskType: "work", config })),
          },
        },
        contract: { taskId: title, title, acceptanceCriteria: ["it is done"] },
        refs: [{ uriOrLocator: "slug.js" }],
        workspace: { repository },
      });
      ids.push(pipeline?.pipelineId ?? "");
    }
    const first = await questionOf(ids[6] ?? "");
    const { page, complaints } = await open(first, { size: "narrow" });
    const rows = page.getByRole("list", { name: "Open questions" }).getByRole("button");
    await expect.poll(() => rows.count()).toBe(7);
    await changeOn(page).getByText("totals.txt").waitFor();
    // A link scrolls to its question below the list, and so does a click in the list.
    const isInSight = async (name: string) => {
      const box = await page.getByRole("article").getByRole("heading", { name, exact: true }).boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= 400;
    };
    await expect.poll(() => isInSight("Rename the totals")).toBe(true);
    await rows.first().click();
    await expect.poll(() => isInSight("Add a login page")).toBe(true);
    const texts = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
    for (const [at, title] of titles.entries()) {
      const lines = names[at]?.length;
      const fitting = texts.filter(
        (text) => text.startsWith(title) && text.includes(`1 file +${lines} lines added −0 `),
      );
      expect(fitting.length, `${title} in ${texts.join("\n")}`).toBe(title === "Rename the totals" ? 2 : 1);
      expect(fitting[0]).toMatch(new RegExp(` Review ${names[at]} worker .*(ago|just now)`));
    }
    // Runs with the same name have their ids.
    expect(texts.filter((text) => text.includes(ids[1] ?? "")).length).toBe(1);
    expect(texts.filter((text) => text.includes(ids[6] ?? "")).length).toBe(1);
    expect(texts.filter((text) => text.includes(ids[0] ?? "")).length).toBe(0);
    // All are visible at once.
    const list = await page.getByRole("list", { name: "Open questions" }).boundingBox();
    for (const row of await rows.all()) {
      const box = await row.boundingBox();
      expect(box && list && box.y >= list.y && box.y + box.height <= list.y + list.height + 1).toBe(true);
    }
    await inEveryLook(page, async (look) => {
      await takePicture(page, `inbox-seven-${look}`);
      expect(await findBarriers(page)).toEqual([]);
      expect(await findOverflow(page)).toEqual([]);
    });
    expect(complaints).toEqual([]);
    for (const id of ids) await abort(id);
  });
});
