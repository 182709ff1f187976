import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { untilEnded } from "../testing/story.ts";

const letter = `workflow:
  name: letter
  title: A letter that is checked
  description: Sent back until it names a date
  start: draft
  nodes:
    - { id: draft, task_type: drafting }
    - { id: check, task_type: checking, data_schema: { properties: { score: { type: number } } } }
    - { id: send, task_type: sending }
    - { id: archive, task_type: archiving }
    - { id: apologise, task_type: apologising }
  edges:
    - { from: draft, to: check }
    - { from: check, to: send, condition: response.data.score > 0.5 }
    - { from: check, to: archive, condition: response.data.score <= 0.5 }
    - { from: check, to: apologise, kind: error }
    - { from: check, to: draft, kind: back, max_times: 3 }
`;

describe.skipIf(browserPath === undefined)("a run of a workflow", () => {
  const folder = mkdtempSync(join(tmpdir(), "baton-page-workflows-"));
  writeFileSync(join(folder, "letter.yaml"), letter);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let checks = 0;
  const stage = setStage(
    [
      {
        pack: "writer",
        version: "1.0.0",
        taskTypes: ["drafting", "sending"],
        run: (task) => task.success("done"),
      },
      {
        pack: "reader",
        version: "1.0.0",
        taskTypes: ["checking"],
        run(task) {
          checks++;
          return checks < 3
            ? task.retryWithInstruction(checks === 1 ? "Name the date." : "And the time, please.")
            : task.success("fine", { data: { score: 0.9 } });
        },
      },
    ],
    ["--workflows", folder],
  );

  const submitted = async () => {
    const { pipeline } = await stage.hub.clients().orchestrator.submitTask({
      idempotencyKey: crypto.randomUUID(),
      plan: { case: "templateId", value: "letter" },
      contract: { taskId: "letter", title: "Invite Ada", acceptanceCriteria: ["Ada knows when to come"] },
    });
    const { pipelineId = "" } = pipeline ?? {};
    await untilEnded(stage.hub, pipelineId);
    return pipelineId;
  };
  const open = async (path: string) => {
    const opened = await openPage(stage.browser);
    onTestFinished(() => opened.context.close());
    await opened.page.goto(stage.hub.http + path);
    return opened;
  };

  it("[SAC-05] [SAC-11] displays conditions on edges with what they read, and the negotiation as rounds", async () => {
    const { page, complaints } = await open(`/runs/${await submitted()}?stage=send&tab=why`);
    const graph = page.getByRole("region", { name: "Stages" });
    const label = (text: string) => graph.locator(".edge-label", { hasText: text });
    await label("score > 0.5").waitFor();
    expect(await label("score > 0.5").getAttribute("class")).toContain("taken");
    expect(await label("score > 0.5").innerText()).toContain("score = 0.9");
    expect(await label("score <= 0.5").getAttribute("class")).toContain("missed");
    expect(await label("on failure").innerText()).toContain('"check" did not fail');
    expect(await label("on request").innerText()).toContain("2 of 3 times");
    const rounds = page.getByRole("region", { name: "Negotiation" }).getByRole("row");
    expect((await rounds.allInnerTexts()).slice(1).map((text) => text.replace(/\s+/g, " ").trim())).toEqual([
      expect.stringContaining("1 check → draft (1 of 3) Name the date."),
      expect.stringContaining("2 check → draft (2 of 3) And the time, please."),
    ]);
    const panel = page.getByRole("region", { name: "send" });
    await panel
      .getByText('edge from "check": taken; condition response.data.score > 0.5 (response.data.score = 0.9)')
      .waitFor();
    await inEveryLook(page, async (look) => {
      expect(await findOverflow(page), look).toEqual([]);
      expect(await findBarriers(page), look).toEqual([]);
      await takePicture(page, `workflow-run-${look}`);
    });
    expect(complaints).toEqual([]);
  });

  it("[SAC-05] can be started from the form, which draws its graph", async () => {
    const { page, complaints } = await open("/runs/new?template=letter");
    await page.getByRole("option", { name: "A letter that is checked" }).waitFor({ state: "attached" });
    const graph = page.getByRole("group", { name: "Graph" });
    await graph.locator(".edge-label", { hasText: "score > 0.5" }).waitFor();
    await graph.getByText("can go back to draft").waitFor();
    await takePicture(page, "workflow-form");
    expect(complaints).toEqual([]);
  });
});
