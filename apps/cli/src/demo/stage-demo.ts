import { connectHub, type Hub } from "../hub/connect-hub.ts";
import { interruptible } from "../interruption.ts";
import type { CommonOptions } from "../output.ts";
import { preparePage } from "../server/prepare-page.ts";
import { ignoreConnectionLoss } from "../session.ts";
import type { DemoFolder } from "./demo-folder.ts";
import { DemoPrinter } from "./demo-printer.ts";
import { Programs } from "./programs.ts";

/** What a story of the demonstration runs with. Nothing of it stays. */
export interface DemoStage {
  readonly folder: DemoFolder;
  readonly programs: Programs;
  readonly printer: DemoPrinter;
  /** Aborts at an interruption, and when a program ends unexpectedly. */
  readonly signal: AbortSignal;
  /** A connection that ends with the story. */
  connect(address: URL, token: string): Hub;
  /** Waits until a person interrupts it, which is no failure. */
  stay(): Promise<void>;
}

interface Staging {
  readonly makeFolder: () => DemoFolder;
  /** Whether a person may look at the page. */
  readonly hasPage: boolean;
  readonly common: CommonOptions;
}

/** Runs a story, and removes everything that it started, however it ends. */
export async function stageDemo(
  { makeFolder, hasPage, common }: Staging,
  story: (stage: DemoStage) => Promise<number>,
): Promise<number> {
  const interrupted = interruptible();
  if (hasPage) preparePage();
  ignoreConnectionLoss(common);
  const folder = makeFolder();
  const programs = new Programs();
  // However this process ends, its programs and its folder go with it.
  process.once("exit", () => {
    programs.kill();
    folder.remove();
  });
  const signal = AbortSignal.any([interrupted, programs.failure]);
  const printer = new DemoPrinter(signal);
  const hubs: Hub[] = [];
  const connect = (address: URL, token: string) => {
    const hub = connectHub(address, token);
    hubs.push(hub);
    return hub;
  };
  const stay = () => waitUntil(interrupted, programs.failure);
  try {
    return await story({ folder, programs, printer, signal, connect, stay });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    for (const hub of hubs) hub.close();
    printer.notice("ending what was started");
    await programs.end();
    folder.remove();
    printer.endNotice();
  }
}

async function waitUntil(interrupted: AbortSignal, failure: AbortSignal): Promise<void> {
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
