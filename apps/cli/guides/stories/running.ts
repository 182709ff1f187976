import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Follower } from "../follow-page.ts";
import { runIn, runTask, task, watchRun } from "./runs.ts";
import type { Stories } from "./story.ts";
import { makeShop, startTeam } from "./team.ts";

/** The run that the pages speak of. */
const example = "p-3s43k65n";
export const running: Stories = {
  "docs/how-to/submit-work-from-a-program.md": async (page) => {
    await page.startHub();
    await page.start("mkdir -p scratch && cat > scratch/greeter.ts", "the greeter is attached");
    const { stdout } = await page.run("cat > scratch/submit.ts");
    page.compare(stdout.trim().split("\n").at(-1) ?? "");
  },

  "docs/how-to/run-a-task.md": async (page) => {
    const shop = await makeShop(page);
    await page.prepare(
      "mkdir hub && npx baton init hub && cp -r hub/config/pipeline-templates.yaml templates.yaml",
    );
    page.write("hub.yaml", "pipeline_templates: templates.yaml\n");
    const hub = await page.startHub();
    await startTeam(page);
    const first = await page.run("npx baton run --task-type implement", { onTerminal: true });
    expect(first.stdout).toMatch(/to merge the work[\s\S]*git -C \S+ merge [0-9a-f]+/);
    hub.interrupt();
    await hub.ended;
    await page.reach(page.type("npx baton up --config hub.yaml"));
    await startTeam(page);
    const second = await page.run("npx baton run implement-and-review", { onTerminal: true });
    expect(second.stdout).toContain("it is fine");
    page.put({ [example]: runIn(second) });
    expect((await page.run("npx baton why")).stdout).toContain("reviewer");
    page.put({ "/srv/shop": shop });
    page.save("task_type: update-dependencies", "task.yaml");
    expect((await page.run("npx baton run --file task.yaml --dry-run")).stdout).toContain(
      "update-dependencies",
    );
    await page.run("id=$(npx baton run --file task.yaml");
    const events = readFileSync(join(page.folder, "events.jsonl"), "utf8").trim().split("\n");
    expect(JSON.parse(events.at(-1) ?? "").pipeline.status).toBe("PIPELINE_STATUS_COMPLETED");
  },

  "docs/how-to/review-a-change.md": async (page) => {
    await makeShop(page);
    await page.reach(page.type("npx baton up"));
    await startTeam(page);
    const run = await runTask(page, "--task-type implement --risk critical", 8);
    const other = await runTask(page, "--task-type implement --risk critical", 8);
    page.put({ [example]: run });
    expect((await page.run("npx baton inbox ")).stdout).toContain("Add a login page");
    const { stdout } = await page.run(`npx baton inbox ${run}`);
    expect(stdout).toContain("+export const login = 200;");
    const [, range = ""] = /git -C \S+ diff ([0-9a-f]+\.\.[0-9a-f]+)/.exec(stdout) ?? [];
    page.put({ "1f0c2d3e4a5b..9e8d7c6b5a4f": range, "9e8d7c6b5a4f": range.split("..")[1] ?? "" });
    expect((await page.run("git -C ~/shop diff")).stdout).toContain("+export const login = 200;");
    await page.run("git -C ~/shop merge");
    await page.prepare("test -f ~/shop/login.js");
    await page.run("npx baton approve");
    page.put({ [example]: other });
    await page.run("npx baton reject");
    const rejected = await page.prepare(
      `npx baton runs watch ${other} || test $? = 8; npx baton runs show ${other}`,
    );
    expect(rejected.stdout).toContain("no tests");
  },

  "docs/how-to/submit-governed-tasks.md": async (page) => {
    await page.startHub();
    page.put({ "http://127.0.0.1:7434": page.http });
    await page.start("mkdir -p scratch && cat > scratch/adviser.ts", "the adviser is attached");
    page.compare((await page.run("cat > scratch/task.json")).stdout);
    page.compare((await page.run("curl --silent --no-buffer")).stdout);
    expect((await page.run("curl --silent")).stdout).toContain('"status":"SUCCEEDED"');
    expect((await page.run("curl --silent")).stdout).toContain('"eventType":"PIPELINE_COMPLETED"');
    page.compare((await page.run("sed")).stdout);
    page.compare((await page.run("cat > scratch/ask.ts")).stdout);
  },

  "docs/how-to/steer-a-run.md": async (page) => {
    const shop = await makeShop(page);
    page.write("config/pipeline-templates.yaml", templates);
    await page.reach(page.type("npx baton up"));
    await startTeam(page);
    let run = await runTask(page, "with-lint", 8);
    page.put({ [example]: run });
    await page.run("npx baton runs set");
    await page.run("npx baton runs set");
    await page.run("npx baton runs skip");
    const { status, policy } = await watchRun(page, run);
    expect(status).toBe("PIPELINE_STATUS_COMPLETED");
    expect(policy.budget.maxCostMicroUsd).toBe("5000000");
    expect(Number.parseFloat(policy.pipelineDeadline)).toBeGreaterThan(7_000);
    run = await runTask(page, "implement-and-review --input fail=review", 8);
    page.put({ [example]: run });
    await page.run("npx baton runs override");
    expect(await watchRun(page, run)).toMatchObject({ status: "PIPELINE_STATUS_COMPLETED" });
    const pausing = "--task-type implement --on-failure pause";
    const commit = (await page.prepare(`git -C ${shop} rev-parse --short HEAD`)).stdout.trim();
    run = await runTask(page, `${pausing} --input fail=yes`, 8);
    page.put({ [example]: run, "1f2e3d": commit });
    await page.run("npx baton runs override");
    expect(await watchRun(page, run)).toMatchObject({ status: "PIPELINE_STATUS_COMPLETED" });
    run = runIn(await page.prepare(`npx baton run ${pausing} ${task} --input hang=yes --no-follow`));
    page.put({ [example]: run });
    await page.type(`npx baton runs watch ${run}`).printed("READY → DISPATCHED");
    await page.run("npx baton runs cancel");
    const { statusReason } = await watchRun(page, run);
    expect(statusReason).toContain("cancelled by operator: it goes in circles");
  },

  "docs/how-to/take-a-run-back.md": async (page) => {
    await makeShop(page);
    await page.reach(page.type("npx baton up"));
    await startTeam(page);
    const run = await runTask(page, "--task-type implement --risk critical", 8);
    page.put({ [example]: run });
    expect((await page.run("npx baton runs transitions")).stdout).toMatch(/implement +pending +→ ready/);
    page.put({ "--to 17": `--to ${await firstReady(page, run)}` });
    const preview = await page.run("npx baton rewind");
    expect(preview.stdout).toContain("login.js");
    await page.run("npx baton rewind", { answer: ["[y/N]", "y"] });
    await page.prepare(`npx baton runs watch ${run} || test $? = 8`);
    const { stdout } = await page.run("git -C ~/shop for-each-ref refs/baton/abandoned");
    const [ref = ""] = /refs\/baton\/abandoned\/\S+\/implement\/1/.exec(stdout) ?? [];
    page.put({ [`refs/baton/abandoned/${example}/42/implement/2`]: ref });
    await page.run("git -C ~/shop log");
    const again = runIn(await page.run("npx baton rerun"));
    expect(["", run]).not.toContain(again);
  },
};

/** The revision at which the run had its first attempt before it. */
async function firstReady(page: Follower, run: string): Promise<string> {
  const { stdout } = await page.prepare(`npx baton runs transitions ${run} --output jsonl`);
  const transitions = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return transitions.find(({ stageId, toStatus }) => stageId === "implement" && toStatus === "READY")
    .revision;
}

/** Two templates: nobody takes the lint of the first, and of the second one a review may fail. */
const templates = `pipeline_templates:
  version: "1.0.0"
  templates:
    - template_id: with-lint
      name: With a stage that may be left out
      stages:
        - { stage_id: implement, task_type: implement, required: true }
        - { stage_id: lint, task_type: linting }
    - template_id: implement-and-review
      name: Implement and review
      stages:
        - { stage_id: implement, task_type: implement, required: true }
        - { stage_id: review, task_type: code-review, required: true, depends_on_stages: [implement] }
`;
