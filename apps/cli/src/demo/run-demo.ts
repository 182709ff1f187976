import { readAddress } from "../hub/address.ts";
import type { Hub } from "../hub/connect-hub.ts";
import { readOperatorToken } from "../hub/local-hub.ts";
import { pageAddress } from "../hub/page-address.ts";
import type { CommonOptions } from "../output.ts";
import { eventLine } from "../story/story-line.ts";
import { makeDemoFolder } from "./demo-folder.ts";
import { findExample } from "./example.ts";
import {
  answerUnattended,
  followToEnd,
  printAnswerHelp,
  showQuestion,
  type WaitingTask,
} from "./show-question.ts";
import { type Setting, showTask } from "./show-task.ts";
import { stageDemo } from "./stage-demo.ts";
import { startAgents } from "./start-agents.ts";
import { type Addresses, startHub } from "./start-hub.ts";
import { printSummary } from "./sum-up.ts";
import { printLinks, printNextSteps } from "./where-next.ts";

export interface DemoOptions extends Addresses {
  /** Ends after the story, instead of waiting for a person to look around. */
  readonly once: boolean;
}

const opening = {
  what: "a hub, three agents and a task, on this machine",
  note: "the agents are scripted: no model is called, and nothing is spent",
};

const answer = { text: "60", suggestion: "60 characters" };

const secondTask = "The second task";

/**
 * Shows a hub, three agents, a task that is sent back once and one that asks a person. All of it runs here, and nothing of
 * it stays.
 */
export async function runDemo({ once, ...at }: DemoOptions, common: CommonOptions): Promise<number> {
  const example = findExample();
  const makeFolder = () => makeDemoFolder(example.project);
  return stageDemo({ makeFolder, hasPage: !once, common }, async (stage) => {
    const { folder, programs, printer, signal, connect, stay } = stage;
    printer.open(opening);
    printer.notice("starting the hub");
    const policy = ["--routing-policy", example.routingPolicy, "--pipeline-templates", example.templates];
    const ready = await startHub(programs, { folder, args: policy, at, signal });
    printer.hubIsUp(ready);
    const token = readOperatorToken(ready.operatorTokenFile) ?? "";
    if (!once) printer.pageIsAt(await pageAddress(ready.http, token));
    printer.notice("starting three agents");
    const hub = connect(readAddress(ready.grpc), token);
    printer.agentsAreThere(await startAgents(programs, { folder, agents: example.agents, hub, signal }));
    const setting = { printer, signal };
    const { repository } = folder;
    const first = { file: example.task, title: "The task", repository };
    const { seen } = await showTask(hub, setting, first);
    const code = await printSummary(hub, seen.pipeline, setting);
    const second = { file: example.question, title: secondTask, repository };
    const waiting = await showQuestion(hub, setting, second);
    if (once) {
      await answerUnattended(hub, waiting.question, answer.text, setting);
      const secondCode = await followToEnd(hub, waiting, setting, secondTask);
      printNextSteps(printer);
      return code || secondCode;
    }
    printNextSteps(printer);
    printLinks(printer, { hub, pipeline: seen.pipeline, folder, http: ready.http });
    const inbox = await pageAddress(ready.http, token, "/inbox");
    printAnswerHelp(setting, { question: waiting.question, answer: answer.suggestion, hub, inbox });
    printer.print([""]);
    printer.printLine(eventLine("end", "Ctrl-C ends it; nothing is left behind"));
    await Promise.race([goOn(hub, waiting, setting, secondTask), stay()]);
    return code;
  });
}

/** Prints what the answer leads to, whenever it comes, and stays. */
export async function goOn(
  hub: Hub,
  waiting: WaitingTask,
  setting: Setting,
  title: string,
  atEnd = async () => {},
): Promise<never> {
  try {
    await followToEnd(hub, waiting, setting, title);
    await atEnd();
    setting.printer.printLine(eventLine("end", "Ctrl-C ends it; nothing is left behind"));
  } catch (error) {
    if (!setting.signal.aborted) throw error;
  }
  return new Promise<never>(() => {});
}
