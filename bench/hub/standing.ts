/** What a hub costs by what it holds: a full store, many open pipelines, a start. */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Ask, LoadReport } from "../load.ts";
import { bound, median, printTable } from "../measure.ts";
import type { Filled } from "./hub/fill-store.ts";

const endedPipelines = Number(process.env.BATON_BENCH_ENDED ?? 1_000_000);
const openPipelines = 10_000;

async function runOnce<Answer>(file: string, ...args: string[]): Promise<Answer> {
  const child = fork(new URL(file, import.meta.url), args, {
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [answer] = (await once(child, "message")) as [Answer];
  await once(child, "exit");
  return answer;
}

/** A new pipeline in a store that has a million, beside one in an empty store. */
export async function benchFullStore(directory: string): Promise<void> {
  const full = join(directory, "full");
  const { bytesEach, share } = await runOnce<Filled>("./hub/fill-store.ts", full, String(endedPipelines));
  const startMs = await timeToReady(full);
  const question: Ask = { inFlight: 64, count: 2_000 };
  const programs = await Promise.all([join(directory, "empty"), full].map(startProgram));
  const [empty = [], filled = []] = programs.map(() => [] as number[]);
  let realBytesEach = 0;
  for (let turn = 0; turn < 4; turn++) {
    for (const [place, program] of programs.entries()) {
      program.send(question);
      const [{ perSecond, bytesEach: written }] = (await once(program, "message")) as [LoadReport];
      if (place === 0) realBytesEach = written;
      // The first round compiles.
      if (turn > 0) (place === 0 ? empty : filled).push(perSecond);
    }
  }
  for (const program of programs) program.disconnect();
  const ratio = median(empty) / median(filled);
  console.log(`\na new pipeline in a store with ${endedPipelines.toLocaleString("en")} ended ones\n`);
  console.log(
    `they have ${kB(bytesEach)} kB each; a pipeline of the benchmark adds ${kB(realBytesEach)} kB, log included`,
  );
  if (share < 1) {
    console.log(
      `the disk has no room for more: rows and index entries are real, and ${(share * 100).toFixed(0)} % is left of texts, contents, entries and events`,
    );
  }
  console.log(`a hub is ready on it after ${startMs.toFixed(0)} ms, and looks at all of it meanwhile\n`);
  printTable([
    { store: "empty", "a second": median(empty).toFixed(0), "times the cost": "" },
    { store: "full", "a second": median(filled).toFixed(0), "times the cost": ratio.toFixed(2) },
  ]);
  bound("cost of a pipeline in a full store over that in an empty one", ratio, 1.2);
  bound("seconds until a hub with a full store is ready", startMs / 1_000, 1);
}

function kB(bytes: number): string {
  return (bytes / 1_000).toFixed(1);
}

async function startProgram(directory: string) {
  const program = fork(new URL("./hub/program.ts", import.meta.url), [directory], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(program, "message");
  return program;
}

export async function benchOpenPipelines(directory: string): Promise<void> {
  const place = join(directory, "open");
  const { residentMb } = await runOnce<{ residentMb: number }>(
    "./hub/open-pipelines.ts",
    "fill",
    place,
    String(openPipelines),
  );
  const back = await runOnce<{ recoveredMs: number; residentMb: number }>(
    "./hub/open-pipelines.ts",
    "recover",
    place,
  );
  const perSecond = openPipelines / (back.recoveredMs / 1_000);
  console.log(`\n${openPipelines.toLocaleString("en")} open pipelines, their first stage at an agent\n`);
  printTable([
    { "": "resident, after they were submitted", figure: `${residentMb.toFixed(0)} MB` },
    { "": "resident, after a restart", figure: `${back.residentMb.toFixed(0)} MB` },
    {
      "": "known again after",
      figure: `${back.recoveredMs.toFixed(0)} ms, ${perSecond.toFixed(0)} a second`,
    },
  ]);
  bound("MB for 10,000 open pipelines", Math.max(residentMb, back.residentMb), 1_073);
  bound("5,000 over pipelines recovered a second", 5_000 / perSecond, 1);
}

/** From the start of the process to the line that says it is ready, beside a process that does nothing. */
export async function benchStart(directory: string): Promise<void> {
  const starts: number[] = [];
  const floors: number[] = [];
  for (let turn = 0; turn < 5; turn++) {
    floors.push(await timeToLine(["--eval", "console.log('ready')"]));
    starts.push(await timeToReady(join(directory, `start-${turn}`)));
  }
  console.log("\nfrom the start of the process to ready, on an empty store\n");
  printTable([
    { "": "hub", ms: median(starts).toFixed(0) },
    { "": "node alone", ms: median(floors).toFixed(0) },
  ]);
  bound("seconds until an empty hub is ready", median(starts) / 1_000, 1);
}

function timeToReady(data: string): Promise<number> {
  const server = new URL("../../apps/server/bin/baton-server.mjs", import.meta.url).pathname;
  return timeToLine([server, "--data", data, "--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"]);
}

async function timeToLine(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  const tookMs = performance.now() - start;
  child.kill("SIGTERM");
  await once(child, "exit");
  return tookMs;
}
