import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RiskTier } from "@baton/contract";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { makeRepository, untilEnded } from "../testing/story.ts";

const pack = `profession_pack:
  pack_id: loose
  pack_version: "1.0.0"
  supported_task_types: [loose]
  provided_tools: [node]
  command: { run: [node, "{pack}/agent.mjs"], sandbox: "off" }
`;
const agent = `import { writeFileSync } from "node:fs";
writeFileSync("slug.test.js", 'import { test } from "node:test"; test("nothing", () => {});');
console.log(JSON.stringify({ status: "success", summary: "made the tests pass" }));
`;

/** A project that gives sandboxes up, for its checks and for its agent. */
function makeProject(): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-page-loose-"));
  mkdirSync(join(folder, "packs/loose"), { recursive: true });
  writeFileSync(join(folder, "packs/loose/profession-pack.yaml"), pack);
  writeFileSync(join(folder, "packs/loose/agent.mjs"), agent);
  writeFileSync(join(folder, "baton.yaml"), "evidence: { sandbox: plain }\n");
  return folder;
}

describe.skipIf(browserPath === undefined)("work without a sandbox", () => {
  const project = makeProject();
  const stage = setStage([], ["--project", project, "--config", join(project, "baton.yaml")]);
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it("[TRN-03] [PIP-07] is marked in the list of agents and with each attempt and check, as are changed tests", async () => {
    const { pipeline } = await stage.hub.clients().orchestrator.submitTask({
      idempotencyKey: "loose",
      plan: { case: "taskType", value: "loose" },
      riskTier: RiskTier.LOW,
      contract: {
        taskId: "loose",
        title: "Write slugs",
        acceptanceCriteria: ["tests pass"],
        environment: { testCommand: "node --test" },
      },
      workspace: { repository: makeRepository(stage.hub) },
    });
    const id = pipeline?.pipelineId ?? "";
    await untilEnded(stage.hub, id);
    const { page, context } = await openPage(stage.browser);
    onTestFinished(() => context.close());
    await page.goto(`${stage.hub.http}/runs/${id}?stage=loose&attempt=1`);
    await page.getByText("the agent ran without a sandbox: its pack says sandbox: off").waitFor();
    await page.goto(`${stage.hub.http}/runs/${id}?stage=loose&attempt=1&tab=evidence`);
    await page.getByText(/^Ran without a sandbox: .*every file/).waitFor();
    await page
      .getByText("The author changed tests (slug.test.js). With the tests of the base commit: failed.")
      .waitFor();
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      expect(await findOverflow(page)).toEqual([]);
      await takePicture(page, `evidence-loose-${look}`);
    });
    await page.goto(`${stage.hub.http}/agents`);
    const loose = page.getByRole("region", { name: "loose" });
    await loose.getByText("No sandbox").waitFor();
    await loose.getByText("command", { exact: true }).waitFor();
    expect(await findOverflow(page)).toEqual([]);
  });
});
