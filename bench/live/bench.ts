/** What it costs to be watched, beside a plain program that stores the same events and writes them to as many. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OrchestratorService } from "@baton/contract";
import { nowMs, type Talk } from "../emit.ts";
import type { LoadReport } from "../load.ts";
import { bound, median, printTable, reportBounds } from "../measure.ts";
import type { Form, Left, Order, Received } from "./watchers.ts";

const paced: Talk = { events: 4_000, perSecond: 1_000 };
/** Fewer than an agent keeps for a hub that is away: none of them is dropped. */
const flood: Talk = { events: 9_000 };
const load = { inFlight: 64, count: 2_000 };
/** As `bench/hub` has it; those who watch bring more to be compiled. */
const warmUp = { inFlight: 64, count: 20_000 };
const many = 100;
/** One after the other, so often: a machine that is slow for a while is slow for both. */
const turns = 11;

/** Who watches by what. */
const forms: readonly (readonly [Form, name: string])[] = [
  ["gzip", "server-sent events, compressed as browsers ask for it"],
  ["grpc", "gRPC, as the command line does"],
  ["plain", "server-sent events, plain"],
];

/** What a pipeline is at the least, with its twelve events; what was gathered last may not have come yet. */
const leastBytesEach: Readonly<Record<Form, number>> = { gzip: 100, grpc: 1_000, plain: 2_000 };

interface Program {
  readonly process: ChildProcess;
  /** Of its server-sent events. */
  readonly url: string;
  /** Of its gRPC, which the floor does not have. */
  readonly grpcAddress: string;
}

interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const directory = mkdtempSync(join(tmpdir(), "baton-bench-"));
const children: ChildProcess[] = [];
try {
  const hub = await startProgram("../hub/hub/program.ts", join(directory, "hub"), "/v1/events");
  const floor = await startProgram("./floor/program.ts", directory, "/");
  const watchers = start("./watchers.ts");
  await benchEvents(hub, floor, watchers);
  await benchThroughput(hub, watchers);
  await benchSlow(hub, watchers);
} finally {
  for (const child of children) child.disconnect();
  rmSync(directory, { recursive: true, force: true });
}
reportBounds();

/** From the agent to the store and to everybody who watches. */
async function benchEvents(hub: Program, floor: Program, watchers: ChildProcess): Promise<void> {
  await measure(hub, watchers, 1); // Compiled before it counts.
  await measure(floor, watchers, 1);
  const rows: Record<string, string>[] = [];
  for (const count of [1, 10, many]) {
    const [ours, theirs] = [await measure(hub, watchers, count), await measure(floor, watchers, count)];
    rows.push(row(`${count} watching`, ours, ours.perSecond / theirs.perSecond), row("  floor", theirs));
  }
  console.log(
    `events of an agent to the store and to watchers; delays at ${paced.perSecond} a second, from emission to watcher\n`,
  );
  printTable(rows);
}

function row(name: string, { perSecond, p50Ms, p99Ms }: Figures, ofFloor?: number): Record<string, string> {
  return {
    "": name,
    "events a second": perSecond.toFixed(0),
    "delay p50 ms": p50Ms.toFixed(1),
    "p99 ms": p99Ms.toFixed(1),
    "of the floor": ofFloor?.toFixed(2) ?? "",
  };
}

async function measure({ process, url }: Program, watchers: ChildProcess, count: number): Promise<Figures> {
  await order(watchers, { kind: "watch", url, count, reads: true, form: "plain" });
  const { p50Ms, p99Ms } = await talk(process, watchers, paced);
  const began = nowMs();
  const { endedMs } = await talk(process, watchers, flood);
  await order(watchers, { kind: "leave" });
  return { perSecond: (flood.events / (endedMs - began)) * 1_000, p50Ms, p99Ms };
}

async function talk(program: ChildProcess, watchers: ChildProcess, how: Talk): Promise<Received> {
  const received = order<Received>(watchers, { kind: "await", thoughts: how.events });
  await ask(program, how);
  return received;
}

