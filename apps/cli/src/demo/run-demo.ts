import { readAddress } from "../hub/address.ts";
import { connectHub, type Hub } from "../hub/connect-hub.ts";
import { readOperatorToken } from "../hub/local-hub.ts";
import { pageAddress } from "../hub/page-address.ts";
import { interruptible } from "../interruption.ts";
import { deed } from "../narration/beat.ts";
import { preparePage } from "../server/prepare-page.ts";
import { bearConnectionLoss } from "../session.ts";
import type { CommonOptions } from "../writing.ts";
import { makeDemoFolder } from "./demo-folder.ts";
import { findExample } from "./example.ts";
import { Narrator } from "./narrator.ts";
import { Programs } from "./programs.ts";
import {
  answerForNobody,
  showQuestion,
  tellHowToAnswer,
  tellRest,
  type WaitingTask,
} from "./show-question.ts";
import { type Setting, showTask } from "./show-task.ts";
import { startAgents } from "./start-agents.ts";
import { type Addresses, startHub } from "./start-hub.ts";
import { sumUp } from "./sum-up.ts";
import { tellHowToLook, tellWhereNext } from "./where-next.ts";

export interface DemoOptions extends Addresses {
  /** Ends when the story has been told, instead of staying for whoever wants to look around. */
  readonly once: boolean;
}

/**
 * Shows a hub, three agents, a task that is sent back once and one that asks a person. All of it runs here, and nothing of
 * it stays.
 */
export async function runDemo({ once, ...at }: DemoOptions, common: CommonOptions): Promise<number> {
  const interrupted = interruptible();
  if (!once) preparePage();
  bearConnectionLoss(common);
  const example = findExample();
  const folder = makeDemoFolder(example.project);
  const programs = new Programs();
  // However our process ends, what it started ends with it.
  process.once("exit", () => {
    programs.kill();
    folder.remove();
  });
  const signal = AbortSignal.any([interrupted, programs.failure]);
  const narrator = new Narrator(signal);
  let hub: Hub | undefined;
  try {
    narrator.open();
    narrator.notice("starting the hub");
    const ready = await startHub(programs, { folder, example, at, signal });
    narrator.hubIsUp(ready);
    const token = readOperatorToken(ready.operatorTokenFile) ?? "";
    if (!once) narrator.pageIsAt(await pageAddress(ready.http, token));
    narrator.notice("starting three agents");
    hub = connectHub(readAddress(ready.grpc), token);
    narrator.agentsAreThere(await startAgents(programs, { folder, example, hub, signal }));
    const setting = { folder, example, narrator, signal };
    const { seen } = await showTask(hub, setting, { file: example.task, title: "The task" });
    const code = await sumUp(hub, seen.pipeline, setting);
    const waiting = await showQuestion(hub, setting);
    if (once) {
      await answerForNobody(hub, waiting.question, setting);
      const second = await tellRest(hub, waiting, setting);
      tellWhereNext(narrator);
      return code || second;
    }
    tellWhereNext(narrator);
    tellHowToLook(narrator, { hub, pipeline: seen.pipeline, folder, http: ready.http });
    tellHowToAnswer(setting, { question: waiting.question, hub, http: ready.http });
    narrator.print([""]);
    narrator.say(deed("end", "Ctrl-C ends it; nothing is left behind"));
    await Promise.race([goOn(hub, waiting, setting), stay(interrupted, programs.failure)]);
    return code;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    hub?.close();
    narrator.notice("ending what was started");
    await programs.end();
    folder.remove();
    narrator.endNotice();
  }
}

/** Tells what the answer leads to, whenever it comes, and stays. */
async function goOn(hub: Hub, waiting: WaitingTask, setting: Setting): Promise<never> {
  try {
    await tellRest(hub, waiting, setting);
    setting.narrator.say(deed("end", "Ctrl-C ends it; nothing is left behind"));
  } catch (error) {
    if (!setting.signal.aborted) throw error;
  }
  return new Promise<never>(() => {});
}

/** Until a person has seen enough; that is no failure. */
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
