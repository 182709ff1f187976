import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describeEdge } from "@baton/kernel/deciding";
import { readAddress } from "../hub/address.ts";
import type { Hub } from "../hub/connect-hub.ts";
import { readOperatorToken } from "../hub/local-hub.ts";
import { pageAddress } from "../hub/page-address.ts";
import type { CommonOptions } from "../output.ts";
import { eventLine, heading } from "../story/story-line.ts";
import { cannotRun } from "./cannot-run.ts";
import { type DemoFolder, makeDemoFolder } from "./demo-folder.ts";
import { type DemoOptions, goOn } from "./run-demo.ts";
import {
  answerUnattended,
  followToEnd,
  printAnswerHelp,
  showQuestion,
  type WaitingTask,
} from "./show-question.ts";
import { type DemoStage, stageDemo } from "./stage-demo.ts";
import { waitForAgents } from "./start-agents.ts";
import { startHub } from "./start-hub.ts";

const example = "examples/announce-a-release";
const folderOfExample = fileURLToPath(new URL(`../../../../${example}`, import.meta.url));

const opening = {
  what: "a hub, a workflow of three model agents and a task, on this machine",
  note: "the model is a local program with a script: nothing leaves this machine, and nothing is spent",
};

const packs = 3;
const answer = "users of the page";
const title = "The workflow";

/**
 * Shows a workflow of model agents: one corrects its data, one asks a person, one is sent back, and a condition chooses the
 * end. The model is a local program; all of it runs here, and nothing of it stays.
 */
export async function runWorkflowStory({ once, ...at }: DemoOptions, common: CommonOptions): Promise<number> {
  const file = (name: string) => join(folderOfExample, name);
  const [task, model, project] = [file("task.yaml"), file("model.ts"), file("project")];
  for (const path of [task, model, project])
    if (!existsSync(path))
      throw cannotRun(
        `${path} is missing`,
        "run it in a clone of the repository: the story is in its examples",
      );
  const makeFolder = () => makeDemoFolder(project, { isRepository: false });
  return stageDemo({ makeFolder, hasPage: !once, common }, async (stage) => {
    const { folder, programs, printer, signal, connect, stay } = stage;
    printer.open(opening);
    printer.notice("starting the model and the hub");
    await startModel(stage, model);
    const ready = await startHub(programs, { folder, args: ["--project", folder.repository], at, signal });
    printer.hubIsUp(ready);
    const token = readOperatorToken(ready.operatorTokenFile) ?? "";
    if (!once) printer.pageIsAt(await pageAddress(ready.http, token));
    const hub = connect(readAddress(ready.grpc), token);
    printer.agentsAreThere(await waitForAgents(hub, packs, signal));
    const setting = { printer, signal };
    const waiting = await showQuestion(hub, setting, { file: task, title });
    if (!once) {
      const inbox = await pageAddress(ready.http, token, "/inbox");
      printAnswerHelp(setting, { question: waiting.question, answer, hub, inbox });
      printer.print([""]);
      printer.printLine(eventLine("end", "Ctrl-C ends it; nothing is left behind"));
      const goingOn = goOn(hub, waiting, setting, title, () => printWay(stage, hub, waiting));
      await Promise.race([goingOn, stay()]);
      return 0;
    }
    await answerUnattended(hub, waiting.question, answer, setting);
    const code = await followToEnd(hub, waiting, setting, title);
    await printWay(stage, hub, waiting);
    printer.printLine(heading("Where to look next"));
    printer.printLine(
      eventLine("story", `${example} holds the prompts, the workflow and the model's script`),
    );
    printer.printLine(
      eventLine(
        "yours",
        "docs/how-to/use-a-model.md, docs/how-to/write-a-workflow.md, docs/how-to/test-an-agent.md",
      ),
    );
    return code;
  });
}

/** Starts the local model, and writes its address into the project of the hub. */
async function startModel({ folder, programs, signal }: DemoStage, path: string): Promise<void> {
  const address = await new Promise<string>((resolve, reject) => {
    let printed = "";
    const onOutput = (text: string) => {
      printed += text;
      const found = /the model answers at (\S+)\n/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    };
    programs.start({ path, args: ["0"], cwd: folder.path, onOutput });
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  setAddress(folder, address);
}

function setAddress({ repository }: DemoFolder, address: string): void {
  const models = join(repository, "config/models.yaml");
  const text = readFileSync(models, "utf8");
  writeFileSync(models, text.replace(/base_url: "[^"]*"/, `base_url: "${address}"`));
}

/** Which way the work went, and what the conditions read. */
async function printWay({ printer, signal }: DemoStage, hub: Hub, { task }: WaitingTask): Promise<void> {
  const { pipelineId } = task.seen.pipeline;
  const { pipeline } = await hub.orchestrator.getPipeline({ pipelineId }, { signal });
  printer.printLine(heading("The way through the workflow"));
  for (const { stageId, edges } of pipeline?.stages ?? [])
    for (const edge of edges) printer.printLine(eventLine(stageId, describeEdge(edge)));
}