async function benchThroughput(
  { process, url, grpcAddress }: Program,
  watchers: ChildProcess,
): Promise<void> {
  const grpcUrl = `${grpcAddress}/${OrchestratorService.typeName}/${OrchestratorService.method.watchEvents.name}`;
  const watched = async (form: Form) => {
    const address = form === "grpc" ? grpcUrl : url;
    await order(watchers, { kind: "watch", url: address, count: many, reads: true, form });
    const { perSecond } = await ask<LoadReport>(process, load);
    const { leastBytes } = await order<Left>(watchers, { kind: "leave" });
    // A watcher that was disconnected or receives nothing costs nothing.
    const least = load.count * leastBytesEach[form];
    if (leastBytes < least)
      throw new Error(`a watcher (${form}) received ${leastBytes} bytes, and at least ${least} are expected`);
    return perSecond;
  };
  await ask<LoadReport>(process, warmUp);
  for (const [form] of forms) await watched(form);
  const alone: number[] = [];
  const figures = forms.map((): number[] => []);
  for (let turn = 0; turn < turns; turn++) {
    alone.push((await ask<LoadReport>(process, load)).perSecond);
    for (const [place, [form]] of forms.entries()) figures[place]?.push(await watched(form));
  }
  const rows = forms.map(([, name], place) => {
    const own = figures[place] ?? [];
    const ratio = median(own.map((figure, turn) => figure / (alone[turn] ?? Number.NaN)));
    return { name, ratio, perSecond: median(own) };
  });
  console.log(
    `\npipelines a second at ${load.inFlight} in flight, alone and with ${many} who watch everything\n`,
  );
  printTable([
    { "": "nobody watches", "a second": median(alone).toFixed(0), ratio: "" },
    ...rows.map(({ name, perSecond, ratio }) => ({
      "": name,
      "a second": perSecond.toFixed(0),
      ratio: ratio.toFixed(2),
    })),
  ]);
  for (const { name, ratio } of rows)
    bound(`pipelines a second alone over those with ${many} by ${name}`, 1 / ratio, 1 / 0.8);
}

/** They connect and never read. */
async function benchSlow({ process, url }: Program, watchers: ChildProcess): Promise<void> {
  const before = await ask<LoadReport>(process, load);
  await order(watchers, { kind: "watch", url, count: many, reads: false, form: "plain" });
  const sizes: number[] = [];
  for (let turn = 0; turn < turns; turn++) sizes.push((await ask<LoadReport>(process, load)).residentMb);
  console.log(`\nresident with ${many} watchers that do not read, after ${load.count} pipelines each\n`);
  printTable([
    { "": "nobody watches", MB: before.residentMb.toFixed(0) },
    ...sizes.map((size, turn) => ({ "": `after ${(turn + 1) * load.count}`, MB: size.toFixed(0) })),
  ]);
  bound("megabytes more with slow watchers", Math.max(...sizes) - before.residentMb, 256);
  await order(watchers, { kind: "leave" });
}

async function startProgram(file: string, folder: string, path: string): Promise<Program> {
  const program = start(file, folder);
  const [{ address, grpcAddress = "" }] = (await once(program, "message")) as [
    { readonly address: string; readonly grpcAddress?: string },
  ];
  return { process: program, url: `${address}${path}`, grpcAddress };
}

function start(file: string, ...args: string[]): ChildProcess {
  const child = fork(new URL(file, import.meta.url), args, {
    execArgv: ["--max-semi-space-size=64", "--no-allocation-site-pretenuring"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  children.push(child);
  return child;
}

function order<Answer>(watchers: ChildProcess, what: Order): Promise<Answer> {
  return ask(watchers, what);
}

async function ask<Answer>(program: ChildProcess, question: object): Promise<Answer> {
  program.send(question);
  const [report] = (await once(program, "message")) as [Answer];
  return report;
}
