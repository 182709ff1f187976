/** What a durable, audited pipeline costs, beside a plain program that makes the same calls and stores the same bytes. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bound, printTable, reportBounds } from "../measure.ts";
import type { Ask, Told } from "./load.ts";
import { benchFullStore, benchOpenPipelines, benchStart } from "./standing.ts";

const rounds: readonly Ask[] = [
  { inFlight: 1, count: 300 },
  { inFlight: 16, count: 1_500 },
  { inFlight: 64, count: 3_000 },
  { inFlight: 256, count: 4_000 },
];

const directory = mkdtempSync(join(tmpdir(), "baton-bench-"));
const children: ChildProcess[] = [];
try {
  const floor = await startFloor();
  const hub = await startHub();
  for (const program of [floor, hub]) await ask(program, { inFlight: 64, count: 1_500 }); // Compiled before it counts.
  const figures = new Map<number, { readonly hub: Told; readonly floor: Told }>();
  for (const round of rounds) {
    // By turns, twice: a machine that is slow for a while is slow for both.
    const takes: { readonly floor: Told; readonly hub: Told }[] = [];
    for (let turn = 0; turn < 2; turn++)
      takes.push({ floor: await ask(floor, round), hub: await ask(hub, round) });
    const best = (name: "floor" | "hub") =>
      takes.map((take) => take[name]).reduce((one, other) => (other.perSecond > one.perSecond ? other : one));
    figures.set(round.inFlight, { hub: best("hub"), floor: best("floor") });
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
  const execArgv = ["--max-semi-space-size=64"];
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

async function ask(program: ChildProcess, question: Ask): Promise<Told> {
  program.send(question);
  const [told] = (await once(program, "message")) as [Told];
  return told;
}

function report(figures: ReadonlyMap<number, { readonly hub: Told; readonly floor: Told }>): void {
  console.log(
    "pipelines of three stages, agents in another process, everything durable and audited; floor beside it\n",
  );
  printTable(
    [...figures].flatMap(([inFlight, { hub, floor }]) => [
      row(`${inFlight} in flight`, hub, floor.perSecond),
      row("  floor", floor, undefined),
    ]),
  );
  const at = (inFlight: number) => figures.get(inFlight) ?? { hub: none, floor: none };
  bound("floor over hub, pipelines a second at 64", at(64).floor.perSecond / at(64).hub.perSecond, 4);
  bound("hub over floor, p50 at 1", at(1).hub.p50Ms / at(1).floor.p50Ms, 3);
  bound("hub over floor, p99 at 256", at(256).hub.p99Ms / at(256).floor.p99Ms, 4);
  bound("pipelines a second at 64 over those at 256", at(64).hub.perSecond / at(256).hub.perSecond, 1);
}

const none: Told = { perSecond: 0, p50Ms: 0, p95Ms: 0, p99Ms: 0, cpuMsEach: 0, residentMb: 0, bytesEach: 0 };

function row(name: string, told: Told, floor: number | undefined): Record<string, string> {
  return {
    "": name,
    "a second": told.perSecond.toFixed(0),
    "p50 ms": told.p50Ms.toFixed(2),
    "p95 ms": told.p95Ms.toFixed(2),
    "p99 ms": told.p99Ms.toFixed(2),
    "CPU ms each": told.cpuMsEach.toFixed(2),
    "resident MB": told.residentMb.toFixed(0),
    "kB on disk each": (told.bytesEach / 1_000).toFixed(1),
    "of the floor": floor === undefined ? "" : (told.perSecond / floor).toFixed(2),
  };
}
