import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";

const letter = `workflow:
  name: letter
  start: write
  ends: [check]
  nodes:
    - { id: write, task_type: writing }
    - { id: check, task_type: checking }
  edges:
    - { from: write, to: check }
`;

const evaluation = `eval:
  name: letters
  workflow: letter
  repeat: 2
  checks:
    - { id: scored, schema: { required: [score], properties: { score: { minimum: 0.5 } } } }
    - { id: names-the-day, condition: 'write.data.text.contains("Friday")' }
  cases:
    - { id: ada, inputs: { to: Ada } }
    - { id: grace, inputs: { to: Grace } }
    - { id: an-invitation-to-a-person-with-a-long-name, inputs: { to: Barbara } }
`;

const folder = mkdtempSync(join(tmpdir(), "baton-page-evals-"));
const workflows = join(folder, "workflows");
mkdirSync(workflows);
writeFileSync(join(workflows, "letter.yaml"), letter);
writeFileSync(join(folder, "letters.yaml"), evaluation);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cli = join(
  process.env.BATON_PROGRAMS ?? resolve(import.meta.dirname, "../../.."),
  "apps/cli/bin/baton.mjs",
);

describe.skipIf(browserPath === undefined)("[SAC-05] [SAC-12] evaluations on the page", () => {
  /** The second version of the prompt, so to speak. */
  let isBetter = false;
  const stage = setStage(
    [
      {
        ...{ pack: "writer", version: "1.0.0", taskTypes: ["writing"] },
        run(task) {
          const namesIt = task.inputs.to === "Ada" || (isBetter && task.inputs.to === "Grace");
          task.spend({ inputTokens: 900, outputTokens: 120, costMicroUsd: isBetter ? 2_400 : 1_200 });
          return task.success("written", { data: { text: namesIt ? "Come on Friday." : "Come soon." } });
        },
      },
      {
        ...{ pack: "reader", version: "1.0.0", taskTypes: ["checking"] },
        run: (task) => task.success("read", { data: { score: 0.9 } }),
      },
    ],
    ["--workflows", workflows],
  );

  const evaluate = async (version: string) => {
    const key = stage.hub.operatorToken;
    const child = spawn(process.execPath, [cli, "eval", join(folder, "letters.yaml"), "--as", version], {
      env: { ...process.env, BATON_HUB: stage.hub.grpc, ...(key && { BATON_API_KEY: key }) },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [code] = await once(child, "close");
    return code;
  };
  const open = async (path: string) => {
    const opened = await openPage(stage.browser);
    onTestFinished(() => opened.context.close());
    await opened.page.goto(stage.hub.http + path);
    return opened;
  };

  it("say how to begin", async () => {
    const { page } = await open("/evals");
    await page.getByRole("heading", { name: "No evaluations yet" }).waitFor();
  });

  it("stand side by side: pass rates, cost, time, failed checks, and each run", async () => {
    expect(await evaluate("short-prompt")).toBe(11);
    isBetter = true;
    expect(await evaluate("long-prompt")).toBe(11);
    const { page, complaints } = await open("/evals");
    const now = page.getByRole("region", { name: "Version long-prompt" });
    await now.getByText("66.6 %").waitFor();
    await now.getByText("4 of 6 passed").waitFor();
    await now.getByText("$0.0144").waitFor();
    await now.getByText("passes 33.3 points more").waitFor();
    await now.getByText("names-the-day (2)").waitFor();
    const before = page.getByRole("region", { name: "Version short-prompt" });
    await before.getByText("33.3 %").waitFor();
    await before.getByText("$0.0072").waitFor();
    await page.getByText("1 better, 0 worse, 2 the same").waitFor();
    const grace = page.getByRole("row", { name: /^grace/ });
    expect(await grace.getByRole("link", { name: /failed$/ }).count()).toBe(2);
    expect(await grace.getByRole("link", { name: /passed$/ }).count()).toBe(2);
    await page
      .getByRole("row", { name: /^an-invitation/ })
      .getByText("names-the-day (2)")
      .waitFor();
    await inEveryLook(page, async (name) => {
      expect(await findBarriers(page)).toEqual([]);
      expect(await findOverflow(page)).toEqual([]);
      await takePicture(page, `evals-${name}`);
    });
    await grace.getByRole("link", { name: "Run 1: failed" }).click();
    await page.getByRole("heading", { name: "grace" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("can be chosen, and stay in the address", async () => {
    const { page } = await open("/evals");
    await page.getByLabel("Compared with").selectOption("nothing");
    await expect.poll(() => page.getByRole("region", { name: "Version short-prompt" }).count()).toBe(0);
    await page.getByLabel("Version", { exact: true }).selectOption("short-prompt");
    await page.getByRole("region", { name: "Version short-prompt" }).waitFor();
    await page.reload();
    await page.getByRole("region", { name: "Version short-prompt" }).waitFor();
    expect(await page.getByRole("region", { name: /^Version/ }).count()).toBe(1);
  });
});
