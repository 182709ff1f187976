import { readAddress } from "../hub/address.ts";
import { connectHub, type Hub } from "../hub/connect-hub.ts";
import { readOperatorToken } from "../hub/local-hub.ts";
import { pageAddress } from "../hub/page-address.ts";
import { interruptible } from "../interruption.ts";
import type { CommonOptions } from "../output.ts";
import { preparePage } from "../server/prepare-page.ts";
import { ignoreConnectionLoss } from "../session.ts";
import { eventLine } from "../story/story-line.ts";
import { makeDemoFolder } from "./demo-folder.ts";
import { DemoPrinter } from "./demo-printer.ts";
import { findExample } from "./example.ts";
import { Programs } from "./programs.ts";
import {
  answerUnattended,
  followToEnd,
  printAnswerHelp,
  showQuestion,
  type WaitingTask,
} from "./show-question.ts";
import { type Setting, showTask } from "./show-task.ts";
import { startAgents } from "./start-agents.ts";
import { type Addresses, startHub } from "./start-hub.ts";
import { printSummary } from "./sum-up.ts";
import { printLinks, printNextSteps } from "./where-next.ts";

export interface DemoOptions extends Addresses {
  /** Ends after the story, instead of waiting for a person to look around. */
  readonly once: boolean;
}

/**
 * Shows a hub, three agents, a task that is sent back once and one that asks a person. All of it runs here, and nothing of
 * it stays.
 */
export async function runDemo({ once, ...at }: DemoOptions, common: CommonOptions): Promise<number> {
  const interrupted = interruptible();
  if (!once) preparePage();
  ignoreConnectionLoss(common);
  const example = findExample();
  const folder = makeDemoFolder(example.project);
  const programs = new Programs();
  // However this process ends, its programs and its folder go with it.
  process.once("exit", () => {
    programs.kill();
    folder.remove();
  });
  const signal = AbortSignal.any([interrupted, programs.failure]);
  const printer = new DemoPrinter(signal);
  let hub: Hub | undefined;
  try {
    printer.open();
    printer.notice("starting the hub");
    const ready = await startHub(programs, { folder, example, at, signal });
    printer.hubIsUp(ready);
    const token = readOperatorToken(ready.operatorTokenFile) ?? "";
    if (!once) printer.pageIsAt(await pageAddress(ready.http, token));
    printer.notice("starting three agents");
    hub = connectHub(readAddress(ready.grpc), token);
    printer.agentsAreThere(await startAgents(programs, { folder, example, hub, signal }));
    const setting = { folder, example, printer, signal };
    const { seen } = await showTask(hub, setting, { file: example.task, title: "The task" });
    const code = await printSummary(hub, seen.pipeline, setting);
    const waiting = await showQuestion(hub, setting);
    if (once) {
      await answerUnattended(hub, waiting.question, setting);
      const second = await followToEnd(hub, waiting, setting);
      printNextSteps(printer);
      return code || second;
    }
    printNextSteps(printer);
    printLinks(printer, { hub, pipeline: seen.pipeline, folder, http: ready.http });
    const inbox = await pageAddress(ready.http, token, "/inbox");
    printAnswerHelp(setting, { question: waiting.question, hub, inbox });
    printer.print([""]);
    printer.printLine(eventLine("end", "Ctrl-C ends it; nothing is left behind"));
    await Promise.race([goOn(hub, waiting, setting), stay(interrupted, programs.failure)]);
    return code;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    hub?.close();
    printer.notice("ending what was started");
    await programs.end();
    folder.remove();
    printer.endNotice();
  }
}

/** Prints what the answer leads to, whenever it comes, and stays. */
async function goOn(hub: Hub, waiting: WaitingTask, setting: Setting): Promise<never> {
  try {
    await followToEnd(hub, waiting, setting);
    setting.printer.printLine(eventLine("end", "Ctrl-C ends it; nothing is left behind"));
  } catch (error) {
    if (!setting.signal.aborted) throw error;
  }
  return new Promise<never>(() => {});
}

/** Waits until a person interrupts it, which is no failure. */
async function stay(interrupted: AbortSignal, failure: AbortSignal): Promise<void> {
  const alive = setInterval(() => {}, 60_000);
  await new Promise<void>((resolve) => {
    for (const signal of [interrupted, failure]) {
      signal.addEventListener("abort", () => resolve());
      if (signal.aborted) resolve();
    }
  });
  clearInterval(alive);
  failure.throwIfAborted();
}
