/** What a durable, audited pipeline costs, beside a plain program that makes the same calls and stores the same bytes. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ask, LoadReport } from "../load.ts";
import { bound, median, printTable, reportBounds } from "../measure.ts";
import { benchFullStore, benchOpenPipelines, benchStart } from "./standing.ts";

const rounds: readonly Ask[] = [
  { inFlight: 1, count: 200 },
  { inFlight: 16, count: 1_000 },
  { inFlight: 64, count: 2_000 },
  { inFlight: 256, count: 3_000 },
];

/** V8 compiles and compiles again what the hub does until about so many were done: it counts from there on. */
const warmUp: Ask = { inFlight: 64, count: 20_000 };

/**
 * One after the other, so often: a machine that is slow for a while is slow for both, and the ratio is that of a pair. Each goes
 * first every other time, since what one leaves to the disk and to the processor's memory costs the next.
 */
const turns = 9;

interface Pair {
  readonly hub: LoadReport;
  readonly floor: LoadReport;
}

const directory = mkdtempSync(join(tmpdir(), "baton-bench-"));
const children: ChildProcess[] = [];
try {
  const floor = await startFloor();
  const hub = await startHub();
  for (const program of [floor, hub]) await ask(program, warmUp);
  const figures = new Map<number, readonly Pair[]>();
  for (const round of rounds) {
    const pairs: Pair[] = [];
    for (let turn = 0; turn < turns; turn++) pairs.push(await measurePair(floor, hub, round, turn % 2 === 1));
    figures.set(round.inFlight, pairs);
  }
  report(figures);
  for (const child of children.splice(0)) child.disconnect();
  await benchStart(directory);
  await benchOpenPipelines(directory);
  await benchFullStore(directory);
} finally {
  for (const child of children) child.disconnect();
  rmSync(directory, { recursive: true, force: true });
}
reportBounds();

function start(file: string, ...args: string[]): ChildProcess {
  // Both as baton-server is started.
  const execArgv = ["--max-semi-space-size=64", "--no-allocation-site-pretenuring"];
  const child = fork(new URL(file, import.meta.url), args, {
    execArgv,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  children.push(child);
  return child;
}

async function startFloor(): Promise<ChildProcess> {
  const worker = start("./floor/worker.ts");
  const [{ port }] = (await once(worker, "message")) as [{ port: number }];
  return start("./floor/program.ts", directory, String(port));
}

async function startHub(): Promise<ChildProcess> {
  const hub = start("./hub/program.ts", join(directory, "hub"));
  await once(hub, "message");
  return hub;
}

async function measurePair(
  floor: ChildProcess,
  hub: ChildProcess,
  round: Ask,
  isHubFirst: boolean,
): Promise<Pair> {
  const first = await ask(isHubFirst ? hub : floor, round);
  const second = await ask(isHubFirst ? floor : hub, round);
  return isHubFirst ? { hub: first, floor: second } : { floor: first, hub: second };
}

async function ask(program: ChildProcess, question: Ask): Promise<LoadReport> {
  program.send(question);
  const [report] = (await once(program, "message")) as [LoadReport];
  return report;
}

function report(figures: ReadonlyMap<number, readonly Pair[]>): void {
  console.log(
    "pipelines of three stages, agents in another process, everything durable and audited; floor beside it\n",
  );
  printTable(
    [...figures].flatMap(([inFlight, pairs]) => [
      row(
        `${inFlight} in flight`,
        middle(pairs, "hub"),
        ratio(pairs, ({ perSecond }) => perSecond),
      ),
      row("  floor", middle(pairs, "floor"), undefined),
    ]),
  );
  console.log(
    "\nthe floor commits four times a pipeline: the task, and of each stage what was sent and came back\n",
  );
  const at = (inFlight: number) => figures.get(inFlight) ?? [];
  bound("floor over hub, pipelines a second at 64", 1 / ratio(at(64), ({ perSecond }) => perSecond), 4);
  bound(
    "hub over floor, p50 at 1",
    ratio(at(1), ({ p50Ms }) => p50Ms),
    3,
  );
  bound(
    "hub over floor, p99 at 256",
    ratio(at(256), ({ p99Ms }) => p99Ms),
    4,
  );
  const perSecond = (inFlight: number) => median(at(inFlight).map(({ hub }) => hub.perSecond));
  bound("pipelines a second at 64 over those at 256", perSecond(64) / perSecond(256), 1);
}

/** The hub's over the floor's, of the pair in the middle. */
function ratio(pairs: readonly Pair[], figure: (report: LoadReport) => number): number {
  return median(pairs.map(({ hub, floor }) => figure(hub) / figure(floor)));
}

function middle(pairs: readonly Pair[], name: keyof Pair): LoadReport {
  const report = pairs.map((pair) => pair[name]);
  const figure = (which: keyof LoadReport) => median(report.map((one) => one[which]));
  return {
    perSecond: figure("perSecond"),
    p50Ms: figure("p50Ms"),
    p95Ms: figure("p95Ms"),
    p99Ms: figure("p99Ms"),
    cpuMsEach: figure("cpuMsEach"),
    residentMb: figure("residentMb"),
    bytesEach: figure("bytesEach"),
  };
}

function row(name: string, report: LoadReport, ofFloor: number | undefined): Record<string, string> {
  return {
    "": name,
    "a second": report.perSecond.toFixed(0),
    "p50 ms": report.p50Ms.toFixed(2),
    "p95 ms": report.p95Ms.toFixed(2),
    "p99 ms": report.p99Ms.toFixed(2),
    "CPU ms each": report.cpuMsEach.toFixed(2),
    "resident MB": report.residentMb.toFixed(0),
    "kB on disk each": (report.bytesEach / 1_000).toFixed(1),
    "of the floor": ofFloor === undefined ? "" : ofFloor.toFixed(2),
  };
}
