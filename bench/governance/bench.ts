/** What a governed task with 50 rules costs, beside the same task without: one hub, one agent that does nothing. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  IssuerKind,
  PressureLevel,
  ResponseStatus,
  SubmitTaskRequestSchema,
  WatchEventsRequestSchema,
} from "@baton/contract";
import { readConstitution } from "@baton/kernel";
import { commandVerifier, createHub, openSqliteStore, referenceReader } from "@baton/runtime";
import { TestAgent } from "@baton/runtime/testing";
import { create } from "@bufbuild/protobuf";
import { type LoadFigures, runLoad } from "../load.ts";
import { bound, median, printTable, reportBounds } from "../measure.ts";

const turns = 7;
const load = { inFlight: 16, count: 400 };

const rules = Array.from({ length: 50 }, (_, index) => ({
  name: `rule-${index}`,
  cel:
    index % 2 === 0
      ? `size(task.payload.topic) > ${index % 3} && task.priority != "x${index}"`
      : `size(output.message) > 0 && output.data.score != ${index + 1000}.0`,
}));
const reading = readConstitution(
  { constitution: { version: "1", principles: [{ key: "all", always: true, checks: rules }] } },
  "d".repeat(64),
);
if (!reading.ok) throw new Error(JSON.stringify(reading.problems));

const directory = mkdtempSync(join(tmpdir(), "baton-bench-"));
const hub = await createHub({
  store: await openSqliteStore({ directory }),
  templates: new Map(),
  orchestratorVersion: "0.1.0",
  verifier: commandVerifier(),
  references: referenceReader(),
  constitution: reading.constitution,
});
const agent = new TestAgent(hub, {
  packId: "nothing",
  tenantId: "local",
  taskTypes: ["nothing"],
  maxTasks: 1_000,
  answer: () => ({ response: { status: ResponseStatus.SUCCESS, message: "done", data: { score: 1 } } }),
});
await agent.receive("welcome");

const caller = { tenantId: "local", id: "bench", kind: "human" } as const;
const governance = {
  sapVersion: "2.0",
  taskId: "7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a",
  correlationId: "a7f5d5b2-13a8-4a0d-9ba2-6b1e3c6f9d11",
  issuer: { agentId: "bench", kind: IssuerKind.SYSTEM },
  pressureLevel: PressureLevel.INSTANT,
};
// Without a server nothing else keeps the process alive while the store writes.
setInterval(() => {}, 1_000);
const waiting = new Map<string, () => void>();
const ended = new Set<string>();
let submitted = 0;

async function task(isGoverned: boolean): Promise<void> {
  const idempotencyKey = `bench-${submitted++}`;
  const request = create(SubmitTaskRequestSchema, {
    idempotencyKey,
    plan: { case: "taskType", value: "nothing" },
    contract: { taskId: idempotencyKey, title: "Do nothing", acceptanceCriteria: ["x".repeat(1_500)] },
    inputs: { topic: "birds" },
    ...(isGoverned && { governance }),
  });
  const { pipeline } = await hub.submitTask(caller, request);
  const { pipelineId = "" } = pipeline ?? {};
  // The agent is in this process, so a task may end before its submission is answered.
  if (ended.delete(pipelineId)) return;
  await new Promise<void>((done) => waiting.set(pipelineId, done));
}

async function watch(): Promise<void> {
  const request = create(WatchEventsRequestSchema, { filter: 'stage_id = ""' });
  for await (const { message } of hub.watchEvents(caller, request, new AbortController().signal)) {
    const payload = message.case === "record" ? message.value.event?.payload : undefined;
    if (message.case !== "record" || payload?.case !== "taskTransition") continue;
    if (payload.value.toState !== "COMPLETED") continue;
    const { pipelineId } = message.value;
    const done = waiting.get(pipelineId);
    if (done) done();
    else ended.add(pipelineId);
    waiting.delete(pipelineId);
  }
}
void watch().catch(() => {});

const figures = { plain: [] as LoadFigures[], governed: [] as LoadFigures[] };
for (let turn = 0; turn <= turns; turn++) {
  const order = turn % 2 === 0 ? (["plain", "governed"] as const) : (["governed", "plain"] as const);
  for (const name of order) {
    const report = await runLoad(load.inFlight, load.count, () => task(name === "governed"));
    // The first turn compiles.
    if (turn > 0) figures[name].push(report);
  }
}
const ratio = (figure: (report: LoadFigures) => number) =>
  median(
    figures.governed.map((governed, turn) => figure(governed) / figure(figures.plain[turn] as LoadFigures)),
  );
console.log(`tasks of one stage, ${load.inFlight} in flight, durable and audited; 50 rules of CEL\n`);
printTable(
  (["plain", "governed"] as const).map((name) => ({
    task: name,
    "a second": median(figures[name].map(({ perSecond }) => perSecond)).toFixed(0),
    "p50 ms": median(figures[name].map(({ p50Ms }) => p50Ms)).toFixed(2),
    "CPU ms each": median(figures[name].map(({ cpuMsEach }) => cpuMsEach)).toFixed(2),
  })),
);
console.log(
  `\ngoverned over plain: ${ratio(({ p50Ms }) => p50Ms).toFixed(2)} in time, ${ratio(({ cpuMsEach }) => cpuMsEach).toFixed(2)} in CPU`,
);
bound(
  "a governed task with 50 rules over the same without, p50",
  ratio(({ p50Ms }) => p50Ms),
  1.3,
);
reportBounds();
await hub.drain(0);
rmSync(directory, { recursive: true, force: true });
process.exit();
